// SPDX-License-Identifier: Apache-2.0
// How figures are written in the window: fixed decimals, grouped thousands, a true minus, no-break spaces.
#pragma once

#include <QLocale>
#include <QString>
#include <chrono>

namespace dlperf::ui {

// The locale of the window's texts: English or Chinese, which write figures alike. Not the desktop's: charts
// and reports have English figures, and 12.411,97 beside 12,412 would be read as two figures.
[[nodiscard]] QLocale numberLocale();

[[nodiscard]] QString figureText(double value, int decimals = 2);    // 12,411.97
[[nodiscard]] QString timesText(double value);                       // 31.21×
[[nodiscard]] QString percentText(double share, bool sign = false);  // share 0.975: 97.5 %; signed: −8.7 %
[[nodiscard]] QString durationText(std::chrono::seconds duration);   // 0:48, 12:05, 3 h 2 min
[[nodiscard]] QString roughly(std::chrono::seconds duration);        // 25 s, 4 min, 3 h 2 min
[[nodiscard]] QString bytesText(double bytes);                       // 24.9 GB
inline const QString missing = QStringLiteral("–");                  // no figure

}  // namespace dlperf::ui
