// SPDX-License-Identifier: Apache-2.0
// What the logs behind one cell say of themselves: findings of single runs, gathered where their figure
// stands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/case.h"
#include "core/report/finding.h"

namespace dlperf::report {

// What a finding of the analysis is for people, by its stable id ("clock-steps-back" is an odd clock); an
// unknown one is a remark.
[[nodiscard]] FindingKind kindOfLogFinding(std::string_view id);

// "what. Why it matters.", for lists of findings that stand by themselves; a remark stays as it is.
[[nodiscard]] std::string withWhy(std::string_view id, const std::string& what);

// `runs` are those of one cell, in repetition order. One for each kind of remark, however many repetitions
// have it. An excluded run says only whether its place is in doubt; one that failed for another reason need
// not say that its window was not reached.
[[nodiscard]] std::vector<CellFinding> logFindings(const std::vector<const RunResult*>& runs);

}  // namespace dlperf::report
