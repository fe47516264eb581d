// SPDX-License-Identifier: Apache-2.0
#include "core/import/ranks.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/capture.h"
#include "core/base/text.h"

namespace dlperf::imports {
namespace {

struct RankedName {
    std::string run{};           // the log's name with "#" for each number
    std::vector<int> numbers{};  // of nodes and ranks, from the outermost folder on
    bool areNodes = true;        // all of them
};

class RankReader {
public:
    // Nothing for a name that says no rank.
    [[nodiscard]] std::optional<RankedName> read(const std::vector<std::string>& parts) const {
        RankedName name;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool isOfTorchrun =
                i > 0 && i + 1 < parts.size() && lower(parts[i - 1]).starts_with("attempt_");
            const auto process = isOfTorchrun ? toInt(parts[i]) : std::nullopt;
            if (process) {
                add(name, "", *process);
            } else {
                readPart(lower(parts[i]), name);
            }
            name.run += '/';
        }
        return name.numbers.empty() ? std::nullopt : std::optional(std::move(name));
    }

private:
    static void add(RankedName& name, std::string_view before, int number) {
        name.run.append(before).append("#");
        name.numbers.push_back(number);
        const std::string_view word = before.substr(0, before.find_last_not_of("._-") + 1);
        name.areNodes = name.areNodes && word.ends_with("node");
    }

    void readPart(const std::string& part, RankedName& name) const {
        std::string_view rest = part;
        while (const auto number = analysis::groupIn(&numbered_, rest)) {
            const auto at = static_cast<std::size_t>(number->data() - rest.data());
            add(name, rest.substr(0, at), toInt(*number).value_or(0));
            rest.remove_prefix(at + number->size());
        }
        name.run += rest;
    }

    RE2 numbered_{
        "(?:^|[^a-z0-9])(?:local_?)?(?:rank|node|workerlog|worker|"
        "trainer)[._-]?([0-9]{1,6})(?:[^a-z0-9]|$)",
        analysis::byBytes()};
};

struct RankedLog {
    std::vector<int> numbers;
    bool areNodes = false;
    std::size_t proposal = 0;  // index
};

bool isFirst(const RankedLog& log) {
    return std::ranges::all_of(log.numbers, [](int number) { return number == 0; });
}

// Whether the numbers can be those of ranks or nodes of one run: "worker_8" may be a number of workers.
bool areOfOneRun(const std::vector<RankedLog>& logs, const std::vector<Proposal>& proposals) {
    const auto& topology = proposals[logs.front().proposal].topology;
    return logs.size() > 1 && std::ranges::any_of(logs, isFirst) &&
           std::ranges::all_of(logs, [&](const RankedLog& log) {
               if (proposals[log.proposal].topology != topology) {
                   return false;
               }
               const int limit = log.areNodes ? topology.value_or(Topology{}).nodes
                                              : topology.value_or(Topology{}).worldSize();
               return !topology || std::ranges::max(log.numbers) < limit;
           });
}

}  // namespace

std::optional<Attempt> attemptOf(const std::vector<std::string>& parts) {
    constexpr std::string_view folder = "attempt_";
    for (std::size_t i = 0; i + 2 < parts.size(); ++i) {  // a rank's folder is within: attempt_1/0/stdout.log
        const std::string name = lower(parts[i]);
        const auto number = name.starts_with(folder) && toInt(parts[i + 1])
                                ? toInt(name.substr(folder.size()))
                                : std::optional<int>();
        if (number) {
            std::vector<std::string> run = parts;
            run[i] = folder;
            return Attempt{join(run, "/"), *number};
        }
    }
    return std::nullopt;
}

void keepFirstRanks(std::vector<Proposal>& proposals, Remarks& remarks) {
    const RankReader reader;
    std::map<std::string, std::vector<RankedLog>> runs;
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        if (auto name = reader.read(proposals[i].log.parts); name && proposals[i].log.record.empty()) {
            runs[name->run].push_back({std::move(name->numbers), name->areNodes, i});
        }
    }
    std::set<std::size_t> others;
    for (auto& [run, logs] : runs) {
        std::ranges::sort(logs, {}, &RankedLog::numbers);
        const auto counts = std::ranges::find_if(
            logs, [&](const RankedLog& log) { return proposals[log.proposal].format != nullptr; });
        if (counts == logs.end() || !areOfOneRun(logs, proposals)) {
            continue;
        }
        for (const RankedLog& log : logs) {
            if (log.proposal != counts->proposal) {
                remarks.add(
                    "a log of another rank or node of the same run was left "
                    "out: the first one counts",
                    proposals[log.proposal].name);
                others.insert(log.proposal);
            }
        }
    }
    std::vector<Proposal> kept;
    kept.reserve(proposals.size() - others.size());
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        if (!others.contains(i)) {
            kept.push_back(std::move(proposals[i]));
        }
    }
    proposals = std::move(kept);
}

}  // namespace dlperf::imports
