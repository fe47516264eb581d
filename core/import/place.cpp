// SPDX-License-Identifier: Apache-2.0
#include "core/import/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/analysis/log_name.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/model/campaign.h"
#include "core/store/names.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;

// Whether a log is in the workspace already, whatever its name: by its text.
class KnownLogs {
public:
    // All *.log below the folder (W/logs), but for those inside the folders of runs, which lie beside them
    // too.
    explicit KnownLogs(const std::filesystem::path& logs) {
        std::error_code error;
        fs::recursive_directory_iterator entry(logs, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            std::error_code ignored;
            const fs::file_type type = entry->symlink_status(ignored).type();
            if (type == fs::file_type::directory && fs::exists(entry->path() / "run.json", ignored)) {
                entry.disable_recursion_pending();
            } else if (type == fs::file_type::regular && entry->path().extension() == ".log") {
                const std::string name =
                    cleanUtf8(("logs" / entry->path().lexically_relative(logs)).string());
                bySize_[entry->file_size(ignored)].unread.push_back({entry->path(), name});
            }
        }
    }

    // The name of a known log with the same text; empty if there is none, and then this one is known as
    // `name` from now on. Without its `text` the log is read only if it may be known. A Work error when
    // `stop` asks.
    [[nodiscard]] Result<std::string> findOrAdd(const std::filesystem::path& file, std::uint64_t bytes,
                                                std::optional<LogText>& text, const std::string& name,
                                                const std::stop_token& stop) {
        if (!text && !hasAlike(bytes)) {
            bySize_[bytes].unread.push_back({file, name});
            return std::string();
        }
        if (!text) {
            auto read = textOf(file, stop);
            if (!read) {
                // It cannot be read: copying will say so.
                return read.error().kind == ErrorKind::Work ? Result<std::string>(Failure(read.error()))
                                                            : std::string();
            }
            text = *std::move(read);
        }
        for (const std::uint64_t size : sizesOf(*text, bytes)) {
            const auto logs = bySize_.find(size);
            if (logs == bySize_.end()) {
                continue;
            }
            TRY(readAll(logs->second, stop));
            const auto known = logs->second.names.find(text->checksum);
            if (known != logs->second.names.end()) {
                return known->second;
            }
        }
        bySize_[bytes].names.emplace(text->checksum, name);
        return std::string();
    }

private:
    struct Log {
        std::filesystem::path file;
        std::string name;
    };
    // Checksums are made when a log that may have the same text is asked for.
    struct OfOneSize {
        std::vector<Log> unread;
        std::unordered_map<std::string, std::string> names;  // by checksum of their texts
    };

    // In bytes, of a file of that text: as it is here, and with line ends that are all of one kind.
    static std::set<std::uint64_t> sizesOf(const LogText& text, std::uint64_t bytes) {
        constexpr std::uint64_t mark = 3;  // of the byte order
        const std::uint64_t wide = text.bytes + text.lineEnds;
        return {bytes, text.bytes, text.bytes + mark, wide, wide + mark};
    }

    // Whether a known log may be this large one with other line ends; lines have eight characters or more.
    [[nodiscard]] bool hasAlike(std::uint64_t bytes) const {
        const std::uint64_t ends = bytes / 8 + 3;
        const auto alike = bySize_.lower_bound(bytes - std::min(bytes, ends));
        return alike != bySize_.end() && alike->first <= bytes + ends;
    }

    // One that cannot be read is like no other.
    static Result<void> readAll(OfOneSize& logs, const std::stop_token& stop) {
        for (const Log& log : logs.unread) {
            const auto text = textOf(log.file, stop);
            if (text) {
                logs.names.emplace(text->checksum, log.name);
            } else if (text.error().kind == ErrorKind::Work) {
                return Failure(text.error());
            }
        }
        logs.unread.clear();
        return {};
    }

    std::map<std::uint64_t, OfOneSize> bySize_;
};

