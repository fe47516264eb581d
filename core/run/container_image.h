// SPDX-License-Identifier: Apache-2.0
// The image that a node's container was made from. Inside a container nobody knows it, so its runtime is
// asked, on the machine that holds it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/cluster/cluster.h"

namespace dlperf::run {

// The script that asks, for a node that names its image or whose prefix is docker's or podman's exec, also
// behind sudo; nothing for others, whose containers have no name that could be asked for. Words reach the
// shell quoted.
[[nodiscard]] std::optional<std::string> imageScript(const cluster::Node& node);

// {"name": "pytorch:23.10", "id": "sha256:…", "digests": ["pytorch@sha256:…"]} from what it printed; null
// where the runtime did not say. An image that was built there has no digests.
[[nodiscard]] Json imageFrom(std::string_view printed);

}  // namespace dlperf::run
