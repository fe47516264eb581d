// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report_page.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEventLoop>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "core/base/file.h"
#include "core/report/cancelled_cases.h"
#include "core/run/campaign_names.h"
#include "core/tuning/report_losses.h"
#include "ui/models/results_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/export_panel.h"
#include "ui/pages/named_menu.h"
#include "ui/pages/sections_list.h"
#include "ui/pages/summaries_dialog.h"
#include "ui/paper/pages.h"
#include "ui/paper/paper_view.h"
#include "ui/paper/report_document.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

using report::reportLanguages;
using report::ReportPart;
using report::ReportTemplate;

constexpr int sideWidth = 264;
constexpr int wordyAbove = 1250;  // px at 100 %
constexpr int placeWidth = 110;
constexpr int narrowPlaceWidth = 56;
constexpr std::chrono::milliseconds pauseInChanges{400};
constexpr std::array<const char*, 4> textKinds{".md", ".tex", ".csv", ".json"};
constexpr std::array<int, 7> percents{50, 75, 100, 125, 150, 200, 300};
constexpr int fits = 2;  // entries above them: width, page

// The window's, as the switch counts them.
int ownLanguage() {
    return QLocale().language() == QLocale::Chinese ? 1 : 0;
}

// As a page has it that was set to it.
ReportTemplate asShown(ReportTemplate chosen) {
    if (chosen.language == reportLanguages.at(static_cast<std::size_t>(ownLanguage()))) {
        chosen.language.clear();  // it follows the window's
    }
    std::ranges::sort(chosen.files, {}, [](const std::string& ending) {
        return std::ranges::find(report::reportEndings(), ending);
    });
    return chosen;
}

report::Report applied(report::Report report, const ReportTemplate& chosen) {
    (void)applyTemplate(report, chosen);  // refresh() tells what it says
    return report;
}

using Preview = std::shared_ptr<QTextDocument>;

// The report's pages, laid out on any thread, as many tables take their time; the document belongs to the
// application's thread then.
Preview makePreview(const report::Report& report) {
    const QEventLoop timers;  // the layout has some, which a thread without Qt's events refuses
    // Deleted by its thread, whoever lets go of it last.
    Preview document(new QTextDocument, [](QTextDocument* done) { done->deleteLater(); });
    if (const auto filled = fillDocument(*document, report, paperLine); !filled) {
        document->setPlainText(localized(describe(filled.error())));
    }
    breakIntoPages(*document, textArea(*document));
    document->moveToThread(QCoreApplication::instance()->thread());
    return document;
}

}  // namespace

ReportPage::ReportPage(Session& session, const ComparePage& compare, QWidget* parent)
    : Page(tr("Report"), {620, 520}, parent), session_(session), compare_(compare) {
    buildHeader();
    QVBoxLayout* column = roomyBody();
    banner_ = new Banner;
    connect(banner_, &Banner::actionTriggered, this, &ReportPage::editSummaries);
    column->addWidget(banner_);
    QHBoxLayout* row = makeRow(nullptr, {}, 10);
    QWidget* host = column->parentWidget();
    choices_ = buildSections(host);
    row->addWidget(choices_);
    row->addWidget(buildPreview(host), 1);
    buildExport(host);
    row->addWidget(files_);
    addDrawer(*row, *choices_, Drawer::Side::Left, QStringLiteral("plan"), tr("Sections and title"));
    addDrawer(*row, *files_, Drawer::Side::Right, QStringLiteral("folder"), tr("Files to export"));
    column->addLayout(row, 1);
    setFolder(QString::fromStdString((session_.workspace().root() / "report").string()));
    enableChoices(false);
    saving_.setSingleShot(true);
    saving_.setInterval(pauseInChanges);
    connect(&saving_, &QTimer::timeout, this, &ReportPage::writeChosen);
    connect(&compare_, &ComparePage::comparisonChanged, this, [this] {
        if (isVisible()) {
            refresh();
        }
    });
    setChosen({});
    known_ = chosen();
    connect(&session_, &Session::statusChanged, this, &ReportPage::readChosen);
    readChosen();
}

