// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/header_reader.h"

#include <algorithm>

#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

constexpr std::size_t mostWords = 64;
constexpr std::size_t longestWord = 256;
constexpr int largestCount = 1 << 30;

}  // namespace

bool isHeaderLine(HeaderStyle style, std::string_view line) {
    if (style == HeaderStyle::HashColon) {
        return line.starts_with("# ") && line.find(": ") != std::string_view::npos;
    }
    if (style != HeaderStyle::NameEquals) {
        return false;
    }
    const std::size_t space = line.find(' ');
    const std::string_view between = space == std::string_view::npos ? "" : line.substr(space, 3);
    return between == " = " || between == " : ";
}

void HeaderReader::read(std::string_view line) {
    if (keys_->style == HeaderStyle::HashColon) {
        const std::size_t colon = line.find(": ");
        keep(line.substr(2, colon - 2), line.substr(colon + 2));
    } else {
        const std::size_t space = line.find(' ');
        const std::string_view value = line.substr(space + 3);
        keep(line.substr(0, space), value.substr(0, value.find(' ')));
    }
}

// A later line replaces an earlier one.
void HeaderReader::keep(std::string_view key, std::string_view value) {
    if (key.size() > longestWord || value.size() > longestWord) {
        return;
    }
    if (words_.size() >= mostWords && !words_.contains(std::string(key))) {
        return;
    }
    words_[std::string(key)] = std::string(trim(value));
}

std::optional<int> HeaderReader::count(const std::string& key) const {
    const auto found = words_.find(key);
    if (key.empty() || found == words_.end()) {
        return std::nullopt;
    }
    const auto value = toInt(found->second);
    return value && *value >= 1 && *value <= largestCount ? value : std::nullopt;
}

std::optional<RunShape> HeaderReader::shape(const Topology& hint) const {
    const auto batch = count(keys_->batchSize);
    const auto total = count(keys_->totalBatchSize);
    if (!batch && !total) {
        return std::nullopt;
    }
    auto nodes = count(keys_->nodes);
    auto devices = count(keys_->devices);
    if (batch && total && !devices) {  // one node, and how many shares of the batch it has
        nodes = 1;
        devices = *total / *batch;
    }
    if (nodes && devices) {
        // The bounds of a topology are known in one place.
        const auto topology = parseTopology(toString(Topology{*nodes, *devices}));
        if (!topology) {
            return std::nullopt;
        }
        return RunShape{*topology, batch ? *batch : std::max(1, *total / topology->worldSize())};
    }
    if (!batch) {
        return std::nullopt;
    }
    const auto world = count(keys_->worldSize);
    if (!world) {
        return std::nullopt;
    }
    return RunShape{*world == hint.worldSize() ? hint : Topology{1, *world}, *batch};
}

}  // namespace dlperf::analysis
