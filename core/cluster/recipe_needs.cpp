// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/recipe_needs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/node_script.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

using node_script::set;

constexpr std::size_t checksumDigits = 16;
constexpr std::size_t longestValue = 400;  // bytes of one value
constexpr std::size_t mostMissing = 20;    // named in one check
constexpr int mostSeconds = 900;           // of looking: imports of a cold disk and the node's setup

std::string array(const char* name, const std::vector<std::string>& values) {
    std::string text = std::string(name) + "=(";
    for (const std::string& value : values) {
        text += shellQuote(value) + " ";
    }
    return text + ")\n";
}

std::string sumOf(const RecipeNeeds& needs, const Node& node, const std::string& kind) {
    const auto found = needs.python ? needs.python->requirements.find(kind)
                                    : std::map<std::string, std::string>::const_iterator();
    return !needs.python || node.inContainer() || found == needs.python->requirements.end()
               ? ""
               : checksumOf(found->second);
}

bool readsData(const RecipeNeeds& needs) {
    if (!needs.data) {
        return false;
    }
    for (const auto& [option, value] : needs.data->unless) {
        if (needs.option(option) == value) {
            return false;
        }
    }
    return true;
}

std::string dataFolder(const RecipeNeeds& needs, const Node& node) {
    const std::string chosen = needs.data ? needs.option(needs.data->option) : "";
    return readsDataDir(needs) ? node.dataDir : chosen;
}

std::string settings(const Node& node, const RecipeNeeds& needs, Depth depth) {
    const bool inside = !node.container.empty() && !node.containerWorkDir.empty();
    const std::string data = dataFolder(needs, node);
    const bool needData = readsData(needs) && !(needs.data->optional && data.empty());
    const PythonNeeds python = needs.python.value_or(PythonNeeds{});
    const SourceNeeds source = needs.source.value_or(SourceNeeds{});
    std::string text = set("work", inside ? node.containerWorkDir : node.workDir);
    text += set("backend", needs.option("backend")) + set("need_gpus", needs.gpus ? "yes" : "");
    text += set("need_python", needs.python ? "yes" : "") + set("python_option", needs.option("python"));
    text += set("versions", python.versions) + array("imports", python.imports);
    text += set("sum_cpu", sumOf(needs, node, "cpu")) + set("sum_cuda", sumOf(needs, node, "cuda"));
    text += array("backends", needs.backends) + set("deep", depth == Depth::Imports ? "yes" : "");
    text += set("source", needs.source ? needs.option(source.option) : "");
    text += set("source_commit", source.commit) + array("source_files", source.files);
    return text + set("need_data", needData ? "yes" : "") + set("data", data);
}

Check impossible(std::string title, std::string summary, std::string explanation, std::string remedy,
                 std::string command, std::string evidence = {}) {
    Check check = failed(std::move(title), std::move(summary), std::move(explanation), std::move(remedy),
                         std::move(command), std::move(evidence));
    check.stopsRun = true;
    return check;
}

// How to install what is missing, and the command for it.
struct Installation {
    std::string words;
    std::string command;
};

// Works when it is pasted: pip of the Python that was found, or what the recipe says instead (a container).
// Into an environment beside it where that is the system's own, which lets pip install nothing.
Installation installation(const PythonNeeds& python, const RecipeEnvironment& found,
                          const std::string& recipe) {
    constexpr std::string_view pip = "pip install ";
    if (!python.remedy.empty() && !python.remedy.starts_with(pip)) {
        return {"Use what has it, or name another Python by the option \"python\"", python.remedy};
    }
    const std::string packages = python.remedy.empty() ? found.missing : python.remedy.substr(pip.size());
    const std::string beside = "~/dlperf-" + recipe;
    if (!found.base.starts_with("/usr/bin/") && !found.base.starts_with("/bin/")) {
        return {"Install it there, or name another Python by the option \"python\"",
                fmt::format("{} -m {}{}", shellQuote(found.base), pip, packages)};
    }
    return {fmt::format("Install it beside that, and name {}/bin/python by the option \"python\"", beside),
            fmt::format("{0} -m venv --system-site-packages {1} && {1}/bin/python -m {2}{3}",
                        shellQuote(found.base), beside, pip, packages)};
}

// "3.8" of ">=3.5,<3.9", for pyenv; empty where any newer one serves.
std::string newestOf(const std::string& versions) {
    for (const std::string_view bound : split(versions, ',')) {
        const std::size_t digits = std::min(bound.find("3."), bound.size());
        const auto minor = toInt(bound.substr(std::min(digits + 2, bound.size())));
        if (minor && (bound.starts_with("==") || bound.starts_with("<="))) {
            return fmt::format("3.{}", *minor);
        }
        if (minor && bound.starts_with("<")) {
            return fmt::format("3.{}", *minor - 1);
        }
    }
    return {};
}