// A title that is being typed counts only when its field is left, which a window that closes does not wait
// for.
ReportPage::~ReportPage() {
    if (isRead_ && (saving_.isActive() || title_->isModified())) {
        writeChosen();
    }
}

void ReportPage::buildHeader() {
    language_ =
        new Segments(tr("Language of the report"), {QStringLiteral("English"), QStringLiteral("中文")});
    connect(language_, &Segments::changed, this, &ReportPage::changed);
    addAction(language_);
    templates_ = new MenuOf<ReportTemplate>(
        session_, session_.workspace().templates(),
        {tr("Template"), tr("Template: %1"),
         tr("Title, language, sections and their order, summaries and files under a name"),
         tr("No saved templates"), tr("Save template …"), tr("Save template"), tr("Delete template")},
        {[workspace = session_.workspace()] { return report::readTemplates(workspace); },
         [this] { return chosen(); },
         [this](const ReportTemplate& chosen) {
             setChosen(chosen);
             saving_.start();
             refresh();
         }});
    connect(templates_, &NamedMenu::problemFound, this,
            [this](const Error& error) { banner_->showError(error); });
    addAction(templates_);
    export_ = makeButton({}, QStringLiteral("export"), "primary");
    connect(export_, &QPushButton::clicked, this, &ReportPage::primaryAction);
    addAction(export_);
}

QWidget* ReportPage::buildSections(QWidget* parent) {
    auto* panel = new Panel(parent);
    setScaledWidth(panel, sideWidth);
    QHBoxLayout* head = panel->addHeader(tr("Sections"));
    QPushButton* summaries = makeSmallButton(tr("Summaries …"));
    summaries->setToolTip(tr("Write the summaries in your own words"));
    connect(summaries, &QPushButton::clicked, this, &ReportPage::editSummaries);
    head->addWidget(summaries);
    sections_ = new SectionsList(panel);
    connect(sections_, &SectionsList::partsChanged, this, &ReportPage::changed);
    connect(sections_, &SectionsList::partPicked, this, &ReportPage::lookAt);
    connect(sections_, &SectionsList::summariesRequested, this, &ReportPage::editSummaries);
    panel->body()->addWidget(sections_);
    QVBoxLayout* column = makeColumn(nullptr, {14, 14, 14, 14}, 6);
    column->addWidget(makeLabel(tr("Title"), "section"));
    title_ = new QLineEdit;
    title_->setAccessibleName(tr("Title"));
    title_->setPlaceholderText(tr("What the figures have in common"));
    connect(title_, &QLineEdit::editingFinished, this, [this] {
        if (title_->text() != askedTitle_ || title_->text().toStdString() != known_.title) {
            changed();
            refresh();
        }
    });
    column->addWidget(title_);
    column->addSpacing(10);
    column->addWidget(makeLabel(tr("Figures from"), "section"));
    column->addWidget(
        makeText(tr("What Compare's filters choose. Series and topologies that are hidden there are "
                    "skipped in the report as well; the axes are the same."),
                 "secondary"));
    column->addStretch(1);
    panel->body()->addLayout(column, 1);
    return panel;
}

QWidget* ReportPage::buildPreview(QWidget* parent) {
    auto* panel = new Panel(parent);
    QHBoxLayout* head = panel->addHeader({});
    kinds_ = new Segments(tr("Preview as"), {tr("Page"), tr("Markdown"), tr("LaTeX"), tr("CSV"), tr("JSON")});
    head->insertWidget(0, kinds_);
    connect(kinds_, &Segments::changed, this, &ReportPage::show);
    addPaperControls(*head);
    views_ = new QStackedWidget(panel);
    paper_ = new PaperView;
    paper_->setAccessibleName(tr("Preview"));
    connect(paper_, &PaperView::pageChanged, this, &ReportPage::showPlace);
    connect(paper_, &PaperView::zoomAsked, this, &ReportPage::zoomBy);
    text_ = makeCodeView(tr("Preview"));
    views_->addWidget(paper_);
    views_->addWidget(text_);
    panel->body()->addWidget(views_, 1);
    return panel;
}

