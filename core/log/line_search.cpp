// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_search.h"

#include <re2/re2.h>

#include "core/log/line_text.h"

namespace dlperf::log {

LineSearch::LineSearch(std::string_view what, bool isPattern) {
    if (what.empty() || !isPlainAscii(what)) {
        return;
    }
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_log_errors(false);
    options.set_literal(!isPattern);
    options.set_case_sensitive(isPattern);
    options.set_never_capture(true);
    auto search = std::make_shared<const RE2>(what, options);
    if (search->ok()) {
        search_ = std::move(search);
    }
}

bool LineSearch::finds(std::string_view line) const {
    return RE2::PartialMatch(line, *search_);
}

}  // namespace dlperf::log
