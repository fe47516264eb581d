// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report_page.h"

#include <QAbstractTextDocumentLayout>
#include <QCheckBox>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QTextDocument>
#include <QThread>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "ui/pages/compare_page.h"
#include "ui/paper/pdf.h"
#include "ui/paper/report_document.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

using report::ReportPart;

constexpr int sideWidth = 264;
constexpr std::chrono::milliseconds betweenFiles{1};  // for what the user did meanwhile
constexpr std::array<const char*, 4> textKinds{".md", ".tex", ".csv", ".json"};

report::Report partsOf(report::Report report, std::vector<ReportPart> parts) {
    report.parts = std::move(parts);
    return report;
}

QScrollBar* takeScrollBar(QAbstractScrollArea& area) {
    auto* bar = new QScrollBar(Qt::Vertical);
    QScrollBar* own = area.verticalScrollBar();
    area.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QObject::connect(own, &QScrollBar::rangeChanged, bar, [bar, own](int low, int high) {
        bar->setPageStep(own->pageStep());
        bar->setSingleStep(own->singleStep());
        bar->setRange(low, high);
        bar->setEnabled(high > low);
    });
    QObject::connect(own, &QScrollBar::valueChanged, bar, &QScrollBar::setValue);
    QObject::connect(bar, &QScrollBar::valueChanged, own, &QScrollBar::setValue);
    return bar;
}

using Preview = std::shared_ptr<QTextDocument>;

constexpr int pageMargin = 36;

// A page is laid out piece by piece while it is shown, so its size comes late.
void followSize(QTextBrowser& page, const QTextDocument& document, int place) {
    auto follow = [&page, place, at = page.verticalScrollBar()](const QSizeF& size) mutable {
        // A table is rounded up by some px, which its blank margin takes: nothing to scroll to.
        const bool fits = size.width() <= page.viewport()->width() + pageMargin;
        page.setHorizontalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
        if (place > 0 && at->maximum() >= place) {
            at->setValue(place);
            place = 0;
        }
    };
    follow(document.size());
    QObject::connect(document.documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, &page,
                     follow, Qt::QueuedConnection);
}

// The report as a page of this width in px: the same HTML as the file, its charts drawn for the display. On
// any thread, as many tables take their time; the document belongs to the application's thread then.
Preview makePreview(const report::Report& report, int width) {
    constexpr int narrowest = 360;
    // Deleted by its thread, whoever lets go of it last.
    Preview document(new QTextDocument, [](QTextDocument* done) { done->deleteLater(); });
    document->setDocumentMargin(pageMargin);
    document->setPageSize(QSizeF(width, -1));  // as the page will ask, so that it is laid out once
    const int lineWidth = std::max(narrowest, width - 2 * pageMargin - 20);
    if (const auto filled = fillWords(*document, report, lineWidth); !filled) {
        document->setPlainText(localized(describe(filled.error())));
    }
    document->moveToThread(QCoreApplication::instance()->thread());
    return document;
}

void showPreview(QTextBrowser& page, const Preview& preview) {
    const int place = page.verticalScrollBar()->value();
    addCharts(*preview);
    page.setDocument(preview.get());
    followSize(page, *preview, place);
}

}  // namespace

ReportPage::ReportPage(Session& session, const ComparePage& compare, QWidget* parent)
    : Page(tr("Report"), {940, 520}, parent), session_(session), compare_(compare) {
    export_ = makeButton({}, QStringLiteral("export"), "primary");
    connect(export_, &QPushButton::clicked, this, &ReportPage::primaryAction);
    nextFile_.setSingleShot(true);
    nextFile_.setInterval(betweenFiles);
    connect(&nextFile_, &QTimer::timeout, this, &ReportPage::writeNext);
    addAction(export_);
    QVBoxLayout* column = roomyBody();
    banner_ = new Banner;
    column->addWidget(banner_);
    QHBoxLayout* row = makeRow(nullptr, {}, 10);
    QWidget* host = column->parentWidget();
    row->addWidget(buildSections(host));
    row->addWidget(buildPreview(host), 1);
    row->addWidget(buildExport(host));
    column->addLayout(row, 1);
    setFolder(QString::fromStdString((session_.workspace().root() / "report").string()));
    connect(&compare_, &ComparePage::comparisonChanged, this, [this] {
        if (isVisible()) {
            refresh();
        }
    });
}

