// SPDX-License-Identifier: Apache-2.0
#include "core/report/log_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"

namespace dlperf::report {
namespace {

using Id = std::pair<std::string_view, FindingKind>;

// The ids are those of core/analysis; what is not here is of folders, not of logs.
constexpr std::array ids{Id{"short-window", FindingKind::ShortWindow},
                         Id{"repeated-repetition", FindingKind::Overwritten},
                         Id{"odd-name", FindingKind::DoubtfulCase},
                         Id{"header-contradicts", FindingKind::DoubtfulCase},
                         Id{"doubtful-case", FindingKind::DoubtfulCase},
                         Id{"bad-name", FindingKind::DoubtfulCase},
                         Id{"mixed-folder", FindingKind::DoubtfulCase},
                         Id{"mixed-formats", FindingKind::DoubtfulCase},
                         Id{"mixed-speedup", FindingKind::DoubtfulCase},
                         Id{"no-header", FindingKind::DoubtfulCase},
                         Id{"no-base", FindingKind::NoBase},
                         Id{"leading-digit", FindingKind::LongIterations},
                         Id{"clock-steps-back", FindingKind::OddClock},
                         Id{"clock-steps-back-within", FindingKind::OddClock},
                         Id{"midnight", FindingKind::OddClock},
                         Id{"second-pass", FindingKind::OddClock},
                         Id{"no-time", FindingKind::OddClock},
                         Id{"drift", FindingKind::Drift},
                         Id{"data-share", FindingKind::DataShare},
                         Id{"several-ranks", FindingKind::SeveralRanks},
                         Id{"torn-line", FindingKind::OddLines},
                         Id{"odd-line", FindingKind::OddLines},
                         Id{"unreadable-line", FindingKind::OddLines},
                         Id{"line-cut", FindingKind::OddLines},
                         Id{"test-line", FindingKind::OddLines},
                         Id{"too-many-lines", FindingKind::OddLines},
                         Id{"odd-window", FindingKind::OddLines}};

bool isSaid(const RunResult& run, const RunFinding& finding) {
    const FindingKind kind = kindOfLogFinding(finding.kind);
    if (run.excluded) {
        return kind == FindingKind::Overwritten || kind == FindingKind::DoubtfulCase;
    }
    return kind != FindingKind::ShortWindow || run.outcome == Outcome::Ok || run.outcome == Outcome::Short;
}

struct Said {
    std::string kind;
    std::string first;          // as the first run says it
    std::vector<int> others{};  // the repetitions that say it, too
};

std::string textOf(const RunResult& run, const RunFinding& finding) {
    return fmt::format("repetition {}{}{}: {}", run.repetition, finding.where.empty() ? "" : ", ",
                       finding.where, finding.what);
}

// "repetition 1: the iterations of …; repetitions 2, 3 and 2 more alike"
std::string textOf(const Said& said) {
    constexpr std::size_t mostNamed = 5;
    if (said.others.empty()) {
        return said.first;
    }
    std::vector<std::string> named;
    for (std::size_t i = 0; i < std::min(mostNamed, said.others.size()); ++i) {
        named.push_back(std::to_string(said.others[i]));
    }
    const std::size_t more = said.others.size() - named.size();
    return fmt::format("{}; repetition{} {}{} likewise", said.first, said.others.size() == 1 ? "" : "s",
                       join(named, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

FindingKind kindOfLogFinding(std::string_view id) {
    const auto* const found =
        std::find_if(ids.begin(), ids.end(), [&](const Id& one) { return one.first == id; });
    return found == ids.end() ? FindingKind::Remark : found->second;
}

std::string withWhy(std::string_view id, const std::string& what) {
    const FindingKind kind = kindOfLogFinding(id);
    if (kind == FindingKind::Remark) {
        return what;
    }
    return fmt::format("{}{} {}.", what, what.ends_with('.') ? "" : ".", whyItMatters(kind));
}

std::vector<CellFinding> logFindings(const std::vector<const RunResult*>& runs) {
    std::vector<Said> all;
    for (const RunResult* run : runs) {
        for (const RunFinding& finding : run->findings) {
            if (!isSaid(*run, finding)) {
                continue;
            }
            const auto same = std::find_if(all.begin(), all.end(),
                                           [&](const Said& said) { return said.kind == finding.kind; });
            if (same == all.end()) {
                all.push_back({finding.kind, textOf(*run, finding)});
            } else {
                same->others.push_back(run->repetition);
            }
        }
    }
    std::vector<CellFinding> findings;
    findings.reserve(all.size());
    for (const Said& said : all) {
        findings.push_back({kindOfLogFinding(said.kind), textOf(said)});
    }
    return findings;
}

}  // namespace dlperf::report
