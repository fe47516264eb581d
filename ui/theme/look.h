// SPDX-License-Identifier: Apache-2.0
// What a widget that draws itself was last dressed in: a style sheet changes the palette of a widget several
// times for one change of theme, and to dress takes time.
#pragma once

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {

inline constexpr int dialogMargin = 16;   // px at 100 %
inline constexpr int dialogSpacing = 12;  // px at 100 %

struct Look {
    const Theme* theme = nullptr;
    int fontPercent = 0;

    bool operator==(const Look&) const = default;
};

[[nodiscard]] inline Look currentLook() {
    return {&currentTheme(), fontPercent()};
}

}  // namespace dlperf::ui
