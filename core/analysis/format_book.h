// SPDX-License-Identifier: Apache-2.0
// The formats that are known in some place: those of its users, and behind them the built-in table.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/format.h"
#include "core/base/error.h"

namespace dlperf::analysis {

class FormatBook {
public:
    FormatBook();  // the built-in ones alone
    explicit FormatBook(std::vector<Format> own);

    // This and these, from `where`. A name means one thing: an Input error if one of these says something
    // else than what is there under its name; `holder` says what that is, such as "in the workspace's
    // formats.json".
    [[nodiscard]] Result<FormatBook> with(const std::vector<Format>& added, const std::string& where,
                                          const std::string& holder) const;

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
