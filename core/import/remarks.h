// SPDX-License-Identifier: Apache-2.0
// What an import leaves out, each kind said once with its first place and how many more there are: an archive
// of a hundred thousand links is one remark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace dlperf::imports {

class Remarks {
public:
    // `what` is one sentence about one thing; `where` may be any bytes.
    void add(std::string_view what, std::string_view where);
    [[nodiscard]] std::vector<Error> list() const;

private:
    struct Kind {
        std::string what;
        std::string first;
        std::uint64_t count = 0;
    };
    std::vector<Kind> kinds_;
};

}  // namespace dlperf::imports
