// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/format_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {

FormatBook::FormatBook() : FormatBook(std::vector<Format>()) {}

FormatBook::FormatBook(std::vector<Format> own)
    : own_(std::make_shared<const std::vector<Format>>(std::move(own))) {}

Result<FormatBook> FormatBook::with(const std::vector<Format>& added, const std::string& where,
                                    const std::string& holder) const {
    std::vector<Format> all = *own_;
    for (const Format& format : added) {
        const Format* same = find(format.name);
        if (same == nullptr) {
            all.push_back(format);
        } else if (same->written != format.written) {
            const bool isBuiltIn = same == findFormat(format.name);
            return fail(fmt::format("the format {} is {} already, and says something else there", format.name,
                                    isBuiltIn ? "built in" : holder),
                        where,
                        isBuiltIn ? "Give it another name."
                                  : "Change the one there, or give this one another name and say with "
                                    "\"second_to\" which of the two goes first.");
        }
    }
    return FormatBook(std::move(all));
}

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
