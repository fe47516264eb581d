// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/fonts.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <atomic>
#include <cmath>

namespace dlperf::ui {
namespace {

std::atomic<int> chosenPercent{100};
// Of this thread only: a report may be drawn while the window paints.
thread_local int papers = 0;

QFont fontOf(const QStringList& families, int px, QFont::Weight weight) {
    QFont font;
    font.setFamilies(families);
    font.setPixelSize(scaled(px));
    font.setWeight(weight);
    if (papers > 0) {
        font.setStyleStrategy(QFont::PreferNoShaping);
    }
    return font;
}

}  // namespace

void setFontPercent(int percent) {
    chosenPercent = std::clamp(percent, smallestFontPercent, largestFontPercent);
}

int fontPercent() {
    return papers > 0 ? 100 : chosenPercent.load();
}

int scaled(int px) {
    return static_cast<int>(std::lround(px * fontPercent() / 100.0));
}

QString withScaledFonts(const QString& sheet) {
    static const QRegularExpression fontSize(QStringLiteral("font-size: *(\\d+)px"));
    QString scaledSheet;
    qsizetype done = 0;
    for (auto found = fontSize.globalMatch(sheet); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        scaledSheet += QStringView(sheet).mid(done, match.capturedStart(1) - done).toString() +
                       QString::number(scaled(match.captured(1).toInt()));
        done = match.capturedEnd(1);
    }
    return scaledSheet + sheet.mid(done);
}

PaperFonts::PaperFonts() {
    ++papers;
}

PaperFonts::~PaperFonts() {
    --papers;
}

QFont textFont(int px, QFont::Weight weight) {
    return fontOf({QStringLiteral("Inter"), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("sans-serif")},
                  px, weight);
}

QFont monoFont(int px, QFont::Weight weight) {
    QFont font = fontOf({QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono CJK SC"),
                         QStringLiteral("monospace")},
                        px, weight);
    font.setStyleHint(QFont::Monospace);
    // Letter by letter: the font would join "--" to one stroke, and Qt 6.4 cannot switch its ligatures off.
    font.setStyleStrategy(QFont::PreferNoShaping);
    return font;
}

}  // namespace dlperf::ui
