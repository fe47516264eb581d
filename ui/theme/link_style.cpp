// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/link_style.h"

#include <array>

#include "ui/theme/theme.h"

namespace dlperf::ui {

LinkStyle linkStyle(int link, int nvLinks) {
    const QColor dark(0x1A, 0x1E, 0x24);
    const std::array<LinkStyle, 8> styles{{
        {currentTheme().header, currentTheme().text2},
        {QColor(0x4F, 0x86, 0xC6), QColor(0x0B, 0x15, 0x22)},
        {QColor(0x9C, 0xC3, 0xE8), dark},
        {QColor(0xC6, 0xDD, 0xF1), dark},
        {QColor(0xE9, 0xEE, 0xF3), dark},
        {QColor(0xFB, 0xE3, 0xB5), dark},
        {QColor(0xF2, 0xB9, 0x8A), dark},
        {currentTheme().press, currentTheme().text},
    }};
    if (link == 1 && nvLinks >= 2) {
        return {QColor(0x1B, 0x4F, 0x8F), Qt::white};
    }
    return styles[link >= 0 && static_cast<std::size_t>(link) < styles.size() ? static_cast<std::size_t>(link)
                                                                              : styles.size() - 1];
}

}  // namespace dlperf::ui
