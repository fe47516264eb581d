// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/loss_panel.h"

#include <fmt/format.h>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/cluster/baseline.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/legend_bar.h"
#include "ui/pages/link_map.h"
#include "ui/pages/words_view.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

constexpr auto unitKey = QLatin1String("lossUnit");  // in settings
constexpr int seriesWidth = 230;                     // px, of the box

// It has a run on one device, and one on more.
bool isExplainable(const report::ComparedSeries& series) {
    const auto has = [&](bool one) {
        return std::ranges::any_of(series.cells, [&](const report::Cell& cell) {
            return cell.fold.median.value_or(0) > 0 && (cell.topology.worldSize() == 1) == one;
        });
    };
    return has(true) && has(false) && !lowerIsBetter(series.unit);
}

BaselineStamps stampsOf(const store::Workspace& workspace) {
    return {store::stampOf(workspace.linkBaseline()), store::stampOf(workspace.computeBaseline()),
            store::stampOf(workspace.dataBaseline())};
}

// What its losses are made of, besides the baselines and the logs, which do not change once a run has a
// figure.
std::string runsOf(const report::ComparedSeries& series, const std::vector<RunResult>& results) {
    std::string runs = series.id;
    for (const RunResult& run : results) {
        if (report::holds(series, run) && run.throughput && !run.excluded) {
            runs += fmt::format("\n{} {} {}", run.id, toString(run.range), *run.throughput);
        }
    }
    return runs;
}

// Of the figures that these losses are of.
QStringList unitTexts(const std::vector<report::Loss>& losses) {
    const report::Loss any = losses.empty() ? report::Loss() : losses.front();
    return {QStringLiteral("%"), localized(any.unit)};
}

}  // namespace

report::LossUnit rememberedLossUnit() {
    const QString name = QSettings().value(unitKey).toString();
    return name == QLatin1String(report::lossUnitNames.back()) ? report::LossUnit::Throughput
                                                               : report::LossUnit::Share;
}

LossPanel::LossPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    parts_ = new QSplitter(Qt::Horizontal, this);
    parts_->setHandleWidth(10);
    parts_->setChildrenCollapsible(false);
    buildChart();
    buildWords();
    buildLinks();
    parts_->setStretchFactor(0, 3);
    parts_->setStretchFactor(1, 2);
    parts_->setSizes({600, 400});
    makeColumn(this, {12, 12, 12, 12}, 0)->addWidget(parts_);
    connect(&session_.measurement(), &Measurement::ended, this, &LossPanel::read);
}

void LossPanel::buildChart() {
    chartPanel_ = new Panel(parts_);
    QHBoxLayout* head = chartPanel_->addHeader(tr("Where it goes"));
    choice_ = new ElidedCombo;
    choice_->setProperty("size", "small");
    choice_->setFixedWidth(scaled(seriesWidth));
    choice_->setAccessibleName(tr("Series to explain"));
    connect(choice_, &QComboBox::activated, this, &LossPanel::read);
    shownUnits_ = unitTexts({});
    units_ = new Segments(tr("Unit of the losses"), shownUnits_);
    connect(units_, &Segments::changed, this, [this](int unit) {
        QSettings().setValue(unitKey,
                             QString::fromLatin1(report::lossUnitNames.at(static_cast<std::size_t>(unit))));
        emit unitChosen();
        showChart();
        showWords();
    });
    head->addWidget(units_);
    head->addWidget(choice_);
    chart_ = new ChartView;
    addFullScreenButton(*head, *chart_);
    chart_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(chart_, &ChartView::customContextMenuRequested, this,
            [this](const QPoint& where) { emit menuAsked(*chart_, chart_->mapToGlobal(where)); });
    legend_ = new LegendBar;
    legend_->follow(*chart_);
    legend_->layout()->setContentsMargins(6, 5, 6, 0);
    nothing_ = makeText({});
    nothing_->setContentsMargins(14, 14, 14, 14);
    nothing_->setAlignment(Qt::AlignCenter);
    chartPanel_->body()->addWidget(legend_);
    chartPanel_->body()->addWidget(chart_, 1);
    chartPanel_->body()->addWidget(nothing_, 1);
    nothing_->hide();
}

void LossPanel::buildWords() {
    right_ = new QSplitter(Qt::Vertical, parts_);
    right_->setHandleWidth(10);
    right_->setChildrenCollapsible(false);
    wordsPanel_ = new Panel(right_);
    QHBoxLayout* head = wordsPanel_->addHeader(tr("In words"));
    topologies_ = new Segments(tr("Topology to explain"));
    connect(topologies_, &Segments::changed, this, &LossPanel::showWords);
    head->addWidget(topologies_);
    words_ = makeWordsView(tr("The loss in words"));
    connect(words_, &QTextBrowser::anchorClicked, this, &LossPanel::tryOut);
    wordsPanel_->body()->addWidget(words_, 1);
}

