// SPDX-License-Identifier: Apache-2.0
#include "core/run/trash.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/run/campaign.h"
#include "core/run/journal.h"
#include "core/run/lock.h"
#include "core/run/status.h"
#include "core/store/notes.h"
#include "core/store/results.h"
#include "core/store/run_record.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* listName = "deleted.json";
constexpr const char* whatToCheck = "Check the disk, and the permissions of the workspace.";

bool isFolder(const fs::path& path) {
    std::error_code none;
    return fs::symlink_status(path, none).type() == fs::file_type::directory;
}

// Below logs/, campaigns/ or notes/, whatever a journal, a record or a list from elsewhere says.
bool mayMove(const fs::path& path) {
    const auto parts = std::distance(path.begin(), path.end());
    const bool isPlain = std::ranges::none_of(
        path, [](const fs::path& part) { return part.empty() || part == "." || part == ".."; });
    return parts >= 2 && isPlain && !path.is_absolute() &&
           (*path.begin() == "logs" || *path.begin() == "campaigns" || *path.begin() == "notes");
}

enum class Missing { IsError, IsMade };

// The folder below the root, entered part by part: a link on the way would lead elsewhere.
Result<Descriptor> enter(const fs::path& root, const fs::path& folder, Missing missing) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    Descriptor entered(::open(root.c_str(), flags));
    fs::path path = root;
    for (const fs::path& part : folder) {
        path /= part;
        if (missing == Missing::IsMade && ::mkdirat(entered.get(), part.c_str(), 0777) != 0 &&
            errno != EEXIST) {
            return failBecause(std::strerror(errno), "the folder cannot be made", path.string(), whatToCheck,
                               ErrorKind::Work);
        }
        entered = Descriptor(::openat(entered.get(), part.c_str(), flags | O_NOFOLLOW));
        if (!entered.open()) {
            return failBecause(std::strerror(errno), "is a link, or no folder that can be entered",
                               path.string(), "Put the folder itself in its place.", ErrorKind::Work);
        }
    }
    return entered;
}

