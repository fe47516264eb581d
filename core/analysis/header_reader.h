// SPDX-License-Identifier: Apache-2.0
// The header that a trainer prints about its own run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/format_row.h"
#include "core/analysis/run_figure.h"

namespace dlperf::analysis {

// The line is one of a header of that style: as with numbers (number.h), which digits it holds does not
// matter.
[[nodiscard]] bool isHeaderLine(HeaderStyle style, std::string_view line);

class HeaderReader {
public:
    explicit HeaderReader(const HeaderKeys& keys) : keys_(&keys) {}

    // A line for which isHeaderLine() holds.
    void read(std::string_view line);

    // The run's shape; where the header has only a world size, `hint` says how it may be split over nodes.
    [[nodiscard]] std::optional<RunShape> shape(const Topology& hint) const;
    [[nodiscard]] const std::map<std::string, std::string>& words() const { return words_; }

private:
    void keep(std::string_view key, std::string_view value);
    [[nodiscard]] std::optional<int> count(const std::string& key) const;

    const HeaderKeys* keys_;
    std::map<std::string, std::string> words_;
};

}  // namespace dlperf::analysis
