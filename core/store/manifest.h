// SPDX-License-Identifier: Apache-2.0
// published.json: what a bundle of published results holds, by which an import knows that nothing of it was
// changed on its way.
#pragma once

#include <map>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"

namespace dlperf::store {

inline constexpr const char* manifestName = "published.json";

struct Manifest {
    std::string program;  // that made it: "dlperf 2.0.0"
    std::string made;     // ISO 8601
    std::string title;
    bool masked = false;  // names of hosts and users were replaced
    std::map<std::string, std::string>
        files;  // name below the bundle's folder -> sha256, 64 hexadecimal digits
};

[[nodiscard]] Json toJson(const Manifest& manifest);
[[nodiscard]] Result<Manifest> manifestFromJson(const Json& json, const std::string& where);

}  // namespace dlperf::store
