// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dlperf::remote {

[[nodiscard]] std::string encodeBase64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);

}  // namespace dlperf::remote
