// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dlperf {

// Whether a result's campaign is the one of this id, or one of several that the import of this name has:
// "<name>/<campaign>".
[[nodiscard]] inline bool isOfCampaign(const std::string& campaign, const std::string& id) {
    return campaign == id || campaign.starts_with(id + '/');
}

}  // namespace dlperf
