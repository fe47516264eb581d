// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/text_finder.h"

#include <cstring>
#include <utility>

namespace dlperf::analysis {
namespace {

// What stands in logs most, most frequent first; anything else is rare.
constexpr std::string_view common = " 0eatinorsl1.2c3d:4p5m6u789()/,fhgb[]-_";

std::size_t rarestOffset(std::string_view text) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
        // npos, not common at all, is the largest rank.
        if (common.find(text[i]) > common.find(text[best])) {
            best = i;
        }
    }
    return best;
}

}  // namespace

TextFinder::TextFinder(std::string text) : text_(std::move(text)), rare_(rarestOffset(text_)) {}

std::size_t TextFinder::first(std::string_view line) const {
    if (text_.empty() || line.size() < text_.size()) {
        return std::string_view::npos;
    }
    const char* at = line.data() + rare_;
    const char* const end = line.data() + line.size() - (text_.size() - 1 - rare_);
    while (at < end) {
        at = static_cast<const char*>(std::memchr(at, text_[rare_], static_cast<std::size_t>(end - at)));
        if (at == nullptr) {
            break;
        }
        const char* const start = at - rare_;
        if (std::memcmp(start, text_.data(), text_.size()) == 0) {
            return static_cast<std::size_t>(start - line.data());
        }
        ++at;
    }
    return std::string_view::npos;
}

std::size_t TextFinder::last(std::string_view line) const {
    if (text_.empty() || line.size() < text_.size()) {
        return std::string_view::npos;
    }
    const char* const from = line.data() + rare_;
    std::size_t room = line.size() - (text_.size() - 1);  // places where the text may start
    while (room > 0) {
        const auto* at = static_cast<const char*>(::memrchr(from, text_[rare_], room));
        if (at == nullptr) {
            break;
        }
        const char* const start = at - rare_;
        room = static_cast<std::size_t>(start - line.data());
        if (std::memcmp(start, text_.data(), text_.size()) == 0) {
            return room;
        }
    }
    return std::string_view::npos;
}

}  // namespace dlperf::analysis
