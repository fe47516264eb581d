// SPDX-License-Identifier: Apache-2.0
#include "core/run/work_on_nodes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/run/node_scripts.h"
#include "core/run/run_stages.h"

namespace dlperf::run {
namespace {

// Takes the line's next word.
std::string nextWord(std::string& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    std::string word = line.substr(0, end);
    line.erase(0, std::min(end + 1, line.size()));
    return word;
}

std::chrono::seconds nextSeconds(std::string& line) {
    return std::chrono::seconds(std::max(0, toInt(nextWord(line)).value_or(0)));
}

}  // namespace

MachineWork parseWork(const std::string& printed) {
    std::map<std::string, WorkOnNode> runs;
    for (std::string& line : linesOf(printed, "process")) {
        const std::string pid = nextWord(line);
        const std::chrono::seconds age = nextSeconds(line);
        const std::string run = nextWord(line);
        WorkOnNode& work = runs[run];
        if (work.pids.empty() || age > work.age) {
            work.age = age;
            work.command = trim(line);
        }
        work.pids.push_back(pid);
    }
    for (std::string& line : linesOf(printed, "lock")) {
        const std::chrono::seconds silence = nextSeconds(line);
        WorkOnNode& work = runs[nextWord(line)];
        work.silence = std::min(silence, work.silence.value_or(silence));
        const std::string name = nextWord(line);
        work.locks.push_back({name, line});
    }
    runs.erase(std::string());
    return {lineOf(printed, "machine"), mapped(runs, [](auto& entry) {
                entry.second.run = entry.first;
                return std::move(entry.second);
            })};
}

Result<MachineWork> listWork(const NodeRun& node) {
    const auto result = TRY(node.transport().run({listWorkScript(node.workDir()), {}}, {}));
    if (result.exitCode != 0) {
        return fail("its runs cannot be listed: " + firstLine(result.errors), "node " + node.name(),
                    "Check " + node.workDir() + " and its permissions.", ErrorKind::Work);
    }
    return parseWork(result.output);
}

Result<std::vector<std::string>> endWork(const NodeRun& node, const WorkOnNode& work,
                                         const Settings& settings) {
    NodeRun run = node.ofRun(work.run, {});
    auto left = TRY(stopOnNode(run, settings));
    if (left.empty()) {
        for (const auto& [name, workDir] : work.locks) {
            TRY(node.transport().run({releaseScript(workDir, work.run, name), {}}, {}));
        }
    }
    return left;
}

}  // namespace dlperf::run
