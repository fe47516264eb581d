// SPDX-License-Identifier: Apache-2.0
// How fast the links of a cluster are, measured by what training does over them: all-reduces of rising sizes
// between each two nodes, among all of them and within each. W/links.json, beside which losses are seen.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/case.h"

namespace dlperf::cluster {

struct LinkPoint {
    std::int64_t bytes = 0;
    double seconds = 0;  // of one all-reduce: the median
};

// What was measured among some processes.
struct LinkSeries {
    int ranks = 2;
    std::vector<LinkPoint> points{};  // by rising bytes
    std::string missing{};            // why there are none
    std::string by{};                 // where the baseline's names several: which of them
};

struct PairBaseline {
    std::string from;
    std::string to;
    LinkSeries series{};
};

struct NodeBaseline {
    std::string node;
    LinkSeries series{};                    // among its devices
    std::optional<LinkSeries> ncclTests{};  // the same by all_reduce_perf, where it is installed
};

// One way between two nodes, while each node sends to the next one: as a ring of all exchanges gradients.
struct RingLink {
    std::string from;
    std::string to;
    LinkPoint point{};
};

struct LinkBaseline {
    TimePoint measured{};
    std::string by{};  // "gloo, by way of the hosts"; joined by "; " where not all is by the same
    std::vector<std::string> nodes{};
    std::vector<PairBaseline> pairs{};  // a process on each of two nodes
    std::optional<LinkSeries> all{};    // a process on each node, more than two
    std::vector<RingLink> ring{};       // as many as nodes, of three or more
    std::vector<NodeBaseline> within{};
};

// GB/s at the largest size: the bus bandwidth of nccl-tests, 2 x (ranks - 1) / ranks x bytes / time. It does
// not depend on the number of ranks, so that pairs and all nodes stand beside each other.
[[nodiscard]] std::optional<double> bandwidthOf(const LinkSeries& series);
// GB/s of one way; beside those of a pair, which exchanges both ways at once.
[[nodiscard]] double bandwidthOf(const RingLink& link);
// Seconds at the smallest size.
[[nodiscard]] std::optional<double> latencyOf(const LinkSeries& series);
// The same in milliseconds.
[[nodiscard]] std::optional<double> latencyMsOf(const LinkSeries& series);
// Of an all-reduce of so many bytes, on the line between the sizes around it; of a larger one than was
// measured at the bandwidth of the largest.
[[nodiscard]] std::optional<double> expectedSeconds(const LinkSeries& series, double bytes);

// What exchanged its messages.
[[nodiscard]] const std::string& exchangedBy(const LinkBaseline& baseline, const LinkSeries& series);
// By NCCL; all else goes by way of the hosts.
[[nodiscard]] bool isFromGpuToGpu(const LinkBaseline& baseline, const LinkSeries& series);
// Those that were measured: pairs, all and within.
[[nodiscard]] std::vector<const LinkSeries*> measuredSeries(const LinkBaseline& baseline);

struct SlowLink {
    std::string from;
    std::string to;
    std::string sentence;   // "a and d: 3.1 GB/s, 34 % of the others' 9.1 GB/s"
    bool isShared = false;  // slow in a ring of all, not alone
};
// Pairs with less than half of the median bandwidth of the other pairs, or more than twice their latency,
// beside those from GPU to GPU or those of the hosts, as they are themselves. A slow node is seen by all its
// pairs. One pair alone is neither. Then those whose way has less than half of the pair's own bandwidth while
// all exchange: others take the same wire, port or switch.
[[nodiscard]] std::vector<SlowLink> slowLinks(const LinkBaseline& baseline);

// What `dlperf-worker --measure links` wrote, and all_reduce_perf behind it. A Work error where the first is
// nothing.
struct LinkLog {
    std::string by;
    std::vector<LinkPoint> points;
    std::vector<RingLink> ring{};  // between ranks: "0", "1"
    // By all_reduce_perf, in place as training reduces; empty where there are none, or none to believe.
    std::vector<LinkPoint> ncclTests{};
};
[[nodiscard]] Result<LinkLog> parseLinkLog(std::string_view log, const std::string& where);

// With what people look for beside it, which is not read again: bandwidth, latency, the slow links in words.
[[nodiscard]] Json toJson(const LinkBaseline& baseline);
[[nodiscard]] Result<LinkBaseline> linkBaselineFromJson(const Json& json, const std::string& where);

[[nodiscard]] Result<LinkBaseline> readLinkBaseline(const std::filesystem::path& file);
[[nodiscard]] Result<void> writeLinkBaseline(const std::filesystem::path& file, const LinkBaseline& baseline);

}  // namespace dlperf::cluster
