// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/before_after_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/models/before_after_model.h"
#include "ui/models/copy_table.h"
#include "ui/models/figure_order.h"
#include "ui/pages/copy_button.h"
#include "ui/pages/words_view.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int comparedRowHeight = 29;  // px at 100 %
constexpr int narrowestCase = 120;     // px: names are cut before figures are scrolled to
constexpr int leastCampaignBox = 90;   // px
constexpr int widestCell = 340;        // px
constexpr std::size_t mostDotted = 9;  // series; of more the table tells, and the tips

// As a stored view names them.
constexpr std::array<std::string_view, BeforeAfterModel::ColumnCount> caseColumns = {
    "case", "topology", "before", "after", "difference", "interval", "p", "runs", "verdict"};

ElidedCombo* makeCampaignBox(const QString& name) {
    auto* box = new ElidedCombo;
    box->setAccessibleName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    box->setMinimumWidth(scaled(leastCampaignBox));
    return box;
}

// What else differs, a line each; values may be long, and are broken anywhere.
QString environmentHtml(const report::Table& table, const Theme& theme) {
    QString html = QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"4\"><tr>");
    const std::size_t count = table.columns.size() - 1;  // without how many cases
    for (std::size_t i = 0; i < count; ++i) {
        html += QStringLiteral("<th align=\"left\" style=\"color:%1\">%2</th>")
                    .arg(theme.text2.name(), escaped(table.columns[i].title));
    }
    for (const auto& row : table.rows) {
        html += QStringLiteral("</tr><tr>");
        for (std::size_t i = 0; i < count; ++i) {
            html += QStringLiteral("<td style=\"color:%1\">%2</td>")
                        .arg((i == 0 ? theme.text2 : theme.text).name(), escaped(row[i].text));
        }
    }
    return html + QStringLiteral("</tr></table>");
}

}  // namespace

BeforeAfterPanel::BeforeAfterPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), stack_(new QStackedWidget(this)) {
    auto* content = new QWidget(stack_);
    QVBoxLayout* column = makeColumn(content, {12, 12, 12, 12}, 10);
    column->addWidget(buildChoice());
    auto* rows = new QSplitter(Qt::Vertical, content);
    rows->setObjectName(QStringLiteral("beforeAfterRows"));
    rows->setHandleWidth(10);
    rows->setChildrenCollapsible(false);
    upper_ = new QSplitter(Qt::Horizontal, rows);
    upper_->setObjectName(QStringLiteral("beforeAfterColumns"));
    upper_->setHandleWidth(10);
    upper_->setChildrenCollapsible(false);
    buildChart();
    buildEnvironment();
    upper_->setSizes({560, 440});
    buildCases(*rows);
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 1);
    rows->setSizes({330, 330});
    column->addWidget(rows, 1);
    stack_->addWidget(content);
    QPushButton* launch = makeButton(tr("Go to Launch"), QStringLiteral("launch"), "primary");
    connect(launch, &QPushButton::clicked, this, &BeforeAfterPanel::launchRequested);
    stack_->addWidget(makeEmptyPage(stack_, tr("It takes two campaigns"),
                                    tr("Run a plan, change something, and run it again."), launch));
    makeColumn(this, {}, 0)->addWidget(stack_);
}

QWidget* BeforeAfterPanel::buildChoice() {
    auto* panel = new Panel(stack_);
    QHBoxLayout* row = makeRow(nullptr, {12, 10, 12, 0}, 8);
    before_ = makeCampaignBox(tr("Before"));
    after_ = makeCampaignBox(tr("After"));
    QToolButton* swap = makeIconButton(QStringLiteral("swap"), tr("Swap before and after"));
    connect(swap, &QToolButton::clicked, this, &BeforeAfterPanel::swapSides);
    tolerance_ = new QSpinBox;
    tolerance_->setAccessibleName(tr("Tolerance"));
    tolerance_->setToolTip(tr("What a case may be slower by before it counts as slower"));
    tolerance_->setRange(0, 100);
    tolerance_->setPrefix(tr("Tolerance "));
    tolerance_->setSuffix(tr(" %"));
    tolerance_->setKeyboardTracking(false);
    connect(tolerance_, &QSpinBox::valueChanged, this, [this](int value) {
        view_.tolerance = value;
        emit chosen();
        showCompared();
    });
    row->addWidget(makeLabel(tr("Before"), "section"));
    row->addWidget(before_, 1);
    row->addWidget(swap);
    row->addWidget(makeLabel(tr("After"), "section"));
    row->addWidget(after_, 1);
    row->addSpacing(8);
    row->addWidget(tolerance_);
    for (ElidedCombo* box : {before_, after_}) {
        connect(box, &QComboBox::activated, this, &BeforeAfterPanel::choose);
    }
    panel->body()->addLayout(row);
    QHBoxLayout* words = makeRow(nullptr, {12, 8, 12, 10}, 12);
    counts_ = makeText({}, "strong");
    counts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    notes_ = makeText({}, "secondary");
    words->addWidget(counts_, 3);
    words->addWidget(notes_, 2);
    notes_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    panel->body()->addLayout(words);
    panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    return panel;
}

