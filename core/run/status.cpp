// SPDX-License-Identifier: Apache-2.0
#include "core/run/status.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/base/regular_file.h"
#include "core/base/text.h"
#include "core/run/campaign.h"
#include "core/run/lock.h"

namespace dlperf::run {
namespace {

// Where its files are now: while the names are being settled, they may be in either folder.
std::filesystem::path pathOf(const RunState& run, const store::Workspace& workspace) {
    std::error_code error;
    const auto settled = workspace.root() / run.folder;
    const bool moved = !run.settling || std::filesystem::exists(settled, error);
    return run.folder.empty() ? std::filesystem::path() : moved ? settled : workspace.root() / run.workFolder;
}

// The error that a runner in a process of its own ended with: "dlperf: …", the last line of its log.
std::string lastWordsIn(const std::filesystem::path& log) {
    constexpr std::size_t most = 2'000;
    constexpr std::string_view mark = "dlperf: ";
    const auto file = openRegularFile(log, Links::Refuse);
    if (!file) {
        return {};
    }
    std::array<char, most> end{};
    const off_t size = ::lseek(file->get(), 0, SEEK_END);
    const ::ssize_t count = ::pread(file->get(), end.data(), most, std::max<off_t>(0, size - off_t{most}));
    const std::string_view lines =
        trim(std::string_view(end.data(), static_cast<std::size_t>(std::max<::ssize_t>(0, count))));
    const std::string_view last = lines.substr(lines.find_last_of('\n') + 1);  // npos + 1 is the beginning
    return last.starts_with(mark) ? std::string(last.substr(mark.size())) : std::string();
}

}  // namespace

struct StatusReader::Known {
    std::optional<store::FileStamp> campaignStamp;
    std::optional<store::FileStamp> journalStamp;
    Campaign planned;
    Campaign campaign;        // where it stands
    bool settled = false;     // nothing in it depends on more than these two files
    bool hasJournal = false;  // it was seen to know all folders of its runs

    // Reads the folders of its runs, which are many: again only where the journal changed or lacks something.
    std::optional<Error> lostJournal(const store::Workspace& workspace) {
        if (hasJournal) {
            return std::nullopt;
        }
        const auto checked = checkFolders(workspace, campaign);
        hasJournal = checked.has_value();
        return checked ? std::nullopt : std::optional(checked.error());
    }
};

Result<std::shared_ptr<StatusReader::Known>> StatusReader::look(const std::string& id) {
    const auto journal = journalFile(workspace_, id);
    // Stamps before contents: what is written in between is read again at the next look.
    const auto campaignStamp = store::stampOf(campaignFolder(workspace_, id) / "campaign.json");
    const auto journalStamp = store::stampOf(journal);
    const auto before = known_.find(id);
    auto known = before == known_.end() ? std::make_shared<Known>() : before->second;
    const bool same = campaignStamp && known->campaignStamp == campaignStamp;
    if (same && known->settled && known->journalStamp == journalStamp) {
        return known;
    }
    if (!same) {
        known->planned = TRY(readCampaign(workspace_, id));
        known->campaignStamp = campaignStamp;
    }
    if (journalStamp && ::access(journal.c_str(), R_OK) != 0) {
        return fail(std::string("cannot be read: ") + std::strerror(errno), journal.string(),
                    "Check its permissions.", ErrorKind::Work);
    }
    known->campaign = known->planned;
    TRY(replayJournal(workspace_, known->campaign));
    known->journalStamp = journalStamp;
    known->hasJournal = false;
    known->settled = true;
    std::erase_if(known->campaign.runs, &RunState::deleted);
    for (RunState& run : known->campaign.runs) {
        run.path = pathOf(run, workspace_);
        known->settled = known->settled && !run.settling;
    }
    return known;
}

// Those that the user changed; while their file cannot be read, runs have the ranges that they were run
// with.
void StatusReader::applyRanges(WorkspaceStatus& status) {
    const auto stamp = store::stampOf(workspace_.ranges());
    if (stamp != rangesStamp_) {
        rangesStamp_ = stamp;
        auto ranges = store::readRanges(workspace_);
        ranges_ = ranges ? *std::move(ranges) : store::ChangedRanges();
    }
    if (ranges_.empty()) {
        return;
    }
    for (Campaign& campaign : status.campaigns) {
        for (RunState& run : campaign.runs) {
            if (run.phase == RunPhase::Finished) {
                store::applyRange(ranges_, run);
            }
        }
    }
}

WorkspaceStatus StatusReader::read() {
    const auto owner = holderOf(workspace_);
    WorkspaceStatus status;
    Campaigns present;
    for (const std::string& id : campaignIds(workspace_)) {
        const auto known = look(id);
        if (!known) {
            status.problems.push_back(known.error());
            continue;
        }
        present[id] = *known;
        status.campaigns.push_back((*known)->campaign);
        Campaign& campaign = status.campaigns.back();
        campaign.runnerAlive = owner && owner->campaign == id;
        if (campaign.runnerAlive && isElsewhere(*owner)) {
            campaign.runnerHost = owner->host;
        }
        if (!campaign.runnerAlive && !campaign.finished()) {
            campaign.lastWords = lastWordsIn(campaignFolder(workspace_, id) / "runner.log");
            campaign.lostJournal = (*known)->lostJournal(workspace_);
        }
        for (RunState& run : campaign.runs) {
            if (!campaign.runnerAlive) {  // nobody has looked since
                run.alerts.clear();
            }
        }
    }
    known_ = std::move(present);
    applyRanges(status);
    return status;
}

WorkspaceStatus readStatus(const store::Workspace& workspace) {
    return StatusReader(workspace).read();
}

}  // namespace dlperf::run
