// SPDX-License-Identifier: Apache-2.0
// The part of the runner that knows which nodes were lost. A campaign over night goes on without them: the
// runs that need one wait until all others had their turn, and begin then if it is back.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "core/run/runner_work.h"

namespace dlperf::run {
namespace {

constexpr std::chrono::seconds askEvery{2};

}  // namespace

Runner::Answers Runner::askNodes() const {
    std::vector<std::pair<std::string, remote::Transport*>> nodes;
    for (const auto& [name, transport] : open_) {
        nodes.emplace_back(name, transport.get());
    }
    std::vector<char> answers(nodes.size());
    remote::onAll(nodes.size(), [&](std::size_t index) {
        const auto answer = nodes[index].second->run({":", {}}, {settings_.attemptTimeout, {}});
        answers[index] = answer || answer.error().kind != ErrorKind::Transient ? 1 : 0;
    });
    Answers byNode;
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        byNode[nodes[index].first] = answers[index] != 0;
    }
    return byNode;
}

bool Runner::anyAnswers(const Answers& answers) {
    return std::ranges::any_of(answers, [](const auto& node) { return node.second; });
}

// After a run that failed. Where no node answers it is more likely our own way there that is cut, and none is
// set aside for that.
void Runner::findLostNodes(Work& work) {
    const Answers answers = askNodes();
    work.lost.clear();
    if (!anyAnswers(answers)) {
        return;
    }
    for (const auto& [node, answered] : answers) {
        if (!answered) {
            work.lost.insert(node);
        }
    }
}

// Those that the run needs; empty once it may run.
std::vector<std::string> Runner::lostNodesOf(const Work& work, std::size_t number) {
    const RunState& run = work.campaign.runs[number];
    std::vector<std::string> lost;
    if (run.phase == RunPhase::Queued) {
        std::ranges::copy_if(run.nodes, std::back_inserter(lost),
                             [&](const std::string& node) { return work.lost.contains(node); });
    }
    return lost;
}

// A machine that is started anew takes minutes.
Result<void> Runner::runWhenNodesAreBack(Work& work, std::size_t number,
                                         std::chrono::steady_clock::time_point until) {
    RunState& run = work.campaign.runs[number];
    for (;;) {
        TRY(noteRequests(work));
        findLostNodes(work);
        const auto lost = lostNodesOf(work, number);
        if (lost.empty() || !control_.cancelledBy(run.id).empty()) {
            break;
        }
        if (std::chrono::steady_clock::now() >= until) {
            return skip(work, number,
                        fmt::format("node {} was lost before it began; `dlperf retry` runs it",
                                    join(lost, ", node ")));
        }
        run.message = fmt::format("waits for node {}, which was lost", join(lost, ", node "));
        publish(work, number);
        control_.wait(askEvery);
    }
    run.message.clear();
    return oneRun(work, number);
}

}  // namespace dlperf::run
