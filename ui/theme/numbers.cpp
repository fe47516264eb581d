// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/numbers.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace dlperf::ui {
namespace {

constexpr auto noBreakSpace = QChar(0x00A0);
constexpr auto trueMinus = QChar(0x2212);

}  // namespace

QLocale numberLocale() {
    return QLocale().language() == QLocale::Chinese ? QLocale(QLocale::Chinese, QLocale::China)
                                                    : QLocale(QLocale::English, QLocale::UnitedStates);
}

QString figureText(double value, int decimals) {
    QString text = numberLocale().toString(std::abs(value), 'f', decimals);
    const bool zero = std::ranges::none_of(text, [](QChar c) { return c.digitValue() > 0; });
    return value < 0 && !zero ? trueMinus + text : text;  // what rounds to zero is no loss
}

QString timesText(double value) {
    return figureText(value) + QStringLiteral("×");
}

QString percentText(double share, bool sign) {
    const QString plus = sign && share > 0 ? QStringLiteral("+") : QString();
    return plus + figureText(share * 100, 1) + noBreakSpace + QLatin1Char('%');
}

QString durationText(std::chrono::seconds duration) {
    const auto total = duration.count();
    const auto hours = total / 3600;
    const auto minutes = total / 60 % 60;
    if (hours > 0) {
        return QCoreApplication::translate("dlperf::ui", "%1 h %2 min").arg(hours).arg(minutes);
    }
    return QStringLiteral("%1:%2").arg(minutes).arg(total % 60, 2, 10, QLatin1Char('0'));
}

QString bytesText(double bytes) {
    static constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    while (bytes >= 1000 && unit + 1 < units.size()) {
        bytes /= 1000;
        ++unit;
    }
    return figureText(bytes, unit < 3 ? 0 : 1) + noBreakSpace + QLatin1String(units[unit]);
}

QString roughly(std::chrono::seconds duration) {
    constexpr long fewSeconds = 120;
    if (duration.count() < fewSeconds) {
        return QCoreApplication::translate("dlperf::ui", "%1 s").arg(std::max<long>(1, duration.count()));
    }
    const auto minutes = (duration.count() + 30) / 60;
    return minutes < 60 ? QCoreApplication::translate("dlperf::ui", "%1 min").arg(minutes)
                        : durationText(duration);
}

}  // namespace dlperf::ui
