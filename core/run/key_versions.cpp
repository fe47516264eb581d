// SPDX-License-Identifier: Apache-2.0
#include "core/run/key_versions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::run {
namespace {

constexpr std::size_t longestVersion = 120;  // bytes of one version
constexpr std::size_t hashDigits = 12;       // of a commit or an image: enough to find it again
constexpr std::size_t nodesNamed = 4;        // of those with the same version
constexpr std::size_t checkoutsAtMost = 8;

struct PackageOf {
    const char* framework;  // a vocabulary id; empty: of all
    const char* name;       // also of its builds: "tensorflow" is "tensorflow-gpu" too
};
constexpr PackageOf packagesOf[] = {
    {"pytorch", "torch"}, {"pytorch", "torchvision"}, {"pytorch", "apex"},    {"tensorflow", "tensorflow"},
    {"mxnet", "mxnet"},   {"paddle", "paddlepaddle"}, {"oneflow", "oneflow"}, {"mindspore", "mindspore"},
    {"jax", "jax"},       {"jax", "jaxlib"},          {"", "horovod"},        {"", "nvidia-cuda-runtime"},
    {"", "nvidia-cudnn"}, {"", "nvidia-dali"},        {"", "nvidia-nccl"}};
constexpr const char* builds[] = {"", "-gpu", "-cpu", "-ascend", "-cu"};

bool isBuildOf(const std::string& package, const std::string& name) {
    return std::any_of(std::begin(builds), std::end(builds), [&](const std::string& build) {
        const std::string whole = name + build;
        return build == "-cu" ? package.starts_with(whole) : package == whole;
    });
}

using Texts = std::map<std::string, std::string>;

void put(Texts& texts, const std::string& what, const std::string& version) {
    if (!version.empty()) {
        texts[what] = cleanUtf8(version.substr(0, longestVersion));
    }
}

// "2.18.3" of "/usr/lib/x86_64-linux-gnu/libnccl.so.2.18.3"
std::string versionOfLibrary(const std::string& path) {
    const std::size_t at = path.rfind(".so.");
    return at == std::string::npos ? path : path.substr(at + 4);
}

std::string shortHash(const std::string& hash) {
    const std::size_t at = hash.rfind("sha256:");
    return hash.substr(at == std::string::npos ? 0 : at + 7, hashDigits);
}

// The libraries of NVIDIA say nothing of a figure where no GPU computed.
bool hasGpus(const Json& ofNode) {
    return !textOf(ofNode, "driver").empty();
}

void addPackages(Texts& texts, const Json& ofNode, const std::string& framework,
                 const std::vector<std::string>& packages) {
    for (const Json& item : ofNode.value("packages", Json::array())) {
        const std::string line = item.is_string() ? item.get<std::string>() : std::string();
        const std::string name = lower(line.substr(0, line.find_first_of("= ")));
        const bool known =
            std::any_of(std::begin(packagesOf), std::end(packagesOf), [&](const PackageOf& package) {
                const std::string of = package.framework;
                const bool serves = hasGpus(ofNode) || !std::string_view(package.name).starts_with("nvidia-");
                return serves && (of.empty() || of == framework) && isBuildOf(name, package.name);
            });
        if (known || std::ranges::find(packages, name) != packages.end()) {
            const std::size_t at = line.find("==");
            put(texts, name,
                line.substr(at == std::string::npos ? std::min(line.size(), name.size() + 1) : at + 2));
        }
    }
}

// "checkout source_dir" -> "0123456789ab, changed (89abcdef0123)"
void addCheckouts(Texts& texts, const Json& ofNode) {
    std::size_t count = 0;
    for (const Json& checkout : ofNode.value("repositories", Json::array())) {
        std::string option = lower(textOf(checkout, "option"));
        if (constexpr std::string_view prefix = "dlperf_opt_"; option.starts_with(prefix)) {
            option.erase(0, prefix.size());
        }
        std::string state = shortHash(textOf(checkout, "commit"));
        if (checkout.is_object() && checkout.value("dirty", Json()) == Json(true)) {
            const std::string changes = shortHash(textOf(checkout, "changes"));
            state += changes.empty() ? ", changed" : fmt::format(", changed ({})", changes);
        }
        if (++count <= checkoutsAtMost) {
            put(texts, "checkout " + option, state);
        }
    }
}

void addImage(Texts& texts, const Json& ofNode) {
    const Json image = ofNode.value("image", Json());
    const Json digests = image.is_object() ? image.value("digests", Json::array()) : Json::array();
    const bool named = digests.is_array() && !digests.empty() && digests.front().is_string();
    const std::string hash = shortHash(named ? digests.front().get<std::string>() : textOf(image, "id"));
    put(texts, "image", textOf(image, "name") + (hash.empty() ? "" : " " + hash));
}

Texts keyTexts(const Json& ofNode, const std::string& framework, bool isPython,
               const std::vector<std::string>& packages) {
    Texts texts;
    for (const char* what : {"kernel", "libc", "driver", "mpi"}) {
        put(texts, what, textOf(ofNode, what));
    }
    if (hasGpus(ofNode)) {
        put(texts, "cuda", textOf(ofNode, "cuda"));
        put(texts, "nccl", versionOfLibrary(textOf(ofNode, "nccl")));
    }
    if (isPython) {
        put(texts, "python", textOf(ofNode, "python"));
        addPackages(texts, ofNode, framework, packages);
    }
    addImage(texts, ofNode);
    addCheckouts(texts, ofNode);
    return texts;
}

}  // namespace

Texts keyVersions(const NodeVersions& versions, const std::string& framework, bool isPython,
                  const std::vector<std::string>& packages) {
    std::map<std::string, std::map<std::string, std::vector<std::string>>> nodesOf;  // what, version
    for (const auto& [node, ofNode] : versions) {
        for (const auto& [what, version] : keyTexts(ofNode, framework, isPython, packages)) {
            nodesOf[what][version].push_back(node);
        }
    }
    Texts texts;
    for (const auto& [what, byVersion] : nodesOf) {
        if (byVersion.size() == 1) {
            texts[what] = byVersion.begin()->first;
            continue;
        }
        const auto text = [](const auto& entry) {
            return fmt::format("{} ({})", entry.first, joinSome(entry.second, nodesNamed));
        };
        texts[what] = join(mapped(byVersion, text), ", ");
    }
    return texts;
}

}  // namespace dlperf::run