bool isThere(const Descriptor& folder, const fs::path& name) {
    struct stat facts {};
    return ::fstatat(folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

// Over nothing that is there. A file system that cannot promise that is looked at before.
int renameBetween(const Descriptor& from, const Descriptor& to, const fs::path& name) {
    if (::renameat2(from.get(), name.c_str(), to.get(), name.c_str(), RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return errno;
    }
    if (isThere(to, name)) {
        return EEXIST;
    }
    return ::renameat(from.get(), name.c_str(), to.get(), name.c_str()) == 0 ? 0 : errno;
}

// Something that was moved before, when the move of others was cut short, is where it shall be.
Result<void> moveOne(const fs::path& path, const fs::path& from, const fs::path& to) {
    const auto target = TRY(enter(to, path.parent_path(), Missing::IsMade));
    const auto source = enter(from, path.parent_path(), Missing::IsError);
    const fs::path name = path.filename();
    if ((!source || !isThere(*source, name)) && isThere(target, name)) {
        return {};
    }
    if (!source) {
        return Failure(source.error());
    }
    const int error = renameBetween(*source, target, name);
    if (error == EEXIST) {
        return fail("something else has taken its place", (to / path).string(),
                    "Move that away, or delete it, and try again.", ErrorKind::Work);
    }
    return error == 0 ? Result<void>()
                      : failBecause(std::strerror(error), "it cannot be moved", (from / path).string(),
                                    whatToCheck, ErrorKind::Work);
}

// What has been moved goes back where the rest cannot follow.
Result<void> moveAll(const std::vector<fs::path>& paths, const fs::path& from, const fs::path& to) {
    for (auto path = paths.begin(); path != paths.end(); ++path) {
        if (auto moved = moveOne(*path, from, to); !moved) {
            for (auto before = paths.begin(); before != path; ++before) {
                (void)moveOne(*before, to, from);
            }
            return moved;
        }
    }
    return {};
}

// Folders that hold nothing any more, below the first two: root/logs and root/campaigns stay.
void removeEmpty(const std::vector<fs::path>& moved, const fs::path& root, std::ptrdiff_t kept) {
    for (const fs::path& path : moved) {
        for (fs::path folder = path.parent_path(); std::distance(folder.begin(), folder.end()) > kept;
             folder = folder.parent_path()) {
            const auto parent = enter(root, folder.parent_path(), Missing::IsError);
            if (!parent || ::unlinkat(parent->get(), folder.filename().c_str(), AT_REMOVEDIR) != 0) {
                break;  // it still holds something
            }
        }
    }
}

// "20261129-181500", of several in one second "20261129-181500.2"; ours alone.
Result<std::string> makePlace(const store::Workspace& workspace, TimePoint time) {
    const auto trash = TRY(enter(workspace.root(), "trash", Missing::IsMade));
    std::string stem;
    for (const char c : toIso8601(time).substr(0, 19)) {
        if (c != '-' && c != ':') {
            stem += c == 'T' ? '-' : c;
        }
    }
    std::string name = stem;
    for (int number = 2; ::mkdirat(trash.get(), name.c_str(), 0777) != 0; ++number) {
        if (errno != EEXIST) {
            return failBecause(std::strerror(errno), "the folder cannot be made",
                               (workspace.trash() / name).string(), whatToCheck, ErrorKind::Work);
        }
        name = fmt::format("{}.{}", stem, number);
    }
    return name;
}

Json toJson(const Deletion& deletion) {
    return {{"time", toIso8601(deletion.time)},
            {"campaigns", deletion.campaigns},
            {"runs", deletion.runs},
            {"marked", deletion.marked},
            {"moved", mapped(deletion.moved, [](const fs::path& path) { return path.string(); })}};
}

Result<Deletion> readDeletion(const store::Workspace& workspace, const std::string& name) {
    const fs::path file = workspace.trash() / name / listName;
    if (!isPlainName(name) || !isFolder(workspace.trash()) || !isFolder(file.parent_path())) {
        return fail("the trash has no such deletion", file.parent_path().string(),
                    "`dlperf restore --list` lists them.");
    }
    const auto json = TRY(readJsonFile(file));
    JsonReader reader(json, file.string());
    Deletion deletion;
    deletion.name = name;
    deletion.time = parseIso8601(reader.text("time")).value_or(TimePoint());
    deletion.campaigns = reader.texts("campaigns");
    deletion.runs = reader.texts("runs");
    deletion.marked = reader.texts("marked");
    deletion.moved = mapped(reader.texts("moved"), [](const std::string& path) { return fs::path(path); });
    const auto hostile = std::ranges::find_if_not(deletion.moved, mayMove);
    if (hostile != deletion.moved.end()) {
        reader.addError("\"moved\" has a path that leads elsewhere: " + hostile->string(),
                        "Restore by hand what you know of it.");
    }
    TRY(reader.checked());
    return deletion;
}

Result<void> refuseWhileWorking(const store::Workspace& workspace, const std::set<std::string>& campaigns) {
    const auto owner = holderOf(workspace);
    if (owner && (owner->campaign.empty() || campaigns.contains(owner->campaign))) {
        return fail("a runner works on it: " + nameOf(*owner), workspace.root().string(),
                    isElsewhere(*owner) ? remedyElsewhere(workspace)
                                        : "Wait for its end or cancel its runs, and try again then.",
                    ErrorKind::Work);
    }
    return {};
}

// In the journals of campaigns of which only runs are deleted.
Result<void> markRuns(const store::Workspace& workspace, const std::vector<std::string>& ids, bool deleted) {
    std::map<std::string, std::set<std::string>> byCampaign;
    for (const std::string& id : ids) {
        byCampaign[campaignOfRun(id)].insert(parseRunId(id).run);
    }
    for (const auto& [id, runs] : byCampaign) {
        if (!isPlainName(id) || !isFolder(campaignFolder(workspace, id))) {
            return fail("the campaign of the runs is not there", id,
                        "Where it was deleted as well, restore it first.", ErrorKind::Work);
        }
        auto campaign = TRY(readCampaign(workspace, id));
        TRY(replayJournal(workspace, campaign));
        auto journal = TRY(Journal::open(journalFile(workspace, id)));
        for (std::size_t number = 0; number < campaign.runs.size(); ++number) {
            const RunState& run = campaign.runs[number];
            if (runs.contains(parseRunId(run.id).run) && run.deleted != deleted) {
                TRY(journal.write({event::DeletedChanged{deleted}, number}));
            }
        }
    }
    return {};
}

// Finds what belongs to what is unwanted.
class Collector {
public:
    Collector(const store::Workspace& workspace, Unwanted unwanted)
        : workspace_(workspace), unwanted_(std::move(unwanted)) {}

    Result<Deletion> collect() {
        // A link: the runs would stay, and their campaign would go.
        (void)TRY(enter(workspace_.root(), "logs", Missing::IsMade));
        std::set<std::string> runs;
        for (const std::string& id : unwanted_.runs) {
            runs.insert(parseRunId(id).run);
        }
        unwanted_.runs = std::move(runs);
        for (const Campaign& campaign : readStatus(workspace_).campaigns) {
            TRY(take(campaign));
        }
        const auto stored = TRY(store::readResults(workspace_));
        for (const RunResult& result : stored.results) {
            if (isUnwanted(result.campaign, result.id)) {
                cases_.insert(fs::path(result.folder).parent_path());
            }
        }
        // Their own folders first: a campaign without its runs' folders would be a damaged one.
        for (const std::string& id : unwanted_.campaigns) {
            deletion_.campaigns.push_back(id);
            if (isPlainName(id) && isFolder(campaignFolder(workspace_, id))) {  // no import
                deletion_.moved.push_back(fs::path("campaigns") / id);
            }
            addNote(id);
        }
        for (const fs::path& folder : cases_) {
            addRunsIn(folder);
        }
        for (const std::string& id : runs_) {
            addNote(id);
        }
        deletion_.runs.assign(runs_.begin(), runs_.end());
        return std::move(deletion_);
    }

private:
    [[nodiscard]] bool isUnwanted(const std::string& campaign, const std::string& run) const {
        return unwanted_.campaigns.contains(campaign) || unwanted_.runs.contains(parseRunId(run).run);
    }

    Result<void> take(const Campaign& campaign) {
        const auto isChosen = [&](const RunState& run) { return isUnwanted(campaign.id, run.id); };
        if (std::ranges::none_of(campaign.runs, isChosen)) {
            return {};
        }
        if (std::ranges::all_of(campaign.runs, isChosen)) {
            unwanted_.campaigns.insert(campaign.id);
        }
        const bool isWhole = unwanted_.campaigns.contains(campaign.id);
        for (const RunState& run : campaign.runs) {
            if (!isChosen(run)) {
                continue;
            }
            if (!isWhole) {
                TRY(checkAlone(campaign, run));
                deletion_.marked.push_back(run.id);
            }
            runs_.insert(run.id);
            for (const std::string& folder : {run.folder, run.workFolder}) {
                cases_.insert(fs::path(folder).parent_path());
                journalled_[fs::path(folder)] = run.id;
            }
        }
        return {};
    }

    // What a search or a repetition found decides what it runs next.
    static Result<void> checkAlone(const Campaign& campaign, const RunState& run) {
        if (campaign.search || campaign.until) {
            return fail("is of a campaign that decides by its runs what to run next", run.id,
                        "Delete the whole campaign, or exclude the run from the medians.");
        }
        if (run.phase != RunPhase::Finished) {
            return fail("has not ended", run.id, "Skip or cancel it first, or delete the whole campaign.");
        }
        return {};
    }

    // Also earlier attempts, which no journal names any more. A run whose facts are lost goes with the
    // journal that names its folder.
    void addRunsIn(const fs::path& folder) {
        if (!mayMove(folder / "run") || !enter(workspace_.root(), folder, Missing::IsError)) {
            return;
        }
        for (const fs::path& entry : entriesOf(workspace_.root() / folder)) {
            const fs::path path = folder / entry.filename();
            if (!isFolder(entry)) {
                continue;
            }
            const auto record = store::readRunRecord(entry);
            const auto named = journalled_.find(path);
            std::error_code none;
            if (record && isUnwanted(record->result.campaign, record->result.id)) {
                add(path, record->result.id);
            } else if (!record && named != journalled_.end() && fs::exists(entry / "journal.jsonl", none)) {
                add(path, named->second);
            }
        }
    }

    void add(const fs::path& run, const std::string& id) {
        runs_.insert(id);
        for (const char* ending : {"", ".log", ".mem"}) {
            std::error_code none;
            const fs::path path = run.string() + ending;
            if (fs::exists(fs::symlink_status(workspace_.root() / path, none))) {
                deletion_.moved.push_back(path);
            }
        }
    }

    void addNote(const std::string& id) {
        std::error_code none;
        const fs::path file = store::noteFile(workspace_, id);
        if (fs::exists(fs::symlink_status(file, none))) {
            deletion_.moved.push_back(file.lexically_relative(workspace_.root()));
        }
    }

    const store::Workspace& workspace_;
    Unwanted unwanted_;
    Deletion deletion_;
    std::set<fs::path> cases_;
    std::set<std::string> runs_;
    std::map<fs::path, std::string> journalled_;  // the run that a folder is of
};

// A window over the workspace looks whether this changed.
void announce(const store::Workspace& workspace) {
    std::error_code none;
    fs::last_write_time(workspace.logs(), fs::file_time_type::clock::now(), none);
}

// Not a link that stands in its place, and not what else somebody keeps there.
void removeIfEmpty(const fs::path& folder) {
    std::error_code kept;
    if (isFolder(folder)) {
        fs::remove(folder, kept);
    }
}

void removePlace(const store::Workspace& workspace, const Deletion& deletion) {
    const fs::path folder = workspace.trash() / deletion.name;
    std::error_code kept;
    removeEmpty(deletion.moved, folder, 0);
    const auto isHere = [&](const fs::path& path) {
        return fs::exists(fs::symlink_status(folder / path, kept));
    };
    if (std::ranges::none_of(deletion.moved, isHere)) {  // else it could not go back: the list tells of it
        fs::remove(folder / listName, kept);
    }
    removeIfEmpty(folder);
    removeIfEmpty(workspace.trash());
}

// What the user said of a run since then counts.
void dropOldNotes(const store::Workspace& workspace, const Deletion& deletion) {
    std::error_code none;
    for (const fs::path& path : deletion.moved) {
        if (*path.begin() == "notes" && fs::exists(fs::symlink_status(workspace.root() / path, none)) &&
            enter(workspace.trash(), deletion.name / path.parent_path(), Missing::IsError)) {
            fs::remove(workspace.trash() / deletion.name / path, none);
        }
    }
}

std::set<std::string> campaignsOf(const Deletion& deletion) {
    std::set<std::string> ids(deletion.campaigns.begin(), deletion.campaigns.end());
    for (const std::string& run : deletion.marked) {
        ids.insert(campaignOfRun(run));
    }
    return ids;
}

// Logs that were imported since then may have got them.
Result<void> refuseTakenIds(const store::Workspace& workspace, const Deletion& deletion) {
    const std::set<std::string> ids(deletion.runs.begin(), deletion.runs.end());
    const auto stored = TRY(store::readResults(workspace));
    for (const RunResult& result : stored.results) {
        if (ids.contains(result.id) &&
            std::ranges::find(deletion.moved, fs::path(result.folder)) == deletion.moved.end()) {
            return fail("another run has its id by now: " + result.id,
                        (workspace.root() / result.folder).string(), "Delete that one, and try again.",
                        ErrorKind::Work);
        }
    }
    return {};
}

Result<void> moveThere(const store::Workspace& workspace, const Deletion& deletion) {
    const fs::path folder = workspace.trash() / deletion.name;
    // The list first: with it, what was moved when the power failed is put back.
    TRY(writeFileAtomically(folder / listName,
                            toJson(deletion).dump(1, ' ', false, Json::error_handler_t::replace) + "\n"));
    TRY(markRuns(workspace, deletion.marked, true));
    return moveAll(deletion.moved, workspace.root(), folder);
}

std::uintmax_t sizeOf(const fs::path& folder) {
    std::uintmax_t bytes = 0;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code none;
        const bool isFile = entry->symlink_status(none).type() == fs::file_type::regular;
        const std::uintmax_t size = isFile ? entry->file_size(none) : 0;
        bytes += none ? 0 : size;
    }
    return bytes;
}

// By their folders; none where a link stands in the trash's place.
std::vector<std::string> deletionNames(const store::Workspace& workspace) {
    std::vector<std::string> names;
    for (const fs::path& entry :
         isFolder(workspace.trash()) ? entriesOf(workspace.trash()) : std::vector<fs::path>()) {
        std::error_code none;
        if (isFolder(entry) && fs::exists(entry / listName, none)) {
            names.push_back(entry.filename().string());
        }
    }
    return names;
}

}  // namespace

Result<Deletion> moveToTrash(const store::Workspace& workspace, Unwanted unwanted) {
    const FileLock guard = TRY(guardOf(workspace.lockFile()));  // no runner begins meanwhile
    auto deletion = TRY(Collector(workspace, std::move(unwanted)).collect());
    TRY(refuseWhileWorking(workspace, campaignsOf(deletion)));
    if (deletion.moved.empty() && deletion.marked.empty()) {
        return fail("nothing of it is there any more", workspace.root().string(),
                    "`dlperf status` and `dlperf compare` show what is.");
    }
    deletion.time = now();
    deletion.name = TRY(makePlace(workspace, deletion.time));
    if (auto moved = moveThere(workspace, deletion); !moved) {
        (void)markRuns(workspace, deletion.marked, false);
        removePlace(workspace, deletion);
        return Failure(moved.error());
    }
    if (!holderOf(workspace)) {  // it may be about to make a run's folder in one of them
        removeEmpty(deletion.moved, workspace.root(), 1);
    }
    announce(workspace);
    return deletion;
}

Result<Deletion> putBack(const store::Workspace& workspace, const std::string& name) {
    const FileLock guard = TRY(guardOf(workspace.lockFile()));
    auto deletion = TRY(readDeletion(workspace, name));
    TRY(refuseWhileWorking(workspace, campaignsOf(deletion)));
    TRY(refuseTakenIds(workspace, deletion));
    TRY(markRuns(workspace, deletion.marked, false));
    dropOldNotes(workspace, deletion);
    if (auto moved = moveAll(deletion.moved, workspace.trash() / name, workspace.root()); !moved) {
        (void)markRuns(workspace, deletion.marked, true);
        return Failure(moved.error());
    }
    removePlace(workspace, deletion);
    announce(workspace);
    return deletion;
}

Trash readTrash(const store::Workspace& workspace) {
    Trash trash;
    for (const std::string& name : deletionNames(workspace)) {
        trash.bytes += sizeOf(workspace.trash() / name);
        if (auto deletion = readDeletion(workspace, name)) {
            trash.deletions.push_back(std::move(*deletion));
        } else {
            trash.problems.push_back(deletion.error());
        }
    }
    std::ranges::stable_sort(trash.deletions, {}, &Deletion::time);
    return trash;
}

Result<void> emptyTrash(const store::Workspace& workspace) {
    const FileLock guard = TRY(guardOf(workspace.lockFile()));
    for (const std::string& name : deletionNames(workspace)) {
        std::error_code error;
        for (const fs::path& entry : entriesOf(workspace.trash() / name)) {
            if (entry.filename() != listName && !error) {  // it goes last: without it, nothing is ours
                fs::remove_all(entry, error);
            }
        }
        if (!error) {
            fs::remove_all(workspace.trash() / name, error);
        }
        if (error) {
            return failBecause(error.message(), "cannot be removed", (workspace.trash() / name).string(),
                               whatToCheck, ErrorKind::Work);
        }
    }
    removeIfEmpty(workspace.trash());
    return {};
}

}  // namespace dlperf::run
