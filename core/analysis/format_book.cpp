// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/format_book.h"

#include <algorithm>
#include <utility>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {

FormatBook::FormatBook() : FormatBook(std::vector<Format>()) {}

FormatBook::FormatBook(std::vector<Format> own)
    : own_(std::make_shared<const std::vector<Format>>(std::move(own))) {}

const Format* FormatBook::find(std::string_view name) const {
    const auto found =
        std::find_if(own_->begin(), own_->end(), [&](const Format& format) { return format.name == name; });
    return found != own_->end() ? &*found : findFormat(name);
}

std::vector<const Format*> FormatBook::all() const {
    std::vector<const Format*> all;
    for (const auto* formats : {own_.get(), &analysis::formats()}) {
        for (const Format& format : *formats) {
            if (find(format.name) == &format) {
                all.push_back(&format);
            }
        }
    }
    return all;
}

}  // namespace dlperf::analysis