// What comes from elsewhere than the format says stays apart from what does not.
fs::path seriesFolder(const Proposal& proposal, const Vocabulary& vocabulary) {
    Configuration configuration = proposal.configuration;
    configuration.recipe = analysis::name(*proposal.format);
    const std::string& own = analysis::implementation(*proposal.format);
    if (configuration.implementation != own) {
        configuration.features.push_back(lower(configuration.implementation));
    }
    const Word* word = vocabulary.find(WordKind::Implementation, configuration.implementation);
    if (word != nullptr && configuration.framework != word->framework) {
        configuration.features.push_back(lower(configuration.framework));
    }
    return store::seriesFolderName(configuration);
}

// Places are given again after corrections.
void noteOnce(Proposal& proposal, const std::string& note) {
    if (std::find(proposal.notes.begin(), proposal.notes.end(), note) == proposal.notes.end()) {
        proposal.notes.push_back(note);
    }
}

class Places {
public:
    Places(const store::Workspace& workspace, const std::string& name, const Vocabulary& vocabulary)
        : logs_(workspace.logs()), import_(importFolder(name)), vocabulary_(vocabulary) {
        std::error_code ignored;
        isThere_ = fs::exists(logs_ / import_, ignored);
    }

    // False when the log's own place is taken, or it has none: later() finds one when all others have theirs.
    bool claim(Proposal& proposal) {
        const fs::path folder = folderOf(proposal);
        const std::string stem = ownStem(proposal);
        if (stem.empty() || isTaken(folder / stem)) {
            return false;
        }
        take(proposal, folder / stem);
        return true;
    }

    void later(Proposal& proposal) {
        const fs::path folder = folderOf(proposal);
        const bool flat = !measuresThroughput(*proposal.format);
        const std::string own = ownStem(proposal);
        int number = flat ? 2 : 1;
        const auto stem = [&] {
            return flat ? fmt::format("{}_{}", own, number) : store::runName(proposal.configuration, number);
        };
        while (isTaken(folder / stem()) || (!flat && usedRepetitions(folder, proposal).contains(number))) {
            ++number;
        }
        // A latency's log is a row of its own, whatever its name.
        if (!own.empty() && !flat) {
            noteOnce(proposal, fmt::format("another log is named {}: it is saved as {}", own, stem()));
        }
        proposal.repetition = flat ? proposal.repetition.value_or(number) : number;
        take(proposal, folder / stem());
    }

private:
    fs::path folderOf(const Proposal& proposal) const {
        fs::path folder = fs::path(import_) / proposal.campaign / seriesFolder(proposal, vocabulary_);
        if (measuresThroughput(*proposal.format)) {
            folder /= store::batchFolderName(proposal.configuration);
            folder /= toString(*proposal.topology);
        }
        return folder;
    }

    // The log's name without its ending, if it says the case as it is; else what DLPerf would call it.
    std::string ownStem(const Proposal& proposal) const {
        std::string stem = fs::path(proposal.log.parts.back()).stem().string();
        std::string safe = store::pathComponent(store::encodedName(stem, "_"));
        if (!measuresThroughput(*proposal.format)) {
            return safe;
        }
        const auto said = analysis::parseLogName(stem + ".log");
        const Configuration& configuration = proposal.configuration;
        if (said && safe == stem && vocabulary_.id(WordKind::Model, said->model) == configuration.model &&
            said->batchSize == configuration.batchSize && said->precision == configuration.precision &&
            said->repetition == proposal.repetition) {
            return stem;
        }
        return proposal.repetition ? store::runName(configuration, *proposal.repetition) : std::string();
    }

    bool isTaken(const fs::path& stem) const {
        std::error_code ignored;
        return taken_.contains(stem.native()) ||
               (isThere_ &&
                (fs::exists(logs_ / stem, ignored) || fs::exists(logs_ / (stem.string() + ".log"), ignored)));
    }