void ReportPage::addPaperControls(QHBoxLayout& head) {
    paperControls_ = new QWidget;
    QHBoxLayout* row = makeRow(paperControls_, {}, 4);
    previous_ = makeIconButton(QStringLiteral("up"), tr("Previous page"));
    next_ = makeIconButton(QStringLiteral("down"), tr("Next page"));
    place_ = makeLabel({}, "secondary");
    place_->setAlignment(Qt::AlignCenter);
    connect(previous_, &QToolButton::clicked, this, [this] { paper_->goToPage(paper_->currentPage() - 1); });
    connect(next_, &QToolButton::clicked, this, [this] { paper_->goToPage(paper_->currentPage() + 1); });
    zoom_ = new QComboBox;
    zoom_->setAccessibleName(tr("Zoom"));
    zoom_->setToolTip(tr("Ctrl and the wheel change it"));
    zoom_->addItems({tr("Fit width"), tr("Whole page")});
    for (const int percent : percents) {
        zoom_->addItem(QString::number(percent) + QStringLiteral("\u00A0%"));
    }
    connect(zoom_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index < fits) {
            paper_->fit(index == 0 ? PaperView::Fit::Width : PaperView::Fit::Page);
        } else {
            paper_->setZoom(percents.at(static_cast<std::size_t>(index - fits)) / 100.0);
        }
    });
    for (QWidget* part : std::initializer_list<QWidget*>{previous_, place_, next_, zoom_}) {
        row->addWidget(part);
    }
    head.addWidget(paperControls_);
}

void ReportPage::buildExport(QWidget* parent) {
    files_ = new ExportPanel(session_.workspace().root(), parent);
    setScaledWidth(files_, sideWidth);
    connect(files_, &ExportPanel::chosenChanged, this, [this] {
        showFileCount();
        changed();
    });
    connect(files_, &ExportPanel::folderChanged, this, &ReportPage::showFileCount);
    connect(files_, &ExportPanel::written, this, [this] { emit exportEnded(true); });
    connect(files_, &ExportPanel::failed, this, [this](const Error& error) {
        banner_->showError(error);
        emit exportEnded(false);
    });
}

void ReportPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < scaled(wordyAbove);
    kinds_->setMost(narrow ? 0 : Segments::mostInARow);
    templates_->setNarrow(narrow);
    place_->setFixedWidth(scaled(narrow ? narrowPlaceWidth : placeWidth));  // whatever it says
    showPlace(paper_->currentPage(), paper_->pageCount());
}

void ReportPage::setFolder(const QString& folder) {
    files_->setFolder(folder);
}

ReportTemplate ReportPage::chosen() const {
    const int language = language_->current();
    ReportTemplate chosen{.title = title_->text().toStdString(),
                          .language = reportLanguages.at(static_cast<std::size_t>(language)),
                          .parts = sections_->parts(),
                          .summaries = summaries_};
    files_->addChosen(chosen);
    return asShown(std::move(chosen));
}

void ReportPage::setChosen(const ReportTemplate& chosen) {
    if (const QString title = QString::fromStdString(chosen.title); title_->text() != title) {
        title_->setText(title);  // the cursor stays in one that is being typed
    }
    const auto* language = std::ranges::find(reportLanguages, chosen.language);
    language_->setCurrent(language == reportLanguages.end()
                              ? ownLanguage()
                              : static_cast<int>(language - reportLanguages.begin()));
    if (sections_->parts() != chosen.parts) {  // else the chosen row stays
        sections_->setParts(chosen.parts);
    }
    summaries_ = chosen.summaries;
    files_->setChosen(chosen);
    showFileCount();
}

// As the window was left, or as another one has changed it since. What cannot be read is told, and
// overwritten at the next change.
void ReportPage::readChosen() {
    struct Read {
        std::optional<store::FileStamp> stamp;
        Result<ReportTemplate> chosen;
    };
    const auto goOn = [this] {
        isReading_ = false;
        if (!isRead_) {
            enableChoices(true);
            if (asked_ > 0) {
                refresh();
            }
        }
    };
    if (std::exchange(isReading_, true)) {
        return;
    }
    session_.background().ask(
        this,
        [file = session_.workspace().reportFile(), last = stamp_]() -> std::optional<Read> {
            const auto stamp = store::stampOf(file);  // before the contents, which may be newer
            if (!stamp || stamp == last) {
                return std::nullopt;
            }
            const auto json = readJsonFile(file);
            return Read{stamp, json ? report::parseTemplate(*json, file.string()) : Failure(json.error())};
        },
        [this, goOn, known = known_](const std::optional<Read>& read) {
            if (read) {
                stamp_ = read->stamp;
                if (read->chosen) {
                    take(known, *read->chosen);
                } else {
                    banner_->showError(read->chosen.error());
                }
            }
            goOn();
        },
        goOn);
}