void LossPanel::buildLinks() {
    linksPanel_ = new Panel(right_);
    linksPanel_->addHeader(tr("Links"));
    linksText_ = makeWordsView(tr("Links between the nodes"));
    linksPanel_->body()->addWidget(linksText_, 1);
    right_->setStretchFactor(0, 1);  // the words are more
    right_->setStretchFactor(1, 0);
    right_->setSizes({600, 220});
}

void LossPanel::show(const report::Comparison& comparison, const std::vector<const RunResult*>& results) {
    const QString before = choice_->currentData().toString();
    series_.clear();
    results_.clear();
    std::ranges::transform(results, std::back_inserter(results_), [](const RunResult* run) { return *run; });
    const QSignalBlocker quiet(choice_);
    choice_->clear();
    // One's own first: of those logs tell more.
    for (const bool own : {true, false}) {
        for (const report::ComparedSeries& series : comparison.series) {
            if ((series.key.origin != Origin::Published) == own && isExplainable(series)) {
                series_.push_back(series);
                choice_->addItem(localized(series.title), QString::fromStdString(series.id));
            }
        }
    }
    choice_->setCurrentIndex(std::max(0, choice_->findData(before)));
    choice_->setEnabled(!series_.empty());
    read();
}

const report::ComparedSeries* LossPanel::chosen() const {
    const auto index = static_cast<std::size_t>(choice_->currentIndex());
    return choice_->currentIndex() >= 0 && index < series_.size() ? &series_[index] : nullptr;
}

void LossPanel::read() {
    const report::ComparedSeries* series = chosen();
    const std::string of = series == nullptr ? std::string() : runsOf(*series, results_);
    const auto known = of == readOf_ ? std::optional(losses_) : std::nullopt;  // no log is read again
    session_.background().ask(
        this,
        [workspace = session_.workspace(), formats = session_.formats(), &vocabulary = session_.vocabulary(),
         results = results_, all = session_.results(), known, knownWith = readWith_,
         series = series == nullptr ? std::nullopt : std::optional(*series)] {
            std::error_code unknown;
            const bool measured = std::filesystem::exists(workspace.linkBaseline(), unknown);
            const BaselineStamps stamps = stampsOf(workspace);
            std::vector<report::Loss> losses;
            Result<std::vector<tuning::Tried>> tried;
            if (series) {
                losses = known && knownWith == stamps
                             ? *known
                             : report::lossesIn(workspace, report::readHardwareBaselines(workspace), formats,
                                                *series, results)
                                   .losses;
                tried = tuning::triedIn(workspace, *series, losses, *all, vocabulary, formats);
            }
            return std::tuple(
                losses, tried,
                measured ? std::optional(cluster::readLinkBaseline(workspace.linkBaseline())) : std::nullopt,
                stamps);
        },
        [this, of, asked = ++asked_](const auto& answer) {
            if (asked == asked_) {
                const auto& [losses, tried, links, stamps] = answer;
                readOf_ = of;
                readWith_ = stamps;
                links_ = links && *links ? std::optional(**links) : std::nullopt;
                linksProblem_ = links && !*links ? localized(describe(links->error())) : QString();
                tried_ = tried ? *tried : std::vector<tuning::Tried>();
                triedProblem_ = tried ? QString() : localized(describe(tried.error()));
                take(losses);
                showLinks();
            }
        });
}

void LossPanel::take(const std::vector<report::Loss>& losses) {
    losses_ = losses;
    const bool any = !losses_.empty();
    nothing_->setText(
        tr("Nothing to explain here: a series needs runs on one device (1n1g), which the ideal "
           "is made of, and on more."));
    nothing_->setVisible(!any);
    legend_->setVisible(any);
    chart_->setVisible(any);
    if (shownUnits_ != unitTexts(losses_)) {
        shownUnits_ = unitTexts(losses_);
        units_->setTexts(shownUnits_, units_->current());
    }
    showChart();
    QStringList texts;
    for (const report::Loss& loss : losses_) {
        texts << QString::fromStdString(toString(loss.topology));
    }
    const int last = static_cast<int>(texts.size()) - 1;
    const int before = topologies_->current();
    topologies_->setTexts(texts, before >= 0 && before < last ? before : std::max(0, last));
    topologies_->setVisible(texts.size() > 1);
    showWords();
}

void LossPanel::showChart() {
    const auto chart =
        report::translated(report::lossChart(losses_, unit(), windowTranslation()), windowTranslation());
    chartPanel_->setTitle(tr("Where it goes"), QString::fromStdString(chart.unit));
    chart_->setSpec(chart);
}

report::LossUnit LossPanel::unit() const {
    return static_cast<report::LossUnit>(units_->current());
}

void LossPanel::setUnit(report::LossUnit unit) {
    units_->setCurrent(static_cast<int>(unit));
    showChart();
    showWords();
}

void LossPanel::showWords() {
    const auto index = static_cast<std::size_t>(std::max(0, topologies_->current()));
    if (index >= losses_.size()) {
        wordsPanel_->setTitle(tr("In words"), {});
        words_->clear();
        return;
    }
    const report::Loss& loss = losses_[index];
    wordsPanel_->setTitle(tr("%1 in words").arg(QString::fromStdString(toString(loss.topology))), {});
    words_->setHtml(wordsOf(loss) + experimentsOf(loss));
}