QWidget* ReportPage::buildSections(QWidget* parent) {
    auto* panel = new Panel(parent);
    setScaledWidth(panel, sideWidth);
    panel->addHeader(tr("Sections"));
    const std::vector<std::pair<ReportPart, QString>> parts{{ReportPart::Pivot, tr("Pivot table")},
                                                            {ReportPart::Summary, tr("Summary")},
                                                            {ReportPart::Charts, tr("Charts")},
                                                            {ReportPart::Results, tr("Results")},
                                                            {ReportPart::Repetitions, tr("All repetitions")},
                                                            {ReportPart::Findings, tr("Findings")},
                                                            {ReportPart::Environment, tr("Test environment")},
                                                            {ReportPart::Method, tr("Method")},
                                                            {ReportPart::Scripts, tr("Scripts")}};
    for (const auto& [part, title] : parts) {
        auto* box = new QCheckBox(title);
        box->setChecked(part != ReportPart::Repetitions && part != ReportPart::Scripts &&
                        part != ReportPart::Pivot);
        if (part == ReportPart::Pivot) {
            pivot_ = box;
        }
        auto* host = new QFrame(panel);
        host->setProperty("kind", "panelheader");
        QHBoxLayout* row = makeRow(host, {12, 6, 12, 6});
        row->addWidget(box);
        panel->body()->addWidget(host);
        connect(box, &QCheckBox::toggled, this, &ReportPage::show);
        parts_.emplace_back(part, box);
    }
    QVBoxLayout* column = makeColumn(nullptr, {14, 14, 14, 14}, 6);
    column->addWidget(makeLabel(tr("Title"), "section"));
    title_ = new QLineEdit;
    title_->setAccessibleName(tr("Title"));
    title_->setPlaceholderText(tr("What the figures have in common"));
    connect(title_, &QLineEdit::editingFinished, this, &ReportPage::refresh);
    column->addWidget(title_);
    column->addSpacing(10);
    column->addWidget(makeLabel(tr("Figures from"), "section"));
    QLabel* from =
        makeLabel(tr("What Compare's filters choose. Series and topologies that are hidden there are "
                     "skipped in the report as well; the axes are the same."),
                  "secondary");
    from->setWordWrap(true);
    column->addWidget(from);
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
    views_ = new QStackedWidget(panel);
    page_ = new QTextBrowser;
    page_->setProperty("kind", "paper");
    page_->setOpenLinks(false);
    page_->setAccessibleName(tr("Preview"));
    text_ = makeCodeView(tr("Preview"));
    auto* desk = new QWidget(views_);
    desk->setProperty("kind", "desk");
    desk->setAttribute(Qt::WA_StyledBackground);
    QHBoxLayout* middle = makeRow(desk, {12, 12, 2, 0}, 0);
    middle->addWidget(page_);
    middle->addWidget(takeScrollBar(*page_));
    views_->addWidget(desk);
    views_->addWidget(text_);
    panel->body()->addWidget(views_, 1);
    return panel;
}

void ReportPage::addKinds(QVBoxLayout* column) {
    struct Kind {
        QString ending;
        QString title;
        QString note;
        bool chosen;
    };
    for (const Kind& kind :
         {Kind{QStringLiteral("html"), tr("HTML"), tr("one file, charts inside"), true},
          Kind{QStringLiteral("pdf"), tr("PDF"), tr("A4, as the preview"), false},
          Kind{QStringLiteral("md"), tr("Markdown"), tr("with SVG charts beside it"), true},
          Kind{QStringLiteral("tex"), tr("LaTeX"), tr("with PDF charts beside it"), false},
          Kind{QStringLiteral("xlsx"), tr("Spreadsheet"), tr("tables, with charts of its own"), false},
          Kind{QStringLiteral("csv"), tr("CSV"), tr("one row a figure"), false},
          Kind{QStringLiteral("json"), tr("JSON"), tr("the layout of DLPerf"), false}}) {
        auto* host = new QFrame(column->parentWidget());
        host->setProperty("kind", "panelheader");
        QHBoxLayout* row = makeRow(host, {12, 7, 12, 7});
        QVBoxLayout* words = makeColumn(nullptr, {}, 0);
        auto* box = new QCheckBox(kind.title);
        box->setChecked(kind.chosen);
        words->addWidget(box);
        QLabel* note = makeLabel(kind.note, "caption");
        note->setContentsMargins(24, 0, 0, 0);
        words->addWidget(note);
        row->addLayout(words, 1);
        row->addWidget(makeLabel(QLatin1Char('.') + kind.ending, "mono"), 0, Qt::AlignVCenter);
        column->addWidget(host);
        connect(box, &QCheckBox::toggled, this, &ReportPage::showExport);
        files_.emplace_back(kind.ending, box);
    }
}

QWidget* ReportPage::buildExport(QWidget* parent) {
    auto* panel = new Panel(parent);
    setScaledWidth(panel, sideWidth);
    panel->addHeader(tr("Export"));
    addKinds(panel->body());
    QVBoxLayout* column = makeColumn(nullptr, {14, 14, 14, 14}, 6);
    column->addWidget(makeLabel(tr("Folder"), "section"));
    folder_ = new QLineEdit;
    folder_->setAccessibleName(tr("Folder"));
    connect(folder_, &QLineEdit::textChanged, folder_, [this](const QString& folder) {
        folder_->setToolTip(plainTip(folder));
        folder_->setAccessibleDescription(folder);  // else the tip's HTML is read
    });                                             // longer than the field
    column->addWidget(folder_);
    QPushButton* choose = makeSmallButton(tr("Choose …"), QStringLiteral("folder"));
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Where to write"), folder_->text());
        if (!folder.isEmpty()) {
            setFolder(folder);
        }
    });
    column->addWidget(choose, 0, Qt::AlignLeft);
    column->addStretch(1);
    column->addWidget(makeText(tr("The preview and the files come from the same figures."), "secondary"));
    open_ = makeButton(tr("Open folder"), QStringLiteral("folder"));
    open_->hide();
    connect(open_, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder_->text())); });
    column->addWidget(open_);
    panel->body()->addLayout(column, 1);
    showExport();
    return panel;
}

