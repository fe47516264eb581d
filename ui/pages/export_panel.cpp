// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/export_panel.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDesktopServices>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "core/base/file.h"
#include "ui/paper/pdf.h"
#include "ui/theme/numbers.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {
namespace {

constexpr std::chrono::milliseconds betweenFiles{1};  // for what the user did meanwhile

QString textOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

}  // namespace

ExportPanel::ExportPanel(std::filesystem::path workspace, QWidget* parent)
    : Panel(parent), workspace_(std::move(workspace)) {
    addHeader(tr("Export"));
    addKind("html", tr("HTML"), tr("one file, charts inside"));
    addKind("pdf", tr("PDF"), tr("A4, as the preview"));
    addKind("md", tr("Markdown"), tr("with SVG charts beside it"));
    addKind("tex", tr("LaTeX"), tr("with PDF charts beside it"));
    addKind("xlsx", tr("Spreadsheet"), tr("tables, with charts of its own"));
    addKind("csv", tr("CSV"), tr("one row a figure"));
    addKind("json", tr("JSON"), tr("the layout of DLPerf"));
    QVBoxLayout* column = makeColumn(nullptr, {14, 12, 14, 12}, 6);
    addFolder(*column);
    column->addStretch(1);
    body()->addLayout(column, 1);
    addLast();
    nextFile_.setSingleShot(true);
    nextFile_.setInterval(betweenFiles);
    connect(&nextFile_, &QTimer::timeout, this, &ExportPanel::writeNext);
}

void ExportPanel::addKind(const char* ending, const QString& title, const QString& note) {
    auto* host = new QFrame(this);
    host->setProperty("kind", "panelheader");
    QHBoxLayout* row = makeRow(host, {12, 5, 12, 5});
    QVBoxLayout* words = makeColumn(nullptr, {}, 0);
    auto* box = new QCheckBox(title);
    words->addWidget(box);
    QLabel* caption = makeLabel(note, "caption");
    caption->setContentsMargins(24, 0, 0, 0);
    words->addWidget(caption);
    row->addLayout(words, 1);
    row->addWidget(makeLabel(QLatin1Char('.') + QLatin1String(ending), "mono"), 0, Qt::AlignVCenter);
    body()->addWidget(host);
    connect(box, &QCheckBox::toggled, this, &ExportPanel::chosenChanged);
    kinds_.emplace_back(ending, box);
}

void ExportPanel::addFolder(QVBoxLayout& column) {
    latexParts_ = new QCheckBox(tr("LaTeX as parts to \\input"));
    latexParts_->setToolTip(tr("Each table and figure a file of its own, and no document"));
    dated_ = new QCheckBox(tr("Keep earlier files, add the time"));
    dated_->setToolTip(tr("report-2026-11-27-0915.html instead of report.html"));
    for (QCheckBox* box : {latexParts_, dated_}) {
        connect(box, &QCheckBox::toggled, this, &ExportPanel::chosenChanged);
    }
    column.addWidget(makeLabel(tr("Folder"), "section"));
    folder_ = new QLineEdit;
    folder_->setAccessibleName(tr("Folder"));
    connect(folder_, &QLineEdit::textChanged, this, [this](const QString& folder) {
        folder_->setToolTip(plainTip(folder));      // longer than the field
        folder_->setAccessibleDescription(folder);  // else the tip's HTML is read
        noFolder_->showProblem(hasFolder() ? QString() : tr("Write or choose a folder for the files."));
        emit folderChanged();
    });
    QToolButton* choose = makeIconButton(QStringLiteral("folder"), tr("Choose a folder"));
    connect(choose, &QToolButton::clicked, this, [this] {
        const QString chosen =
            QFileDialog::getExistingDirectory(this, tr("Where to write"), textOf(folder()));
        if (!chosen.isEmpty()) {
            setFolder(chosen);
        }
    });
    QHBoxLayout* row = makeRow(nullptr, {}, 4);
    row->addWidget(folder_, 1);
    row->addWidget(choose);
    column.addLayout(row);
    noFolder_ = new ProblemLine(this);
    column.addWidget(noFolder_);
    column.addSpacing(6);
    column.addWidget(dated_);
    column.addWidget(latexParts_);
}