void BeforeAfterPanel::buildChart() {
    auto* panel = new Panel(upper_);
    QHBoxLayout* head = panel->addHeader(tr("Difference"), tr("of the medians, 95 % interval"));
    chart_ = new ChartView;
    addFullScreenButton(*head, *chart_);
    chart_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(chart_, &ChartView::customContextMenuRequested, this,
            [this](const QPoint& where) { emit menuAsked(*chart_, chart_->mapToGlobal(where)); });
    legend_ = new LegendBar;
    legend_->setMost(mostDotted);
    legend_->follow(*chart_);
    legend_->layout()->setContentsMargins(6, 5, 6, 0);
    nothing_ = makeText({});
    nothing_->setContentsMargins(14, 14, 14, 14);
    nothing_->setAlignment(Qt::AlignCenter);
    panel->body()->addWidget(legend_);
    panel->body()->addWidget(chart_, 1);
    panel->body()->addWidget(nothing_, 1);
    nothing_->hide();
}

void BeforeAfterPanel::buildEnvironment() {
    auto* panel = new Panel(upper_);
    panel->addHeader(tr("What else differs"))->addWidget(makeCopyButton([this] {
        return compared_ ? report::translated(report::environmentTable(*compared_), windowTranslation())
                         : report::Table();
    }));
    environment_ = makeWordsView(tr("What else differs"));
    environment_->document()->setDocumentMargin(8);
    panel->body()->addWidget(environment_, 1);
}

void BeforeAfterPanel::buildCases(QSplitter& rows) {
    casesPanel_ = new Panel(&rows);
    casesPanel_->addHeader(tr("Cases"))->addWidget(makeCopyButton([this] { return shownTable(); }));
    model_ = new BeforeAfterModel(this);
    sorted_ = new FigureOrder(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(BeforeAfterModel::RawRole);
    table_ = makeRowsTable(sorted_, tr("Cases"), comparedRowHeight);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setWordWrap(false);
    table_->setSortingEnabled(true);
    QHeaderView& header = *table_->horizontalHeader();
    header.setObjectName(QStringLiteral("beforeAfterCases"));
    header.setMinimumSectionSize(40);
    sort();
    connect(&header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        view_.sortedBy = caseColumns.at(static_cast<std::size_t>(column));
        view_.descending = order == Qt::DescendingOrder;
    });
    layOutColumnsBy(*table_, [this] { layOut(); });
    addCopyRows(*table_, [this](const std::vector<int>& chosen) { return tableOf(chosen); });
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    casesPanel_->body()->addWidget(table_, 1);
}

void BeforeAfterPanel::showCampaigns() {
    offerCampaigns();
    stack_->setCurrentIndex(before_->count() < 2 && session_.isLoaded() ? 1 : 0);
    read();
}

