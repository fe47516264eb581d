// SPDX-License-Identifier: Apache-2.0
// Compare: tables and charts to files and to the clipboard.
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>

#include "core/store/names.h"
#include "ui/charts/legend_bar.h"
#include "ui/pages/before_after_panel.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/copy_button.h"
#include "ui/pages/pivot_panel.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/write_file.h"
#include "ui/paper/pdf.h"
#include "ui/session/session.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {

QPushButton* ComparePage::makeExportButton() {
    QPushButton* button = makeButton(tr("Export"), QStringLiteral("export"), "primary");
    auto* menu = new QMenu(button);
    menu->addAction(tr("Report …"), this, &ComparePage::reportRequested);
    menu->addSeparator();
    const QList<QAction*> charts{
        menu->addAction(tr("Left chart …"), this, [this] { exportChart(charts_->shownBy(charts_->left())); }),
        menu->addAction(tr("Right chart …"), this,
                        [this] { exportChart(charts_->shownBy(charts_->right())); }),
        menu->addAction(tr("Copy left chart"), this,
                        [this] { copyChart(charts_->shownBy(charts_->left())); }),
        menu->addAction(tr("Copy right chart"), this,
                        [this] { copyChart(charts_->shownBy(charts_->right())); })};
    connect(menu, &QMenu::aboutToShow, this, [this, charts] {
        for (QAction* action : charts) {
            action->setEnabled(mode() == report::CompareMode::Charts);
        }
    });
    menu->addSeparator();
    menu->addAction(tr("Table as Markdown …"), this, [this] { exportTable(QStringLiteral("md")); });
    menu->addAction(tr("Table as CSV …"), this, [this] { exportTable(QStringLiteral("csv")); });
    menu->addAction(tr("Table as HTML …"), this, [this] { exportTable(QStringLiteral("html")); });
    menu->addAction(tr("Table as spreadsheet …"), this, [this] { exportTable(QStringLiteral("xlsx")); });
    menu->addAction(tr("All figures as CSV …"), this, &ComparePage::exportFigures);
    button->setMenu(menu);
    return button;
}

void ComparePage::exportTable(const QString& ending) {
    if (mode() == report::CompareMode::Loss) {
        table_->setComparison(comparison_, legend_->hidden());  // which is not followed while nobody sees it
    }
    const bool isPivot = mode() == report::CompareMode::Pivot;
    const bool isBeforeAfter = mode() == report::CompareMode::BeforeAfter;
    const QString name = isPivot         ? QStringLiteral("pivot.")
                         : isBeforeAfter ? QStringLiteral("before-after.")
                                         : QStringLiteral("results.");
    const QString file = askForFile(tr("Export the table"), name + ending,
                                    QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    if (!file.isEmpty()) {
        write(file, tableFile(isPivot         ? pivot_->shownTable()
                              : isBeforeAfter ? beforeAfter_->shownTable()
                                              : table_->shownRows(),
                              ending));
    }
}

// For programs: plain numbers, and of each figure what it is of, at every topology.
void ComparePage::exportFigures() {
    const QString file =
        askForFile(tr("Export all figures"), QStringLiteral("figures.csv"), QStringLiteral("CSV (*.csv)"));
    if (file.isEmpty()) {
        return;
    }
    report::Report report;
    report.sections.push_back({.comparison = comparison_});
    std::erase_if(report.sections.front().comparison.series, [&](const report::ComparedSeries& series) {
        return legend_->hidden().contains(series.id);
    });
    write(file, tableFile(report::dataTable(report), QStringLiteral("csv")));
}

void ComparePage::exportChart(const report::ChartSpec& spec) {
    const QString name = QString::fromStdString(store::proposedFileName(spec.title)) + QStringLiteral(".svg");
    const QString file =
        askForFile(tr("Export the chart"), name, tr("SVG, PNG or PDF, as the name ends (*.svg *.png *.pdf)"));
    if (!file.isEmpty()) {
        write(file, chartFile(spec, file.toStdString()));
    }
}

QString ComparePage::askForFile(const QString& title, const QString& name, const QString& kinds) {
    const QString folder = writtenFile_.isEmpty()
                               ? QString::fromStdString(session_.workspace().root().string())
                               : QFileInfo(writtenFile_).path();
    return QFileDialog::getSaveFileName(this, title, QDir(folder).filePath(name), kinds);
}

void ComparePage::write(const QString& file, const Result<std::string>& bytes) {
    if (!bytes) {
        written_->showError(bytes.error());
        return;
    }
    writtenFile_ = file;
    writeFile(session_.background(), *written_, file, *bytes, tr("The file was written."), tr("Open"));
}

void ComparePage::copyChart(const report::ChartSpec& spec) {
    auto mime = chartMime(spec);
    if (mime) {
        QGuiApplication::clipboard()->setMimeData(mime->release());
    } else {
        note_->showError(mime.error());
    }
}

}  // namespace dlperf::ui