void ReportPage::take(const ReportTemplate& known, const ReportTemplate& there) {
    const ReportTemplate before = chosen();
    const ReportTemplate both = asShown(report::bothChanges(known, before, there));
    known_ = asShown(report::bothChanges(known, known_, there));
    if (both == before) {
        return;
    }
    templates_->leave();
    setChosen(both);
    if (isVisible()) {
        refresh();
    }
}

// What is chosen before the file is read would be written over it.
void ReportPage::enableChoices(bool isRead) {
    isRead_ = isRead;
    for (QWidget* part : std::initializer_list<QWidget*>{choices_, files_, language_, templates_}) {
        part->setEnabled(isRead);
    }
}

void ReportPage::changed() {
    templates_->leave();
    saving_.start();
    show();
}

// Only what was changed here: another window over the workspace may have changed the rest.
void ReportPage::writeChosen() {
    const ReportTemplate before = std::exchange(known_, chosen());
    session_.background().write(
        this,
        [file = session_.workspace().reportFile(), before, after = known_]() -> Result<ReportTemplate> {
            // A workspace that was moved away is not made anew.
            return std::filesystem::exists(file.parent_path()) ? report::changeTemplate(file, before, after)
                                                               : Result<ReportTemplate>(after);
        },
        [this, before, after = known_](const Result<ReportTemplate>& written) {
            if (written) {
                take(after, *written);
            } else {
                known_ = report::bothChanges(after, known_, before);  // it is written with the next change
                banner_->showError(written.error());
            }
        });
}

void ReportPage::enter() {
    refresh();
    export_->setFocus(Qt::OtherFocusReason);
}

// What Compare shows, and what it only counts: cases of which every run was cancelled.
std::vector<RunResult> ReportPage::results() const {
    std::vector<RunResult> results = compare_.shownResults();
    const report::CancelledCases cancelled(compare_.filtered());
    const SeriesFinder finder(compare_.comparison());
    for (const RunResult* result : compare_.filtered()) {
        if (cancelled.contains(*result) && finder.seriesOf(*result) == nullptr) {
            results.push_back(*result);
        }
    }
    return results;
}

// Reading run folders may take a while: off the GUI thread, and only the newest answer counts.
void ReportPage::refresh() {
    const int question = ++asked_;
    askedTitle_ = title_->text();
    if (!isRead_) {
        return;  // it is asked again then
    }
    session_.background().ask(
        this,
        [results = results(), view = compare_.reportView(), title = askedTitle_.toStdString(),
         chosen = inForce(), workspace = session_.workspace(), &vocabulary = session_.vocabulary(),
         toCome = run::toComeTexts(session_.campaigns(), session_.campaignNames(), compare_.shownResults())] {
            report::Report built = report::buildReport(results, vocabulary, title, view);
            report::addWorkspaceFacts(built, workspace);
            tuning::addLosses(built, workspace, vocabulary, view.formats);
            built.findings.insert(built.findings.begin(), toCome.begin(), toCome.end());
            report::Report whole = built;
            return std::pair(std::make_shared<const report::Report>(std::move(built)),
                             applyTemplate(whole, chosen));
        },
        [this, question](const auto& answer) {
            if (question != asked_) {
                return;
            }
            answered_ = question;
            report_ = answer.first;
            tellOutdated(answer.second);
            show();
            if (std::exchange(exportWhenAnswered_, false)) {
                write();
            }
        },
        [this, question] {
            if (question == asked_ && std::exchange(exportWhenAnswered_, false)) {
                emit exportEnded(false);
            }
        });
}