std::string installPython(const std::string& versions) {
    const std::string newest = newestOf(versions);
    return newest.empty() ? "sudo apt-get install python3 python3-venv" : "pyenv install " + newest;
}

Check checkPython(const RecipeNeeds& needs, const RecipeEnvironment& found) {
    const PythonNeeds& python = *needs.python;
    const std::string title = "Python of " + needs.recipe;
    if (found.noPython) {
        const std::string own = needs.option("python");
        return impossible(
            title, own.empty() ? "no Python of the versions " + python.versions : own + " does not serve",
            python.versions.empty() ? "The trainer is a Python program."
                                    : "The trainer's packages exist for Python " + python.versions + ".",
            own.empty() ? "Install one of these versions" : "Correct the option \"python\"",
            own.empty() ? installPython(python.versions) : "ls -l " + shellQuote(own));
    }
    if (found.noVenv) {
        return impossible(
            title, found.base + " makes no virtual environments",
            "Preparing makes one for the trainer's packages; Debian has that in a package of its own.",
            "Install it, then prepare", "sudo apt-get install python3-venv");
    }
    if (found.toPrepare()) {
        return impossible(
            title, "is to be prepared",
            "Its packages are not there yet. They go into an environment of their own under the "
            "node's work folder.",
            "Prepare the plan: the button on Launch, or", "dlperf prepare PLAN.json");
    }
    if (!found.missing.empty()) {
        const Installation remedy = installation(python, found, needs.recipe);
        const bool pinned = !python.requirements.empty() && !needs.option("python").empty();
        return impossible(title, fmt::format("{} does not have {}", found.base, found.missing),
                          "The trainer imports it and would end at once.",
                          pinned
                              ? "Leave the option \"python\" empty and prepare the plan, or install it there"
                              : remedy.words,
                          remedy.command);
    }
    if (!found.broken.empty()) {
        const std::string module = found.broken.substr(0, found.broken.find(' '));
        return impossible(title, fmt::format("{} cannot import {}", found.python, module),
                          "The trainer imports it and would end at once.", "See why",
                          fmt::format("{} -c 'import {}'", shellQuote(found.python), module), found.broken);
    }
    if (!found.missingBackends.empty()) {
        return impossible(
            title, "its torch is built without " + join(found.missingBackends, ", "),
            "Processes exchange gradients by it; the trainer would end as they start.",
            "Install a build of torch with it, or name another Python by the option \"python\"",
            fmt::format("{} -c 'import torch; print(torch.__config__.show())'", shellQuote(found.python)));
    }
    return passed(title, found.python);
}

// `folder` is quoted.
std::string cloneCommand(const SourceNeeds& source, const std::string& folder) {
    const std::string from = "https://github.com/" + source.repository;
    if (source.commit.empty()) {
        const std::string branch = source.branch.empty() ? "" : fmt::format("--branch {} ", source.branch);
        return fmt::format("git clone {}{} {}", branch, from, folder);
    }
    return fmt::format("git clone {0} {1} && git -C {1} checkout {2}", from, folder, source.commit);
}

Check checkSource(const SourceNeeds& source, const std::string& recipe, const RecipeEnvironment& found) {
    const std::string title = "Source of " + recipe;
    const std::string url = "https://github.com/" + source.repository;
    if (!found.missingSource.empty()) {
        const std::string folder = shellQuote(found.missingSource);
        return impossible(title, found.missingSource + " is not there",
                          fmt::format("The recipe runs the trainer of {}.", source.repository),
                          "Get it on this node, or on this machine and prepare",
                          cloneCommand(source, folder));
    }
    const std::string why = fmt::format(
        "The recipe is for commit {} of {}: others may take other options, or be of "
        "another speed.",
        source.commit, source.repository);
    if (!found.gitSays.empty()) {
        const bool noGit = found.gitSays.ends_with("not found");
        return impossible(title, "git does not tell the commit of " + found.source, why,
                          noGit ? "Install git" : "See what git says",
                          noGit ? "sudo apt-get install git"
                                : fmt::format("git -C {} rev-parse HEAD", shellQuote(found.source)),
                          found.gitSays);
    }
    if (found.otherCommit == "none") {
        const std::string folder = shellQuote(found.source);
        return impossible(title, found.source + " is no checkout", why, "Move it away and get the checkout",
                          fmt::format("mv {} {} && {}", folder, shellQuote(found.source + ".before"),
                                      cloneCommand(source, folder)));
    }
    if (!found.otherCommit.empty()) {
        return impossible(title, "is at " + found.otherCommit.substr(0, 12), why, "Check that commit out",
                          fmt::format("git -C {0} fetch {1} {2} && git -C {0} checkout {2}",
                                      shellQuote(found.source), url, source.commit));
    }
    if (!found.missingFiles.empty()) {
        return impossible(title, joinSome(found.missingFiles, 3) + " is not in " + found.source,
                          "The recipe starts with it.",
                          "Name the checkout's own folder, or look what it holds",
                          "ls " + shellQuote(found.source));
    }
    return passed(title, found.source);
}

