// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/tips.h"

#include <QFontMetrics>
#include <QStringList>
#include <QTextBoundaryFinder>
#include <QToolTip>
#include <algorithm>

namespace dlperf::ui {
namespace {

constexpr int letters = 64;            // about so many stand in a line
constexpr qsizetype mostText = 4'000;  // longer ones are broken by Qt

// Broken where the language allows it.
QStringList brokenLines(const QString& line, const QFontMetrics& metrics, int width) {
    QStringList lines;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Line, line);
    qsizetype start = 0;
    qsizetype fits = 0;
    for (qsizetype end = finder.toNextBoundary(); end > 0; end = finder.toNextBoundary()) {
        if (fits > start && metrics.horizontalAdvance(line.mid(start, end - start)) > width) {
            lines << line.mid(start, fits - start);
            start = fits;
        }
        fits = end;
    }
    return lines << line.mid(start);
}

}  // namespace

QString plainTip(const QString& text) {
    if (text.isEmpty()) {
        return {};
    }
    const QFontMetrics metrics(QToolTip::font());
    const int width = metrics.averageCharWidth() * letters;
    QStringList lines;
    for (const QString& line : text.left(mostText).split(QLatin1Char('\n'))) {
        lines << brokenLines(line, metrics, width);
    }
    const bool fits = text.size() <= mostText && std::ranges::all_of(lines, [&](const QString& line) {
                          return metrics.horizontalAdvance(line) <= 2 * width;  // no word is longer
                      });
    return QStringLiteral("<div style=\"white-space: %1\">%2</div>")
        .arg(fits ? QStringLiteral("pre") : QStringLiteral("pre-wrap"),
             (fits ? lines.join(QLatin1Char('\n')) : text).toHtmlEscaped());
}

}  // namespace dlperf::ui
