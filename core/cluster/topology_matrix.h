// SPDX-License-Identifier: Apache-2.0
// How the GPUs and network cards of a node reach each other: what `nvidia-smi topo -m` prints, as values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace dlperf::cluster {

// Fastest to slowest; the words are nvidia-smi's.
enum class Link {
    Self,    // X
    NvLink,  // NV#: a bonded set of # NVLinks
    Pix,     // at most one PCIe bridge
    Pxb,     // several PCIe bridges, no host bridge
    Phb,     // a PCIe host bridge (the CPU)
    Node,    // PCIe and between host bridges of one NUMA node
    Sys,     // PCIe and between NUMA nodes; SOC before driver 384
    Other,   // what a later driver may print
};

struct LinkCell {
    Link link = Link::Other;
    int nvLinks = 0;   // how many, for NvLink
    std::string text;  // as printed: "NV2", "SYS"
};

struct TopologyDevice {
    std::string name;     // "GPU0", "NIC0", "mlx5_0"
    std::string adapter;  // what the NIC legend says: "mlx5_10" for NIC0; else empty
    std::string cpuAffinity;
    std::string numaAffinity;
    [[nodiscard]] bool isGpu() const { return name.starts_with("GPU"); }
    [[nodiscard]] const std::string& title() const { return adapter.empty() ? name : adapter; }
};

struct TopologyMatrix {
    std::vector<TopologyDevice> devices;       // rows and columns
    std::vector<std::vector<LinkCell>> cells;  // devices x devices
};

// Reads what nvidia-smi printed, of drivers from 2017 to today: with tabs, or with blanks as it is pasted
// into documents; with or without NUMA columns, NIC legend and terminal escapes. An Input error says what is
// missing; more than `mostTopologyDevices` are refused.
inline constexpr std::size_t mostTopologyDevices = 256;
[[nodiscard]] Result<TopologyMatrix> parseTopologyMatrix(std::string_view printed);

// As text with aligned columns, to paste somewhere.
[[nodiscard]] std::string toText(const TopologyMatrix& matrix);

}  // namespace dlperf::cluster