Check noData(const RecipeNeeds& needs, const std::string& folder, bool isEmpty) {
    const std::string kinds = join(needs.data->kinds, ", or ");
    return impossible("Data of " + needs.recipe,
                      folder.empty() ? "no folder is named"
                      : isEmpty      ? folder + " is empty"
                                     : folder + " is not there",
                      kinds.empty() ? "The trainer reads it." : "The trainer reads a " + kinds + ".",
                      folder.empty() ? "Name it in the node's settings (data_dir), or by the recipe's option"
                                     : "Mount or copy it, or name another one",
                      folder.empty() ? "" : "ls -ld " + shellQuote(folder));
}

}  // namespace

std::string RecipeNeeds::option(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? std::string() : found->second;
}

bool readsDataDir(const RecipeNeeds& needs) {
    return readsData(needs) && !needs.data->optional && needs.option(needs.data->option).empty();
}

std::string checksumOf(const std::string& requirements) {
    Sha256 checksum;
    checksum.add(requirements);
    return checksum.digits().substr(0, checksumDigits);
}

std::string environmentScript(const Node& node, const RecipeNeeds& needs, Depth depth) {
    std::string inner = exportLines(node.env);
    if (!node.setup.empty()) {
        inner += set("node_setup", node.setup) +
                 "trap 'echo setup_failed; exit 0' EXIT\neval \"$node_setup\" >/dev/null 2>&1 </dev/null || "
                 "exit\ntrap - EXIT\n";
    }
    inner += settings(node, needs, depth) + std::string(node_script::environment);
    return fmt::format("timeout {} bash -c {} </dev/null", mostSeconds, shellQuote(inner));
}

RecipeEnvironment parseEnvironment(std::string_view printed) {
    const auto text = [&](std::string_view word) {
        return cleanUtf8(std::string_view(dlperf::lineOf(printed, word)).substr(0, longestValue));
    };
    const auto texts = [&](std::string_view word) {
        std::vector<std::string> values = dlperf::linesOf(printed, word);
        values.resize(std::min(values.size(), mostMissing));
        for (std::string& value : values) {
            value = cleanUtf8(std::string_view(value).substr(0, longestValue));
        }
        return values;
    };
    const auto has = [&](std::string_view word) { return !dlperf::linesOf(printed, word).empty(); };
    RecipeEnvironment found;
    found.kind = text("kind");
    found.python = text("python");
    found.base = text("base");
    found.folder = text("prepare");
    found.missing = text("missing");
    found.broken = text("broken");
    found.missingBackends = texts("no_backend");
    found.source = text("source");
    found.otherCommit = text("other_commit");
    found.missingFiles = texts("no_file");
    found.missingSource = text("no_source");
    found.gitSays = text("git_says");
    found.emptyData = has("empty_data");
    if (has("no_data") || found.emptyData) {
        found.missingData = text(found.emptyData ? "empty_data" : "no_data");
    }
    found.setupFailed = has("setup_failed");
    found.noPython = has("no_python");
    found.noVenv = has("no_venv");
    found.noGpu = has("no_gpu");
    return found;
}

std::vector<Check> checkRecipe(const RecipeNeeds& needs, const RecipeEnvironment& found) {
    if (found.setupFailed) {
        return {};  // the node's own check says so
    }
    if (found.kind.empty()) {
        return {impossible("Recipe " + needs.recipe, "could not be looked at",
                           "The node did not answer in time, or has no bash.", "See whether bash is there",
                           "command -v bash timeout")};
    }
    std::vector<Check> checks;
    if (found.noGpu) {
        checks.push_back(
            impossible("GPU for " + needs.recipe, "there is none", "The trainer computes on NVIDIA GPUs.",
                       "Use a node with one, or a recipe that computes on CPUs", "nvidia-smi -L"));
    }
    if (needs.python) {
        checks.push_back(checkPython(needs, found));
    }
    if (needs.source) {
        checks.push_back(checkSource(*needs.source, needs.recipe, found));
    }
    if (needs.data && found.missingData) {
        checks.push_back(noData(needs, *found.missingData, found.emptyData));
    }
    return checks;
}

}  // namespace dlperf::cluster