void ReportPage::setFolder(const QString& folder) {
    folder_->setText(folder);
}

void ReportPage::enter() {
    if (compare_.view().mode == report::CompareMode::Pivot) {
        pivot_->setChecked(true);  // what is looked at is what the report is for
    }
    refresh();
    export_->setFocus(Qt::OtherFocusReason);
}

// Reading run folders may take a while: off the GUI thread, and only the newest answer counts.
void ReportPage::refresh() {
    const int question = ++asked_;
    askedTitle_ = title_->text();
    session_.background().ask(
        this,
        [results = compare_.shownResults(), view = compare_.reportView(), title = askedTitle_.toStdString(),
         language = QLocale().name().toStdString(), workspace = session_.workspace(),
         &vocabulary = session_.vocabulary()] {
            report::Report built = report::buildReport(results, vocabulary, title, view);
            report::addWorkspaceFacts(built, workspace);
            built.language = language;
            return built;
        },
        [this, question](report::Report&& built) {
            if (question != asked_) {
                return;
            }
            answered_ = question;
            report_ = std::make_shared<const report::Report>(std::move(built));
            show();
            if (std::exchange(exportWhenAnswered_, false)) {
                write();
            }
        });
}

std::vector<ReportPart> ReportPage::chosenParts() const {
    std::vector<ReportPart> chosen;
    for (const auto& [part, box] : parts_) {
        if (box->isChecked()) {
            chosen.push_back(part);
        }
    }
    return chosen;
}

void ReportPage::show() {
    if (!report_) {
        return;
    }
    setSubtitle(localized(report_->title));
    const int kind = kinds_->current();
    const int question = ++drawn_;
    if (kind == 0) {
        showPaper(question);
    } else {
        showText(question, textKinds.at(static_cast<std::size_t>(kind - 1)));
    }
}

void ReportPage::showPaper(int question) {
    session_.background().ask(
        this,
        [report = report_, parts = chosenParts(), width = page_->viewport()->width()] {
            return makePreview(partsOf(*report, parts), width);
        },
        [this, question](Preview&& preview) {
            if (question == drawn_) {
                views_->setCurrentIndex(0);
                showPreview(*page_, preview);
                preview_ = std::move(preview);
                emit shown();
            }
        });
}

// The charts are files beside the text, so none is drawn.
void ReportPage::showText(int question, const char* ending) {
    session_.background().ask(
        this,
        [report = report_, parts = chosenParts(), file = std::string("report") + ending] {
            const auto none = [](const report::ChartSpec&, int, int) -> Result<std::string> {
                return std::string();
            };
            const auto files =
                report::renderReport(partsOf(*report, parts), file, {.svg = none, .pdf = none});
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

void ReportPage::showExport() {
    const auto count = static_cast<int>(
        std::ranges::count_if(files_, [](const auto& file) { return file.second->isChecked(); }));
    export_->setText(count == 1 ? tr("Export 1 file") : tr("Export %1 files").arg(count));
    export_->setEnabled(count > 0);
}

// Waits for the latest report: a title or filter that was just set counts.
void ReportPage::primaryAction() {
    if (folder_->text().isEmpty() || !export_->isEnabled()) {
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

// One file in a turn, since each draws its charts. Asked again meanwhile, it begins anew.
void ReportPage::write() {
    toWrite_.clear();
    written_.clear();
    for (const auto& [ending, box] : files_) {
        if (box->isChecked()) {
            toWrite_ << ending;
        }
    }
    writing_ = partsOf(*report_, chosenParts());
    writeNext();
}

void ReportPage::writeNext() {
    if (toWrite_.isEmpty()) {
        open_->show();
        banner_->showMessage("ok", tr("Written: %1.").arg(written_.join(QStringLiteral(", "))),
                             folder_->text());
        return;
    }
    const QString name = QStringLiteral("report.") + toWrite_.takeFirst();
    const std::filesystem::path path =
        std::filesystem::path(folder_->text().toStdString()) / name.toStdString();
    if (const auto done = report::writeReport(writing_, path, reportRenderers()); !done) {
        toWrite_.clear();
        banner_->showError(done.error());
        return;
    }
    written_ << name;
    nextFile_.start();
}

}  // namespace dlperf::ui
