// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlperf::worker::cuda::dnn {

// A setting of an engine: cuDNN's number of the knob and its position.
struct Knob {
    std::int64_t type = 0;
    std::int64_t value = 0;

    auto operator<=>(const Knob&) const = default;
};

// One of cuDNN's ways to compute a graph. The numbers mean the same only for one version of cuDNN.
struct EngineChoice {
    std::int64_t engine = 0;
    std::vector<Knob> knobs;  // those not named are left as the engine has them

    // "63 27=1 28=4": the engine, then knob=value; one line.
    std::string text() const;
    // Nothing where it is not such a text.
    static std::optional<EngineChoice> parse(std::string_view text);

    auto operator<=>(const EngineChoice&) const = default;
};

}  // namespace dlperf::worker::cuda::dnn