void ReportPage::tellOutdated(const std::vector<std::string>& headings) {
    if (!headings.empty()) {
        banner_->showMessage(
            "warn", tr("Your summary of %1 was written for other figures.").arg(localized(headings.front())),
            tr("The computed one stands in the report."), {}, tr("Summaries …"));
    }
}

// As `chosen()`, with the language said: the window's is not known to other threads.
ReportTemplate ReportPage::inForce() const {
    ReportTemplate chosen = this->chosen();
    chosen.language = reportLanguages.at(static_cast<std::size_t>(language_->current()));
    return chosen;
}

void ReportPage::show() {
    if (!report_) {
        return;
    }
    setSubtitle(localized(report_->title));
    const int kind = kinds_->current();
    const int question = ++drawn_;
    paperControls_->setVisible(kind == 0);
    if (kind == 0) {
        showPaper(question);
    } else {
        showText(question, textKinds.at(static_cast<std::size_t>(kind - 1)));
    }
}

void ReportPage::showPaper(int question) {
    session_.background().ask(
        this, [report = report_, chosen = inForce()] { return makePreview(applied(*report, chosen)); },
        [this, question](Preview&& preview) {
            if (question == drawn_) {
                views_->setCurrentIndex(0);
                paper_->setDocument(std::move(preview));
                emit shown();
            }
        });
}

// The charts are files beside the text, so none is drawn.
void ReportPage::showText(int question, const char* ending) {
    session_.background().ask(
        this,
        [report = report_, chosen = inForce(), file = std::string("report") + ending] {
            const auto none = [](const report::ChartSpec&, int, int) -> Result<std::string> {
                return std::string();
            };
            const auto files =
                report::renderReport(applied(*report, chosen), file, {.svg = none, .pdf = none});
            return QString::fromStdString(files ? files->front().bytes : describe(files.error()));
        },
        [this, question](const QString& text) {
            if (question == drawn_) {
                views_->setCurrentIndex(1);
                text_->setPlainText(text);
                emit shown();
            }
        });
}

void ReportPage::showPlace(int page, int pages) {
    const QString words = kinds_->isBox() ? QStringLiteral("%1 / %2") : tr("Page %1 of %2");
    place_->setText(pages == 0 ? QString() : words.arg(page + 1).arg(pages));
    previous_->setEnabled(page > 0);
    next_->setEnabled(page + 1 < pages);
}

void ReportPage::zoomBy(int steps) {
    const auto percent = static_cast<int>(paper_->zoom() * 100);
    const auto* at =
        steps > 0 ? std::ranges::upper_bound(percents, percent) : std::ranges::lower_bound(percents, percent);
    const auto index = static_cast<int>(at - percents.begin()) - (steps > 0 ? 0 : 1);
    if (index >= 0 && index < static_cast<int>(percents.size())) {
        zoom_->setCurrentIndex(fits + index);
    }
}

void ReportPage::lookAt(ReportPart part) {
    if (kinds_->current() == 0) {
        paper_->goTo(QLatin1String(report::partName(part)));
    }
}

void ReportPage::editSummaries() {
    if (!report_) {
        return;
    }
    auto* dialog = new SummariesDialog(applied(*report_, inForce()), summaries_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, before = summaries_] {
        // Another window's may have come since.
        summaries_ = report::bothChanges({.summaries = before}, {.summaries = dialog->summaries()},
                                         {.summaries = summaries_})
                         .summaries;
        banner_->hide();
        changed();
    });
    dialog->open();
}

void ReportPage::showFileCount() {
    const int count = files_->fileCount();
    export_->setText(count == 1 ? tr("Export 1 file") : tr("Export %1 files").arg(count));
    export_->setEnabled(count > 0 && files_->hasFolder());
}

// Waits for the latest report: a title or filter that was just set counts.
void ReportPage::primaryAction() {
    if (!export_->isEnabled()) {
        return;
    }
    if (asked_ == 0 || title_->text() != askedTitle_) {
        refresh();
    }
    if (answered_ == asked_) {
        write();
    } else {
        exportWhenAnswered_ = true;
    }
}

bool ReportPage::isExporting() const {
    return exportWhenAnswered_ || files_->isWriting();
}

void ReportPage::write() {
    files_->write(applied(*report_, inForce()));
}

}  // namespace dlperf::ui
