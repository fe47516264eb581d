// SPDX-License-Identifier: Apache-2.0
#include "core/run/versions.h"

#include "core/base/file.h"
#include "core/base/text.h"

namespace dlperf::run {
namespace {

std::filesystem::path fileOf(const std::filesystem::path& runFolder) {
    return runFolder / "versions.json";
}

}  // namespace

Json versionsToJson(std::string_view lines) {
    Json json = Json::object();
    Json* repository = nullptr;
    for (const std::string_view line : split(lines, '\n')) {
        const std::size_t at = line.find('=');
        if (at == std::string_view::npos) {
            continue;
        }
        const std::string key(line.substr(0, at));
        const std::string value = cleanUtf8(line.substr(at + 1));
        if (key == "package") {
            json["packages"].push_back(value);
        } else if (key == "repository") {
            json["repositories"].push_back({{"option", value}});
            repository = &json["repositories"].back();
        } else if (repository != nullptr && (key == "path" || key == "commit" || key == "changes")) {
            (*repository)[key] = value;
        } else if (repository != nullptr && key == "dirty") {
            (*repository)[key] = value == "yes";
        } else if (repository != nullptr && key == "diff") {
            (*repository)[key] = textOf(*repository, "diff") + value + "\n";
        } else {
            json[key] = value;
        }
    }
    return json;
}

Result<void> writeVersions(const std::filesystem::path& runFolder, const NodeVersions& versions) {
    Json nodes = Json::array();
    for (const auto& [node, ofNode] : versions) {
        nodes.push_back({{"name", node}, {"versions", ofNode}});
    }
    return writeFileAtomically(
        fileOf(runFolder), Json{{"nodes", nodes}}.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<NodeVersions> readVersions(const std::filesystem::path& runFolder) {
    const auto json = TRY(readJsonFile(fileOf(runFolder)));
    NodeVersions versions;
    if (!json.is_object() || !json.contains("nodes") || !json.at("nodes").is_array()) {
        return versions;
    }
    for (const Json& node : json.at("nodes")) {
        const std::string name = textOf(node, "name");
        if (!name.empty() && node.contains("versions") && node.at("versions").is_object()) {
            versions[name] = node.at("versions");
        }
    }
    return versions;
}

}  // namespace dlperf::run
