// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "core/model/case.h"

namespace dlperf {

// Whether a result's campaign is the one of this id, or one of several that the import of this name has:
// "<name>/<campaign>".
[[nodiscard]] inline bool isOfCampaign(const std::string& campaign, const std::string& id) {
    return campaign == id || campaign.starts_with(id + '/');
}
// The same of the result's campaign or the one that it completes.
[[nodiscard]] inline bool isOfCampaign(const RunResult& result, const std::string& id) {
    return isOfCampaign(result.campaign, id) || result.completes == id;
}

// The campaign that the result's series is called by: the first of those that complete each other.
[[nodiscard]] inline const std::string& seriesCampaign(const RunResult& result) {
    return result.completes.empty() ? result.campaign : result.completes;
}
// The same of the campaign of this id, as far as these results tell.
[[nodiscard]] inline std::string seriesCampaign(std::span<const RunResult> results, const std::string& id) {
    const auto any = std::ranges::find(results, id, &RunResult::campaign);
    return any == results.end() ? id : seriesCampaign(*any);
}

}  // namespace dlperf
