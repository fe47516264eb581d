// SPDX-License-Identifier: Apache-2.0
// The look as values: one struct of tokens fills the palette, the style sheet, the icons and the charts.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <utility>
#include <vector>

#include "ui/theme/fonts.h"

namespace dlperf::ui {

// State is icon shape + word + colour, never colour alone.
struct StateColors {
    QColor text;
    QColor ground;
    QColor border;
};

struct Theme {
    bool dark = false;
    QColor window, page, panel, header, hover, press, sel, field;
    QColor border, border2, fieldBorder;
    QColor text, text2, text3, disabled;
    QColor accent, accentHover, link, focus;
    StateColors ok, warn, fail, info, idle;
    QColor grid, shade, ideal;
    QColor tip, tipText, mark, paper;
    // By framework, in the order of seriesIndex(); the last one is for any other.
    std::vector<QColor> series;
};

[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();
// The theme that a palette was made from, also a desktop's own: judged by the lightness of its window.
[[nodiscard]] const Theme& themeOf(const QPalette& palette);

// The application's: a style sheet's transparent ground looks black in a widget's own palette.
[[nodiscard]] const Theme& currentTheme();

[[nodiscard]] QPalette paletteOf(const Theme& theme);

// The names that a style sheet may use as {{name}}, with their values.
[[nodiscard]] std::vector<std::pair<QString, QString>> tokensOf(const Theme& theme);
// Fills in {{name}}; an unknown name stays and so is seen at once.
[[nodiscard]] QString withTokens(QString text, const Theme& theme);

// A topology matrix in both themes: blue is fast, orange slow, which colour-blind eyes tell apart too.
struct LinkStyle {
    QColor fill;
    QColor text;
};

// In the order of cluster::Link, which this room does not know: itself, NVLink, PIX, PXB, PHB, NODE, SYS,
// other. Several NVLinks are darker than one.
[[nodiscard]] LinkStyle linkStyle(int link, int nvLinks);

// A link between nodes that was measured: as a fast way of that matrix, or as its slowest.
[[nodiscard]] inline LinkStyle measuredLinkStyle(bool isSlow) {
    constexpr int nvLink = 1;
    constexpr int sys = 6;
    return isSlow ? linkStyle(sys, 0) : linkStyle(nvLink, 1);
}

inline constexpr int dialogMargin = 16;   // px at 100 %
inline constexpr int dialogSpacing = 12;  // px at 100 %

// What a widget that draws itself was last drawn for: palettes change several times for one theme.
struct Look {
    const Theme* theme = nullptr;
    int fontPercent = 0;

    bool operator==(const Look&) const = default;
};

[[nodiscard]] inline Look currentLook() {
    return {&currentTheme(), fontPercent()};
}

}  // namespace dlperf::ui
