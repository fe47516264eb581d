// SPDX-License-Identifier: Apache-2.0
// Which earlier campaign a new one makes up what is missing of: the figures of both are one series.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/model/vocabulary.h"
#include "core/run/campaign.h"

namespace dlperf::run {

struct Completion {
    std::string campaign{};  // the first one of its series; empty: the new one stands alone
    // That have figures of its cases as well, imports too: "2026… (another script)"
    std::vector<std::string> apart{};
};

// Of the campaigns that would run each case of the plan as the plan does, on the same nodes with the same
// script, packages and environment, as all of their series would: the one with most figures of these cases,
// of several the newest. One whose files are gone cannot tell how it ran; those that complete it can. None
// where the workspace has all figures of the plan.
[[nodiscard]] Result<Completion> completionOf(const store::Workspace& workspace, const CampaignInputs& inputs,
                                              const Vocabulary& vocabulary,
                                              const analysis::FormatBook& formats);

}  // namespace dlperf::run
