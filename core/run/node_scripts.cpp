// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_scripts.h"

#include <fmt/format.h>

#include <initializer_list>

#include "core/base/node_script.h"
#include "core/base/text.h"

namespace dlperf::run {
namespace {

using node_script::set;

std::string workFolder(const std::string& workDir) {
    return set("work", workDir) + std::string(node_script::work_folder);
}

std::string places(const std::string& workDir, const std::string& runId, const std::string& node) {
    return workFolder(workDir) + set("run", runId) + set("node", node) + std::string(node_script::places);
}

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string script;
    for (const std::string_view part : parts) {
        script += part;
    }
    return script;
}

}  // namespace

std::string claimScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return joined({places(workDir, runId, node), node_script::processes, node_script::gpu_processes,
                   node_script::claim});
}

std::string refreshScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return joined({places(workDir, runId, node), node_script::refresh});
}

std::string factsText(const std::vector<std::string>& pythonPackages,
                      const std::vector<std::string>& secrets) {
    return joined({set("secrets", " " + join(secrets, " ") + " "), set("packages", join(pythonPackages, " ")),
                   node_script::cpu_quota, node_script::facts});
}

std::string watchText() {
    return joined({node_script::processes, node_script::watch});
}

std::string filesScript(const std::string& workDir, const std::string& place,
                        const std::map<std::string, std::string>& files) {
    std::string looks;
    for (const auto& [name, sha256] : files) {
        looks += fmt::format("look {} {}\n", shellQuote(name), shellQuote(sha256));
    }
    return joined({workFolder(workDir), set("place", place), node_script::files, looks});
}

std::string joinScript(const std::string& path, std::size_t parts, const std::string& sha256) {
    return joined(
        {set("path", path), set("parts", std::to_string(parts)), set("sum", sha256), node_script::join});
}

std::string tryWorkerScript(const std::string& folder, CudaUse cuda) {
    return joined({set("folder", folder), set("must", cuda == CudaUse::Must ? "yes" : ""),
                   set("cuda", cuda == CudaUse::No ? "" : "yes"), node_script::try_worker});
}

std::string startScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return joined({places(workDir, runId, node), node_script::start});
}

std::string signalScript(const std::string& folder, const std::string& runId, const std::string& signal,
                         bool spareWrapper) {
    return joined({set("folder", folder), set("run", runId), set("signal", signal),
                   set("spare", spareWrapper ? "yes" : "no"), node_script::processes, node_script::signal});
}

std::string exitCodeScript(const std::string& folder) {
    return joined({set("folder", folder), node_script::exit_code});
}

std::string collectScript(const std::string& folder) {
    return joined({set("folder", folder), node_script::gpu_processes, node_script::collect});
}

std::string releaseScript(const std::string& workDir, const std::string& runId, const std::string& node) {
    return joined({places(workDir, runId, node), node_script::release});
}

std::string removeScript(const std::string& folder) {
    return joined({set("folder", folder), node_script::remove});
}

std::string listWorkScript(const std::string& workDir) {
    return workFolder(workDir) + std::string(node_script::list_work);
}

std::string listRunsScript(const std::string& workDir, const std::string& node) {
    return joined({workFolder(workDir), set("node", node), node_script::list_runs});
}

std::string removeRunsScript(const std::string& workDir, const std::string& node) {
    return joined({workFolder(workDir), set("node", node), node_script::processes, node_script::remove_runs});
}

}  // namespace dlperf::run
