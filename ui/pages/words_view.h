// SPDX-License-Identifier: Apache-2.0
// Sentences and small tables to read and to copy, beside a chart.
#pragma once

#include <QColor>
#include <QString>
#include <string>

#include "core/model/case.h"

class QTextBrowser;

namespace dlperf::ui {

// name: as a screen reader says it.
[[nodiscard]] QTextBrowser* makeWordsView(const QString& name);

// A paragraph of `html`, so many px below what is above it.
[[nodiscard]] QString paragraph(const QString& html, const QColor& color, int above);

// What core says, in the window's language, as HTML.
[[nodiscard]] QString escaped(const std::string& text);

// "2026-11-21", in UTC: the day that reports say.
[[nodiscard]] QString dayOf(TimePoint time);

}  // namespace dlperf::ui
