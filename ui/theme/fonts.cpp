// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/fonts.h"

#include <QStringList>

namespace dlperf::ui {
namespace {

QFont fontOf(const QStringList& families, int px, QFont::Weight weight) {
    QFont font;
    font.setFamilies(families);
    font.setPixelSize(px);
    font.setWeight(weight);
    return font;
}

}  // namespace

QFont textFont(int px, QFont::Weight weight) {
    return fontOf({QStringLiteral("Inter"), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("sans-serif")},
                  px, weight);
}

QFont monoFont(int px, QFont::Weight weight) {
    QFont font = fontOf({QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono CJK SC"),
                         QStringLiteral("monospace")},
                        px, weight);
    font.setStyleHint(QFont::Monospace);
    return font;
}

}  // namespace dlperf::ui
