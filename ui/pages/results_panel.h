// SPDX-License-Identifier: Apache-2.0
// The table of Compare: one topology or all, sortable, to be copied.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/report/compare_view.h"
#include "core/report/comparison.h"
#include "core/report/table.h"
#include "ui/widgets/parts.h"

class QAction;
class QComboBox;
class QMenu;
class QSortFilterProxyModel;
class QTableView;

namespace dlperf::ui {

class ResultsModel;
class Segments;
class SeriesCombo;

class ResultsPanel final : public Panel {
    Q_OBJECT

public:
    explicit ResultsPanel(QWidget* parent = nullptr);

    void setComparison(const report::Comparison& comparison, const std::set<std::string>& hidden);
    // Lights its rows and shows the first; what is selected stays so. Empty: none.
    void highlight(const QString& seriesKey);
    [[nodiscard]] QString selectedSeries() const;  // the key of the current row's; empty: there is none
    void focusTable();
    [[nodiscard]] std::vector<std::pair<std::string, Topology>> selectedCases() const;
    [[nodiscard]] std::string baseline() const;
    void setBaseline(const std::string& seriesId);
    // What is shown of the repetitions; whoever makes the comparison follows it.
    [[nodiscard]] report::Spread spread() const;
    void setSpread(report::Spread spread);
    // What the user chose, where the comparison has it.
    [[nodiscard]] std::optional<Topology> chosenTopology() const;
    [[nodiscard]] report::TableView tableView() const;
    // A topology that the comparison does not have is shown once it has.
    void setTableView(const report::TableView& view);
    // What is shown, in its order.
    [[nodiscard]] report::Table shownRows() const;

signals:
    void spreadChanged();
    void baselineChanged();
    void topologyChosen();
    void menuAsked(QMenu& menu);
    void caseActivated(const std::string& seriesId, const dlperf::Topology& topology);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHead(QHBoxLayout& head);
    void buildFoot(QHBoxLayout& foot);
    void showTopologies();
    void refresh();
    void layOut();
    [[nodiscard]] std::map<int, int> fittingWidths();
    [[nodiscard]] std::map<int, int> neededWidths(bool steady) const;
    void tighten(std::map<int, int>& widths);
    using Case = std::pair<std::string, Topology>;  // of the series of this id
    [[nodiscard]] static std::optional<Case> caseOf(const QModelIndex& index);
    void select(const std::vector<Case>& cases, const std::optional<Case>& current);
    void showMenu(const QPoint& where);
    [[nodiscard]] report::Table tableOf(const std::vector<int>& rows) const;
    [[nodiscard]] std::vector<int> visibleColumns() const;

    report::Comparison comparison_;
    std::set<std::string> hidden_;
    ResultsModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QAction* copyRows_;
    Segments* topologies_;
    std::string wantedTopology_;  // as report::TableView has it
    SeriesCombo* baseline_;
    QComboBox* spread_;
    QLabel* shown_;
    QLabel* few_;  // how many differences nobody can judge
};

}  // namespace dlperf::ui