// The newest first, then what was imported, the newest first as well; what completes an earlier one is part
// of that. Of two with one name, which began in the same minute, the ids tell.
void BeforeAfterPanel::offerCampaigns() {
    auto names = session_.campaignNames();
    run::nameOthers(names, session_.own());
    for (const run::Campaign& campaign : session_.campaigns()) {
        if (const std::string first = campaign.seriesCampaign(); first != campaign.id) {
            names.erase(campaign.id);
            names.try_emplace(first, campaignTitle(first));  // it may be deleted
        }
    }
    std::map<std::string, int> alike;
    for (const auto& entry : names) {
        ++alike[entry.second];
    }
    const QSignalBlocker quietBefore(before_);
    const QSignalBlocker quietAfter(after_);
    before_->clear();
    after_->clear();
    const auto add = [&](const std::string& id) {
        const auto named = names.extract(id);
        if (named.empty()) {
            return;  // an import may be called as a campaign is
        }
        const QString key = QString::fromStdString(id);
        const QString name = QString::fromStdString(named.mapped());
        for (ElidedCombo* box : {before_, after_}) {
            box->addItem(alike[named.mapped()] > 1 ? QStringLiteral("%1 (%2)").arg(name, key) : name, key);
        }
    };
    for (const auto* campaigns : {&session_.campaigns(), &session_.imports()}) {
        std::for_each(campaigns->rbegin(), campaigns->rend(),
                      [&](const run::Campaign& campaign) { add(campaign.id); });
    }
    while (!names.empty()) {
        add(std::string(names.begin()->first));
    }
    const auto [before, after] = lastTwo();
    const auto select = [](ElidedCombo& box, const std::string& wanted, const std::string& usual) {
        const int found = wanted.empty() ? -1 : box.findData(QString::fromStdString(wanted));
        box.setCurrentIndex(found >= 0 ? found : box.findData(QString::fromStdString(usual)));
        box.setToolTip(plainTip(box.currentText()));
    };
    select(*before_, view_.before, before);
    select(*after_, view_.after, after);
}

// Where no two share a case: the first that the boxes offer.
run::CampaignPair BeforeAfterPanel::lastTwo() const {
    if (auto alike = run::lastTwo(session_.campaigns(), session_.own()); !alike.after.empty()) {
        return alike;
    }
    return {after_->itemData(1).toString().toStdString(), after_->itemData(0).toString().toStdString()};
}

void BeforeAfterPanel::choose() {
    view_.before = before_->currentData().toString().toStdString();
    view_.after = after_->currentData().toString().toStdString();
    for (ElidedCombo* box : {before_, after_}) {
        box->setToolTip(plainTip(box->currentText()));
    }
    emit chosen();
    read();
}

void BeforeAfterPanel::swapSides() {
    const int before = before_->currentIndex();
    before_->setCurrentIndex(after_->currentIndex());
    after_->setCurrentIndex(before);
    choose();
}

void BeforeAfterPanel::setView(const report::BeforeAfterView& view) {
    view_ = view;
    const QSignalBlocker quiet(tolerance_);
    tolerance_->setValue(view.tolerance);
    sort();
    showCampaigns();
}

