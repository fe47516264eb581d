// SPDX-License-Identifier: Apache-2.0
// Where nodes are, as others write it: host files of mpirun, horovodrun and deepspeed, SSH configurations,
// and "me@gpu-01.lab:2222" as people type it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/cluster.h"

namespace dlperf::cluster {

// "gpu-01", "me@gpu-01.lab:2222", "[fe80::1]:2222"; nothing is this machine.
[[nodiscard]] std::string hostText(const Node& node);

// What cannot be in a host or user, "a space"; empty: nothing. They become arguments of other programs: no
// blanks, no separators, no leading dash.
[[nodiscard]] std::string oddOfHost(std::string_view text);

// The node at this place; an error names what cannot be read.
[[nodiscard]] Result<Node> withHost(Node node, std::string_view text);

// Lines "host", "host slots=4", "host:4", "user@host slots=4"; "#" begins a comment, other words behind the
// host are passed over. Slots are devices; those of a host that stands there again are added. An Input error
// names the line that is none.
[[nodiscard]] Result<Cluster> clusterFromHostfile(std::string_view text, const std::string& where);

// A line a node, "me@node1 slots=8", in the list's order; without slots where the number of devices is not
// known. This machine is "localhost". What such a file has no place for (names, ports, keys, containers) is
// said in comments where a node has it: there the SSH configuration is to know it. clusterFromHostfile reads
// it back.
[[nodiscard]] std::string hostfileOf(const Cluster& cluster);

// Every name of a Host line that is no pattern, in the files' order, with what Include brings in. How a host
// is reached (port, user, key, jumps) stays in the configuration, which is asked when it is. An Input error
// when there is none.
[[nodiscard]] Result<Cluster> clusterFromSsh(const std::filesystem::path& config);

}  // namespace dlperf::cluster
