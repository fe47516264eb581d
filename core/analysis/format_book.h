// SPDX-License-Identifier: Apache-2.0
// The formats that are known in some place: those of its users, and behind them the built-in table.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/analysis/format.h"

namespace dlperf::analysis {

class FormatBook {
public:
    FormatBook();  // the built-in ones alone
    explicit FormatBook(std::vector<Format> own);

    // A user's own of this name goes before a built-in one; null where there is neither. Copies share the
    // rows: a format is there as long as one of them.
    [[nodiscard]] const Format* find(std::string_view name) const;
    [[nodiscard]] const std::vector<Format>& own() const { return *own_; }
    // What find() finds, the user's own first.
    [[nodiscard]] std::vector<const Format*> all() const;

private:
    std::shared_ptr<const std::vector<Format>> own_;
};

}  // namespace dlperf::analysis
