// SPDX-License-Identifier: Apache-2.0
// The look that a widget which draws itself was last drawn for: a style sheet changes a widget's palette
// several times for one change of theme, and each drawing takes time.
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
