// SPDX-License-Identifier: Apache-2.0
// Inter for text, Noto Sans CJK SC for Chinese, JetBrains Mono for figures and code (Inter's digits are not
// of one width). Sizes are px at 100 %; Qt scales them with the display.
#pragma once

#include <QFont>

namespace dlperf::ui {

namespace size {  // px
inline constexpr int caption = 11;
inline constexpr int secondary = 12;
inline constexpr int body = 13;
inline constexpr int emphasis = 14;
inline constexpr int title = 16;
inline constexpr int figure = 18;
inline constexpr int heading = 22;
}  // namespace size

[[nodiscard]] QFont textFont(int px = size::body, QFont::Weight weight = QFont::Normal);
[[nodiscard]] QFont monoFont(int px = size::secondary, QFont::Weight weight = QFont::Normal);

}  // namespace dlperf::ui