// What was written last, in a place of its own: nothing moves when it is done.
void ExportPanel::addLast() {
    QHBoxLayout* row = addFooter();
    QVBoxLayout* words = makeColumn(nullptr, {}, 0);
    last_ = makeLabel(tr("Nothing yet"), "secondary");
    lastSize_ = makeLabel({}, "caption");
    words->addWidget(last_);
    words->addWidget(lastSize_);
    lastSize_->hide();
    for (QLabel* label : {last_, lastSize_}) {
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the button keeps its width
    }
    row->addLayout(words, 1);
    open_ = makeButton(tr("Open folder"), QStringLiteral("folder"));
    open_->setEnabled(false);
    connect(open_, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(textOf(folder()))); });
    row->addWidget(open_);
}

void ExportPanel::setFolder(const QString& folder) {
    folder_->setText(folder);
}

bool ExportPanel::hasFolder() const {
    return !folder_->text().trimmed().isEmpty();
}

std::filesystem::path ExportPanel::folder() const {
    return workspace_ / expandHome(folder_->text().trimmed().toStdString());
}

void ExportPanel::setChosen(const report::ReportTemplate& chosen) {
    const QSignalBlocker quiet(this);
    for (const auto& [ending, box] : kinds_) {
        box->setChecked(std::ranges::find(chosen.files, ending) != chosen.files.end());
    }
    latexParts_->setChecked(chosen.latexParts);
    dated_->setChecked(chosen.dated);
}

void ExportPanel::addChosen(report::ReportTemplate& chosen) const {
    chosen.files.clear();
    for (const auto& [ending, box] : kinds_) {
        if (box->isChecked()) {
            chosen.files.push_back(ending);
        }
    }
    chosen.latexParts = latexParts_->isChecked();
    chosen.dated = dated_->isChecked();
}

int ExportPanel::fileCount() const {
    return static_cast<int>(
        std::ranges::count_if(kinds_, [](const auto& kind) { return kind.second->isChecked(); }));
}

void ExportPanel::write(report::Report report) {
    toWrite_.clear();
    written_.clear();
    all_ = {};
    for (const auto& [ending, box] : kinds_) {
        if (box->isChecked()) {
            toWrite_ << QString::fromStdString(ending);
        }
    }
    stem_ = QStringLiteral("report");
    if (dated_->isChecked()) {
        stem_ += QDateTime::currentDateTime().toString(QStringLiteral("-yyyy-MM-dd-HHmm"));
    }
    target_ = folder();
    writing_ = std::move(report);
    writeNext();
}

void ExportPanel::writeNext() {
    if (toWrite_.isEmpty()) {
        showWritten();
        return;
    }
    const QString name = stem_ + QLatin1Char('.') + toWrite_.takeFirst();
    const std::filesystem::path path = target_ / name.toStdString();
    const auto done = report::writeReport(writing_, path, reportRenderers());
    if (!done) {
        toWrite_.clear();
        emit failed(done.error());
        return;
    }
    written_ << name;
    all_.count += done->count;
    all_.bytes += done->bytes;
    nextFile_.start();
}

void ExportPanel::showWritten() {
    last_->setText(tr("Written %1").arg(QTime::currentTime().toString(QStringLiteral("HH:mm:ss"))));
    const QString size = bytesText(static_cast<double>(all_.bytes));
    lastSize_->setText(all_.count == 1 ? tr("1 file, %1").arg(size)
                                       : tr("%1 files, %2").arg(all_.count).arg(size));
    lastSize_->show();
    const QString names = written_.join(QStringLiteral(", "));
    for (QLabel* label : {last_, lastSize_}) {
        label->setToolTip(plainTip(names));
    }
    open_->setEnabled(true);
    emit written();
}

}  // namespace dlperf::ui
