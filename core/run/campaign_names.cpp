// SPDX-License-Identifier: Apache-2.0
#include "core/run/campaign_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/model/campaign.h"
#include "core/store/notes.h"

namespace dlperf::run {
namespace {

constexpr std::size_t mostValues = 3;    // of a setting
constexpr std::size_t mostSettings = 3;  // of a name
constexpr std::size_t mostListed = 20;   // campaigns of a message

using ValueSet = std::set<std::string>;
using CampaignSettings =
    std::map<std::string, ValueSet>;  // by what goes before the values: "batch ", "image_size "

CampaignSettings settingsOf(const Campaign& campaign) {
    CampaignSettings settings;
    for (const RunState& run : campaign.runs) {
        const Configuration& configuration = run.benchmarkCase.configuration;
        settings["batch "].insert(std::to_string(configuration.batchSize));
        settings[""].insert(configuration.precision);
        settings["on "].insert(toString(run.benchmarkCase.topology));
        settings["with "].insert(fmt::format("{}", fmt::join(configuration.features, "+")));
        settings["iterations "].insert(toString(run.range));
        for (const auto& [option, value] : run.defaults) {
            const auto changed = configuration.variant.find(option);
            settings[option + " "].insert(changed == configuration.variant.end() ? value : changed->second);
        }
        for (const auto& [option, value] : configuration.variant) {
            settings[option + " "].insert(value);
        }
    }
    return settings;
}

std::string listed(const ValueSet& values) {
    std::vector<std::string> shown(values.begin(), values.end());
    std::ranges::stable_sort(shown, {}, &std::string::size);  // 32 before 128
    shown.resize(std::min(shown.size(), mostValues));
    return fmt::format("{}{}", fmt::join(shown, " "), values.size() > mostValues ? " …" : "");
}

using NamesById = std::map<std::string, std::string>;

// "20261121-081530-3fa2 (2026-11-21 08:15, night)"; the newest ones, where there are many.
std::string listedCampaigns(const NamesById& names) {
    std::vector<std::string> list = mapped(names, [](const auto& entry) {
        return entry.first == entry.second ? entry.first : fmt::format("{} ({})", entry.first, entry.second);
    });
    std::ranges::reverse(list);
    return joinSome(list, mostListed, "; ");
}

// Those begun in the same minute and alike in all else are told apart by their seconds; in the same second,
// by a number.
void tellApart(const std::vector<Campaign>& campaigns, NamesById& names) {
    std::map<std::string, int> alike;  // how many have the name
    for (const auto& [id, name] : names) {
        ++alike[name];
    }
    std::map<std::string, int> exact;  // of those with seconds, so far
    for (const Campaign& campaign : campaigns) {
        std::string& name = names.at(campaign.id);
        if (alike.at(name) == 1) {
            continue;
        }
        const std::size_t title = campaignTitle(campaign.id, campaign.plan).size();
        name = campaignTitle(campaign.id) + (campaign.plan.empty() ? "" : ", ") + campaign.plan +
               name.substr(title);
        if (const int number = ++exact[name]; number > 1) {
            name += fmt::format(" ({})", number);
        }
    }
}

// What the results with figures say of one campaign and of those that complete it.
struct MeasuredCampaign {
    std::string campaign;
    std::optional<TimePoint> last{};  // of its runs, or when they were imported
    std::set<Case> cases{};

