// SPDX-License-Identifier: Apache-2.0
// The runs that a plan comes to: one row for what differs in topology only, one column a topology.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/launch/past_runs.h"
#include "core/launch/prepare.h"
#include "core/model/vocabulary.h"

class QButtonGroup;
class QGridLayout;

namespace dlperf::ui {

struct MatrixTotals {
    std::size_t cases = 0;
    int nodes = 0;                             // at most, of one run
    std::optional<std::chrono::seconds> time;  // of all runs; nothing where some case was never run here
};

class RunMatrix final : public QWidget {
    Q_OBJECT

public:
    explicit RunMatrix(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // `times` tell how long cases took before; `chosen` is the run whose case is marked.
    void showRuns(const std::vector<launch::PlannedRun>& runs, const launch::ExpectedTimes& times,
                  std::size_t chosen);
    const MatrixTotals& totals() const { return totals_; }

signals:
    void caseChosen(std::size_t run);  // its first run

private:
    using Cases = std::map<Case, std::vector<std::size_t>>;  // runs by position
    void addTitles(const std::set<Topology>& topologies);
    void addRow(int line, const Configuration& configuration, const std::set<Topology>& topologies,
                const Cases& cases, const launch::ExpectedTimes& times);

    const Vocabulary& vocabulary_;
    QGridLayout* grid_;
    QButtonGroup* group_;
    MatrixTotals totals_;
};

}  // namespace dlperf::ui