QString LossPanel::wordsOf(const report::Loss& loss) const {
    const Theme& theme = currentTheme();
    QString html = paragraph(
        tr("<b>%1.</b>").arg(escaped(report::lossHeading(loss, unit(), windowTranslation()))), theme.text, 0);
    for (const report::LossPart& part : report::toldParts(loss)) {
        const QString share =
            QString::fromStdString(report::shareText(loss, part, unit(), windowTranslation()))
                .toHtmlEscaped();
        html += paragraph(tr("<b>%1.</b> %2.").arg(share, escaped(part.words)), theme.text, 14);
        if (part.range) {
            html += paragraph(escaped(report::rangeText(loss, part, unit())), theme.text2, 2);
        }
    }
    int above = 14;  // px
    for (const std::string& evidence : report::evidenceOf(loss)) {
        html += paragraph(tr("Known from %1").arg(escaped(evidence)), theme.text2, std::exchange(above, 2));
    }
    for (const std::string& remark : loss.remarks) {
        html += paragraph(tr("<b>Remark.</b> %1.").arg(escaped(remark)), theme.text, 14);
    }
    return html;
}

// Each with its answer, or why it may help, and a link by its number that opens its plan.
QString LossPanel::experimentsOf(const report::Loss& loss) const {
    const Theme& theme = currentTheme();
    QString html;
    for (std::size_t i = 0; i < tried_.size(); ++i) {
        const tuning::Tried& tried = tried_[i];
        if (tried.topology != loss.topology) {
            continue;
        }
        if (html.isEmpty()) {
            html = paragraph(tr("<b>What to try</b>"), theme.text, 22);
        }
        const QString change = QString::fromStdString(tried.experiment.change).toHtmlEscaped();
        html += paragraph(tr("<b>%1</b> (%2)").arg(escaped(tried.experiment.title), change), theme.text, 10);
        html += paragraph(tried.answer ? tr("%1.").arg(escaped(tuning::answerText(*tried.answer)))
                                       : escaped(tried.experiment.why),
                          tried.answer ? theme.text : theme.text2, 2);
        html += paragraph(QStringLiteral("<a href=\"#%1\" style=\"color:%2\">%3</a>")
                              .arg(i)
                              .arg(theme.link.name(), tried.answer ? tr("Try again") : tr("Open in Launch")),
                          theme.text, 2);
    }
    return triedProblem_.isEmpty() ? html
                                   : html + paragraph(triedProblem_.toHtmlEscaped(), theme.fail.text, 22);
}

void LossPanel::tryOut(const QUrl& experiment) {
    bool isNumber = false;
    const std::size_t index = experiment.fragment().toUInt(&isNumber);
    if (isNumber && index < tried_.size()) {
        emit planRequested(tried_[index].experiment.plan);
    }
}

void LossPanel::showLinks() {
    const Theme& theme = currentTheme();
    if (!links_) {
        linksPanel_->setTitle(tr("Links"), {});
        const QString command =
            QStringLiteral("dlperf bench links CLUSTER.json --workspace %1")
                .arg(QString::fromStdString(shellQuote(session_.workspace().root().string())));
        if (!linksProblem_.isEmpty()) {
            linksText_->setHtml(paragraph(linksProblem_.toHtmlEscaped(), theme.fail.text, 0));
            return;
        }
        linksText_->setHtml(
            paragraph(
                tr("Nobody measured yet how fast the links between the nodes are. Measure on Cluster does, "
                   "and so does:"),
                theme.text2, 0) +
            paragraph(QStringLiteral("<code>%1</code>").arg(command.toHtmlEscaped()), theme.text, 8));
        return;
    }
    linksPanel_->setTitle(tr("Links"), tr("GB/s, measured %1").arg(dayOf(links_->measured)));
    const std::vector<cluster::SlowLink> slow = slowLinks(*links_);
    QString html = linkMap(*links_, slow) + paragraph(escaped(links_->by), theme.text2, 8);
    for (const cluster::SlowLink& link : slow) {
        html += paragraph(escaped(link.sentence), theme.warn.text, 8);
    }
    for (const cluster::NodeBaseline& node : links_->within) {
        if (const auto bandwidth = bandwidthOf(node.series)) {
            html += paragraph(tr("Within %1: %2 GB/s")
                                  .arg(QString::fromStdString(node.node).toHtmlEscaped(),
                                       QString::fromStdString(cluster::shortFigure(*bandwidth))),
                              theme.text2, 8);
        }
    }
    linksText_->setHtml(html);
}

void LossPanel::setStacked(bool stacked) {
    parts_->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
}

const report::ChartSpec& LossPanel::chart() const {
    return chart_->spec();
}

// The colours of the words are the theme's.
void LossPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showWords();
        showLinks();
    }
}

}  // namespace dlperf::ui
