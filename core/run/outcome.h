// SPDX-License-Identifier: Apache-2.0
// How a run ended, decided from what is known at its end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/run_figure.h"
#include "core/base/json.h"
#include "core/diagnosis/diagnose.h"
#include "core/model/case.h"
#include "core/run/events.h"
#include "core/run/node_run.h"

namespace dlperf::run {

// What one node left behind.
struct NodeEnd {
    std::string node;
    bool ranScript = true;
    std::optional<Collected> remote;  // nothing: the node was not reached any more
    std::uint64_t localBytes = 0;
    std::string localSha256;
    std::vector<std::string> processesLeft;     // even after SIGKILL
    std::vector<std::string> gpuProcessesLeft;  // that were not there before; anybody's
    std::string stopTrouble;                    // why it is not known what is left; empty if it is
    std::string facts;                          // what the trainer met, "key=value" lines
    Json versions;                              // what it is made of, if it was asked; see versions.h
    std::string trouble;                        // what did not work at the end

    // Of its log.
    std::string lastLine;
    std::vector<diagnosis::Hint> hints;

    bool complete = true;  // telemetry, facts and versions are here as well

    bool nothingLeft() const { return processesLeft.empty() && stopTrouble.empty(); }
    // All that the run left on the node is here, the log byte for byte: it may be removed there.
    bool allIsHere() const;
};

[[nodiscard]] Verdict judge(const StopDecision& stop, const std::vector<NodeEnd>& nodes, bool rangeReached,
                            const analysis::RunFigure& figure);

// What the logs of a run that ended say went wrong, on all its nodes. Of exit codes only that of the node
// whose trainer failed first counts: we stopped the others. Without rules nothing is found.
[[nodiscard]] std::vector<diagnosis::Hint> diagnoseRun(const diagnosis::Rules& rules,
                                                       const StopDecision& stop,
                                                       const std::vector<NodeEnd>& nodes,
                                                       const Verdict& verdict);

// "node a: GPU process 12 was not there before the run …"; empty if there is none. A warning only: another
// user may have started it meanwhile.
[[nodiscard]] std::string gpuWarning(const NodeEnd& node);

// "a CPU quota allows the time of 2.50 of 16 cores", by the facts of the nodes; once for all that say the
// same. None of a node that its quota does not hold back.
[[nodiscard]] std::vector<RunFinding> quotaFindings(const std::vector<NodeEnd>& nodes);

// "exit code 3", "SIGKILL (exit code 137)"
[[nodiscard]] std::string describeExit(int code);

}  // namespace dlperf::run