    bool sharesCase(const MeasuredCampaign& other) const {
        return std::ranges::any_of(cases, [&](const Case& one) { return other.cases.contains(one); });
    }
};

// The newest first.
std::vector<MeasuredCampaign> measuredCampaigns(std::span<const RunResult> results) {
    std::map<std::string, MeasuredCampaign> byId;
    for (const RunResult& result : results) {
        if (result.origin == Origin::Published || result.excluded || !result.throughput) {
            continue;
        }
        const std::string& id = seriesCampaign(result);
        MeasuredCampaign& one = byId.try_emplace(id, MeasuredCampaign{id}).first->second;
        one.last = std::max(one.last, result.origin == Origin::Imported ? result.imported : result.started);
        one.cases.insert(result.benchmarkCase);
    }
    std::vector<MeasuredCampaign> campaigns;
    campaigns.reserve(byId.size());
    for (auto& entry : byId) {
        campaigns.push_back(std::move(entry.second));
    }
    std::ranges::sort(campaigns, std::greater(),
                      [](const MeasuredCampaign& one) { return std::pair(one.last, one.campaign); });
    return campaigns;
}

template <class Matches>
NamesById those(const NamesById& names, Matches matches) {
    NamesById found = names;
    std::erase_if(found, [&](const auto& entry) { return !matches(entry); });
    return found;
}

}  // namespace

NamesById campaignNames(const store::Workspace& workspace, const std::vector<Campaign>& campaigns) {
    NamesById names = campaignNames(campaigns);
    const auto notes = store::readNotes(workspace).byFile;
    for (auto& [id, name] : names) {
        const auto note = notes.find(store::noteFile(workspace, id).filename().string());
        if (note != notes.end() && !note->second.note.empty()) {
            name = note->second.note;
        }
    }
    return names;
}

void nameOthers(std::map<std::string, std::string>& names, std::span<const RunResult> results) {
    for (const RunResult& result : results) {
        names.try_emplace(result.campaign, campaignTitle(result.campaign));
    }
}

std::string campaignName(const std::map<std::string, std::string>& names, const std::string& id) {
    const auto named = names.find(id);
    return named == names.end() ? campaignTitle(id) : named->second;
}

std::string campaignBefore(const std::vector<Campaign>& campaigns, const std::string& id) {
    auto found = std::ranges::find(campaigns, id, &Campaign::id);
    if (found == campaigns.end()) {  // deleted, but not what completes it
        found = std::ranges::find(campaigns, id, &Campaign::seriesCampaign);
    }
    std::string before;
    for (const Campaign& campaign : campaigns) {
        const std::string series = campaign.seriesCampaign();
        const bool standsForIt =
            series == campaign.id || std::ranges::find(campaigns, series, &Campaign::id) == campaigns.end();
        if (found != campaigns.end() && standsForIt && campaign.plan == found->plan &&
            series < found->seriesCampaign()) {
            before = std::max(before, series);
        }
    }
    return before;
}

CampaignPair lastTwo(const std::vector<Campaign>& campaigns, std::span<const RunResult> results) {
    const std::vector<MeasuredCampaign> measured = measuredCampaigns(results);
    for (auto after = measured.begin(); after != measured.end(); ++after) {
        const std::string ofPlan = campaignBefore(campaigns, after->campaign);
        const auto isBefore = [&](const MeasuredCampaign& one) { return one.sharesCase(*after); };
        const auto isOfPlan = [&](const MeasuredCampaign& one) {
            return one.campaign == ofPlan && isBefore(one);
        };
        const auto planned = std::find_if(after + 1, measured.end(), isOfPlan);
        const auto before =
            planned != measured.end() ? planned : std::find_if(after + 1, measured.end(), isBefore);
        if (before != measured.end()) {
            return {before->campaign, after->campaign};
        }
    }
    return {};
}

std::string toComeText(const Campaign& campaign, const std::string& name) {
    const auto left = std::ranges::count_if(
        campaign.runs, [](const RunState& one) { return one.phase != RunPhase::Finished; });
    return fmt::format("{} has not ended: {} of {} runs are to come", name, left, campaign.runs.size());
}

std::vector<std::string> toComeTexts(const std::vector<Campaign>& campaigns, const NamesById& names,
                                     std::span<const RunResult> results) {
    std::set<std::string> shown;
    for (const RunResult& result : results) {
        shown.insert(result.campaign);
    }
    std::vector<std::string> texts;
    for (const Campaign& campaign : campaigns) {
        if (shown.contains(campaign.id) && !campaign.finished()) {
            texts.push_back(toComeText(campaign, names.at(campaign.id)));
        }
    }
    return texts;
}

Result<std::string> campaignMeant(const std::string& wanted, const NamesById& names,
                                  const std::vector<Campaign>& campaigns, const std::string& where) {
    if (names.contains(wanted)) {
        return wanted;
    }
    NamesById meant = those(names, [&](const auto& entry) { return entry.second == wanted; });
    if (meant.empty() && !wanted.empty()) {
        meant = those(names, [&](const auto& entry) {
            const auto own = std::ranges::find(campaigns, entry.first, &Campaign::id);
            return own != campaigns.end() && own->plan == wanted;
        });
    }
    if (meant.empty() && !wanted.empty()) {
        meant = those(names, [&](const auto& entry) { return entry.first.starts_with(wanted); });
    }
    if (meant.size() == 1) {
        return meant.begin()->first;
    }
    return meant.empty()
               ? fail(fmt::format("there is no campaign {}", refusedName(wanted)), where,
                      names.empty() ? "It has none." : "There are: " + listedCampaigns(names) + ".")
               : fail(fmt::format("{} may be any of {} campaigns", refusedName(wanted), meant.size()), where,
                      "Name one by its id: " + listedCampaigns(meant) + ".");
}

std::map<std::string, std::string> campaignNames(const std::vector<Campaign>& campaigns) {
    std::map<std::string, CampaignSettings> settings;                       // by id
    std::map<std::string, std::map<std::string, std::set<ValueSet>>> seen;  // by plan and setting
    for (const Campaign& campaign : campaigns) {
        CampaignSettings& own = settings[campaign.id] = settingsOf(campaign);
        std::erase_if(own, [](const auto& setting) { return setting.second == ValueSet{""}; });
        for (const auto& [setting, values] : own) {
            seen[campaign.plan][setting].insert(values);
        }
    }
    std::map<std::string, std::string> names;
    for (const Campaign& campaign : campaigns) {
        std::string name = campaignTitle(campaign.id, campaign.plan);
        std::size_t said = 0;
        for (const auto& [setting, values] : settings[campaign.id]) {
            if (seen[campaign.plan][setting].size() > 1 && said < mostSettings) {
                name += ", " + setting + listed(values);
                ++said;
            }
        }
        names.emplace(campaign.id, std::move(name));
    }
    tellApart(campaigns, names);
    return names;
}

}  // namespace dlperf::run
