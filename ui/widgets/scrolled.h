// SPDX-License-Identifier: Apache-2.0
// Content that scrolls where it has too little room. The bars are no stop of the keyboard, and the ground
// behind shows through.
#pragma once

#include <QScrollArea>

namespace dlperf::ui {

enum class ScrollBars { Both, VerticalOnly };  // VerticalOnly: the content is as wide as its place

[[nodiscard]] QScrollArea* makeScrolled(QWidget* content, ScrollBars bars = ScrollBars::Both);

}  // namespace dlperf::ui
