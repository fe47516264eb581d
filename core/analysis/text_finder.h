// SPDX-License-Identifier: Apache-2.0
// Plain search for a short text in a line. Most lines of a log do not hold it, so what counts is how fast
// "no" is: the search runs on the text's rarest letter with memchr, which is several times faster on short
// lines than memmem.
#pragma once

#include <string>
#include <string_view>

namespace dlperf::analysis {

class TextFinder {
public:
    explicit TextFinder(std::string text);

    const std::string& text() const { return text_; }
    std::size_t rarest() const { return rare_; }  // offset of its letter that logs hold least
    // Where the text stands first or last, npos if it does not. An empty text stands nowhere.
    [[nodiscard]] std::size_t first(std::string_view line) const;
    [[nodiscard]] std::size_t last(std::string_view line) const;

private:
    std::string text_;
    std::size_t rare_ = 0;  // offset of its rarest letter
};

}  // namespace dlperf::analysis