void BeforeAfterPanel::sort() {
    const auto* const name = std::ranges::find(caseColumns, std::string_view(view_.sortedBy));
    const int column = view_.sortedBy.empty() || name == caseColumns.end()
                           ? BeforeAfterModel::DifferenceColumn
                           : static_cast<int>(name - caseColumns.begin());
    table_->sortByColumn(column, view_.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

// With what the workspace recorded of machines, which is read from its files.
void BeforeAfterPanel::read() {
    struct Side {
        std::string id;
        std::string name;
        std::vector<RunResult> results;
    };
    const auto sideIn = [this](const ElidedCombo& box) {
        const std::string id = box.currentData().toString().toStdString();
        return Side{id, box.currentText().toStdString(), session_.resultsOf(id)};
    };
    if (before_->count() < 2) {
        ++asked_;
        return;
    }
    session_.background().ask(
        this,
        [workspace = session_.workspace(), formats = session_.formats(), &vocabulary = session_.vocabulary(),
         before = sideIn(*before_), after = sideIn(*after_)] {
            const auto sideOf = [&](const Side& side) {
                return report::sideOfCampaign(workspace, side.id, side.name, side.results, formats);
            };
            return report::beforeAndAfter(sideOf(before), sideOf(after), vocabulary);
        },
        [this, asked = ++asked_](const Result<report::BeforeAfter>& compared) {
            if (asked == asked_) {
                take(compared);
            }
        });
}

void BeforeAfterPanel::take(const Result<report::BeforeAfter>& compared) {
    compared_ = compared ? std::optional(*compared) : std::nullopt;
    problem_ = compared ? std::nullopt : std::optional(compared.error());
    showCompared();
}

void BeforeAfterPanel::showCompared() {
    const report::BeforeAfter compared = compared_.value_or(report::BeforeAfter());
    counts_->setText(problem_    ? localized(describe(*problem_))
                     : compared_ ? localized(report::countsText(compared, limit()))
                                 : QString());
    notes_->setText(notes().join(QLatin1Char('\n')));
    notes_->setVisible(!notes_->text().isEmpty());
    casesPanel_->setTitle(tr("Cases"), compared_ && !compared.cases.empty()
                                           ? tr("median in %1").arg(localized(report::unitsText(compared)))
                                           : QString());
    showChart();
    showEnvironment();
    model_->setCompared(compared, limit());
    layOut();
    emit changed();
}

// Which of both campaigns is not all there yet.
QStringList BeforeAfterPanel::notes() const {
    QStringList notes;
    for (const ElidedCombo* box : {before_, after_}) {
        const auto& campaigns = session_.campaigns();
        const auto found =
            std::ranges::find(campaigns, box->currentData().toString().toStdString(), &run::Campaign::id);
        if (found != campaigns.end() && !found->finished()) {
            notes << localized(run::toComeText(*found, box->currentText().toStdString()));
        }
    }
    return notes;
}

void BeforeAfterPanel::showChart() {
    const auto spec =
        compared_ ? report::translated(report::differenceDots(*compared_, limit()), windowTranslation())
                  : report::ChartSpec();
    const bool any = !spec.series.empty();
    nothing_->setText(!compared_                        ? QString()
                      : compared_->casesOnBothSides > 0 ? tr("No case has a figure both before and after.")
                                                        : tr("No case is both before and after."));
    nothing_->setVisible(!any);
    legend_->setVisible(spec.series.size() > 1);
    chart_->setVisible(any);
    chart_->setSpec(spec);
}

void BeforeAfterPanel::showEnvironment() {
    if (!compared_) {
        environment_->clear();
        return;
    }
    const Theme& theme = currentTheme();
    const report::Table table = report::environmentTable(*compared_);
    QString html = table.rows.empty() ? QString() : environmentHtml(table, theme);
    QString below;
    for (const std::string& note : report::environmentNotes(*compared_)) {
        below +=
            paragraph(tr("%1.").arg(escaped(note)), theme.text2, below.isEmpty() && html.isEmpty() ? 4 : 10);
    }
    environment_->setHtml(compared_->casesOnBothSides == 0 ? below + html : html + below);
}

QString BeforeAfterPanel::title() const {
    return compared_ ? localized(compared_->title) : QString();
}

report::Table BeforeAfterPanel::shownTable() const {
    return tableOf(firstOf(sorted_->rowCount()));
}

report::Table BeforeAfterPanel::tableOf(const std::vector<int>& rows) const {
    return ui::shownTable(*sorted_, firstOf(BeforeAfterModel::ColumnCount), rows,
                          BeforeAfterModel::NumberRole);
}

void BeforeAfterPanel::focusTable() {
    focusRows(*table_);
}

// Every title has room for the sort arrow, so that a click moves no column. Where there is too little room
// the interval goes, which the chart has, then the runs; then names of cases are cut.
void BeforeAfterPanel::layOut() {
    auto* header = static_cast<TableHeader*>(table_->horizontalHeader());
    header->setStretchLastSection(false);
    const QAbstractItemView* view = table_;  // the table hides this function
    std::array<int, BeforeAfterModel::ColumnCount> widths{};
    int all = 0;
    for (int column = 0; column < BeforeAfterModel::ColumnCount; ++column) {
        table_->setColumnHidden(column, false);
        int& width = widths.at(static_cast<std::size_t>(column));
        width = std::min(std::max(view->sizeHintForColumn(column), header->steadyWidthFor(column)),
                         scaled(widestCell));
        all += width;
    }
    const int room = table_->viewport()->width();
    for (const int column : {BeforeAfterModel::IntervalColumn, BeforeAfterModel::RunsColumn}) {
        if (all > room) {
            table_->setColumnHidden(column, true);
            all -= widths.at(static_cast<std::size_t>(column));
        }
    }
    int& name = widths.at(BeforeAfterModel::CaseColumn);
    const int cut = std::clamp(all - room, 0, std::max(0, name - scaled(narrowestCase)));
    name -= cut;
    for (int column = 0; column < BeforeAfterModel::ColumnCount; ++column) {
        if (!table_->isColumnHidden(column)) {
            header->resizeSection(column, widths.at(static_cast<std::size_t>(column)));
        }
    }
    header->setStretchLastSection(header->length() <= room);
}

// The colours of words and verdicts are the theme's.
void BeforeAfterPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showEnvironment();
        model_->showTheme();
    }
}

}  // namespace dlperf::ui
