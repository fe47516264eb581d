// SPDX-License-Identifier: Apache-2.0
#include "core/import/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::imports {

void Remarks::add(std::string_view what, std::string_view where) {
    auto found = std::ranges::find(kinds_, what, &Kind::what);
    if (found == kinds_.end()) {
        found = kinds_.insert(found, Kind{std::string(what), {}, 0});
    }
    ++found->count;
    if (found->names.size() < mostNamed) {
        found->names.push_back(firstLine(where));
    }
}

std::vector<Error> Remarks::list() const {
    return mapped(kinds_, [](const Kind& one) {
        return fail(one.count > 1 ? fmt::format("{} (and {} more)", one.what, one.count - 1) : one.what,
                    one.names.front())
            .value();
    });
}

std::vector<Error> Remarks::all() const {
    std::vector<Error> all;
    for (const Kind& one : kinds_) {
        for (const std::string& name : one.names) {
            all.push_back(fail(one.what, name).value());
        }
        if (one.count > one.names.size()) {
            all.push_back(
                fail(fmt::format("{} ({} more)", one.what, one.count - one.names.size()), one.names.back())
                    .value());
        }
    }
    return all;
}

}  // namespace dlperf::imports