    void take(Proposal& proposal, const fs::path& stem) {
        taken_.insert(stem.native());
        proposal.target = stem.string() + ".log";
        if (measuresThroughput(*proposal.format)) {
            usedRepetitions(stem.parent_path(), proposal).insert(proposal.repetition.value_or(0));
        }
    }

    // By folder and model: the folder says the rest of the case.
    std::set<int>& usedRepetitions(const fs::path& folder, const Proposal& proposal) {
        return repetitions_[{folder, proposal.configuration.model}];
    }

    fs::path logs_;
    std::string import_;
    const Vocabulary& vocabulary_;
    bool isThere_ = false;                   // the folder of an import of that name
    std::unordered_set<std::string> taken_;  // without their endings
    std::map<std::pair<fs::path, std::string>, std::set<int>> repetitions_;
};

// The same case of two campaigns is two series, as it was where they ran. One campaign alone is the import.
void keepCampaignsApart(std::vector<Proposal>& proposals) {
    std::set<std::string> campaigns;
    for (const Proposal& proposal : proposals) {
        if (proposal.recorded) {
            campaigns.insert(seriesCampaign(*proposal.recorded));
        }
    }
    for (Proposal& proposal : proposals) {
        proposal.campaign =
            proposal.recorded && campaigns.size() > 1
                ? store::pathComponent(store::encodedName(seriesCampaign(*proposal.recorded), "_"))
                : std::string();
    }
}

}  // namespace

Result<void> place(std::vector<Proposal>& proposals, const store::Workspace& workspace,
                   const std::string& name, const Vocabulary& vocabulary, const std::stop_token& stop) {
    keepCampaignsApart(proposals);
    KnownLogs known(workspace.logs());
    Places places(workspace, name, vocabulary);
    std::vector<Proposal*> waiting;
    for (Proposal& proposal : proposals) {
        judge(proposal);
        if (proposal.verdict != Verdict::New) {
            continue;
        }
        const auto same =
            TRY(known.findOrAdd(proposal.log.file, proposal.bytes, proposal.text, proposal.name, stop));
        if (!same.empty()) {
            proposal.verdict = Verdict::Duplicate;
            proposal.sameAs = same;
        } else if (!places.claim(proposal)) {
            waiting.push_back(&proposal);
        }
    }
    for (Proposal* proposal : waiting) {
        places.later(*proposal);
    }
    return {};
}

std::vector<ReplacedLog> replacedLogs(const std::vector<Proposal>& proposals,
                                      const std::function<bool(std::size_t)>& counts) {
    // The order in which logs are folded: the last one counts.
    const auto isBefore = [&](std::size_t a, std::size_t b) {
        const auto order = [](const Proposal& proposal) {
            return std::make_tuple(!analysis::hasExtraFields(proposal.target.filename().string()),
                                   proposal.target);
        };
        return order(proposals[a]) < order(proposals[b]);
    };
    std::map<std::tuple<fs::path, std::string, int>, std::vector<std::size_t>> repetitions;
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        const Proposal& proposal = proposals[i];
        if (!proposal.target.empty() && measuresThroughput(*proposal.format) && counts(i)) {
            repetitions[{proposal.target.parent_path(), proposal.configuration.model,
                         proposal.repetition.value_or(0)}]
                .push_back(i);
        }
    }
    std::vector<ReplacedLog> replaced;
    for (const auto& [repetition, logs] : repetitions) {
        const std::size_t last = *std::max_element(logs.begin(), logs.end(), isBefore);
        for (const std::size_t log : logs) {
            if (log != last) {
                replaced.push_back({log, last});
            }
        }
    }
    return replaced;
}

std::string campaignOf(const std::string& name, const Proposal& proposal) {
    return proposal.campaign.empty() ? name : fmt::format("{}/{}", name, proposal.campaign);
}

std::string importFolder(const std::string& name) {
    return store::pathComponent("imported-" + name);
}

}  // namespace dlperf::imports
