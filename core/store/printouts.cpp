// SPDX-License-Identifier: Apache-2.0
#include "core/store/printouts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace dlperf::store {
namespace {

// What one printout of one source says of one subject.
using Part = std::tuple<std::string, std::string, Subject>;
using Members = std::vector<PublishedRow*>;

// Published medians are rounded by one of two rules, which may differ in the last of two places.
constexpr double roundingTolerance = 0.011;

bool counts(const PublishedRow& row) {
    return row.result.throughput && !row.result.excluded;
}

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Figures by source, case and repetition; repetition 0 is the quoted median.
class Said {
public:
    void add(const Members& members) {
        for (const PublishedRow* row : members) {
            if (counts(*row)) {
                figures_.emplace(nameOf(*row, row->result.repetition), *row->result.throughput);
            }
        }
    }

    bool isContradictedBy(const Members& members) const {
        std::map<Name, std::vector<double>> repetitions;
        for (const PublishedRow* row : members) {
            if (!counts(*row)) {
                continue;
            }
            const auto before = figures_.find(nameOf(*row, row->result.repetition));
            if (before != figures_.end() && before->second != *row->result.throughput) {
                return true;
            }
            if (row->result.repetition > 0) {
                repetitions[nameOf(*row, 0)].push_back(*row->result.throughput);
            }
        }
        return std::any_of(repetitions.begin(), repetitions.end(), [this](const auto& entry) {
            const auto quoted = figures_.find(entry.first);
            return quoted != figures_.end() && entry.second.size() > 1 &&
                   std::abs(medianOf(entry.second) - quoted->second) > roundingTolerance;
        });
    }

private:
    using Name = std::tuple<std::string, Case, int>;
    // By the campaign as the source names it: rows that have stepped aside are never added.
    static Name nameOf(const PublishedRow& row, int repetition) {
        return {row.result.campaign, row.result.benchmarkCase, repetition};
    }
    std::map<Name, double> figures_;
};

int rankOf(const Members& members) {
    if (members.front()->printout.empty()) {
        return 0;
    }
    const bool folded =
        std::any_of(members.begin(), members.end(), [](const auto* row) { return row->folded; });
    return folded ? 1 : 2;
}

}  // namespace

void separatePrintouts(std::vector<PublishedRow>& rows) {
    std::map<Part, Members> parts;
    std::vector<Members*> order;
    for (PublishedRow& row : rows) {
        Members& members = parts[{row.result.campaign, row.printout, row.result.benchmarkCase.subject}];
        if (members.empty()) {
            order.push_back(&members);
        }
        members.push_back(&row);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Members* a, const Members* b) { return rankOf(*a) < rankOf(*b); });
    Said said;
    for (const Members* members : order) {
        if (rankOf(*members) == 0 || !said.isContradictedBy(*members)) {
            said.add(*members);
            continue;
        }
        for (PublishedRow* row : *members) {
            row->result.campaign += ", " + row->printout;
        }
    }
}

}  // namespace dlperf::store
