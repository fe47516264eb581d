// SPDX-License-Identifier: Apache-2.0
// Inter for text, Noto Sans CJK SC for Chinese, JetBrains Mono for figures and code (Inter's digits are not
// of one width). Sizes are px at 100 %; the setting of the font size scales all of them alike, and Qt scales
// them with the display.
#pragma once

#include <QFont>
#include <QString>

namespace dlperf::ui {

namespace size {  // px
inline constexpr int caption = 11;
inline constexpr int secondary = 12;
inline constexpr int body = 13;
}  // namespace size

inline constexpr int smallestFontPercent = 90;
inline constexpr int largestFontPercent = 150;

void setFontPercent(int percent);
[[nodiscard]] int fontPercent();
[[nodiscard]] int scaled(int px);
[[nodiscard]] QString withScaledFonts(const QString& sheet);

// While it lives, this thread's fonts are those of exports: of 100 %, whatever the window's setting is, and
// set letter by letter. Inter has other glyphs for "(", "−" and "×" beside digits, to which Qt writes no
// letters into a PDF: "−3.2 %" was copied as "+3.2 %".
class PaperFonts {
public:
    PaperFonts();
    ~PaperFonts();
    PaperFonts(const PaperFonts&) = delete;
    PaperFonts& operator=(const PaperFonts&) = delete;
};

[[nodiscard]] QFont textFont(int px = size::body, QFont::Weight weight = QFont::Normal);
[[nodiscard]] QFont monoFont(int px = size::secondary, QFont::Weight weight = QFont::Normal);

}  // namespace dlperf::ui
