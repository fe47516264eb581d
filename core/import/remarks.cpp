// SPDX-License-Identifier: Apache-2.0
#include "core/import/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace dlperf::imports {

void Remarks::add(std::string_view what, std::string_view where) {
    const auto found =
        std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& one) { return one.what == what; });
    ++(found != kinds_.end() ? *found : kinds_.emplace_back(Kind{std::string(what), firstLine(where), 0}))
          .count;
}

std::vector<Error> Remarks::list() const {
    std::vector<Error> list;
    list.reserve(kinds_.size());
    for (const Kind& one : kinds_) {
        std::string what = one.what;
        if (one.count > 1) {
            what += fmt::format(" (and {} more)", one.count - 1);
        }
        list.push_back(fail(std::move(what), one.first).value());
    }
    return list;
}

}  // namespace dlperf::imports
