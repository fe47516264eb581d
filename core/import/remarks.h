// SPDX-License-Identifier: Apache-2.0
// What an import leaves out: for people each kind once, with its first place and how many more there are,
// since an archive of a hundred thousand links is one remark; for files one by one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace dlperf::imports {

class Remarks {
public:
    static constexpr std::size_t mostNamed = 10'000;

    // `what` is one sentence about one thing; `where` may be any bytes.
    void add(std::string_view what, std::string_view where);
    [[nodiscard]] std::vector<Error> list() const;
    // Each with its name; of a kind the first `mostNamed`.
    [[nodiscard]] std::vector<Error> all() const;

private:
    struct Kind {
        std::string what;
        std::vector<std::string> names;
        std::uint64_t count = 0;
    };
    std::vector<Kind> kinds_;
};

}  // namespace dlperf::imports
