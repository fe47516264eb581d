// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/versions_dialog.h"

#include <QClipboard>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/models/copy_table.h"
#include "ui/models/version_rows.h"
#include "ui/session/background.h"
#include "ui/theme/fonts.h"
#include "ui/theme/look.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int versionRowHeight = 28;
constexpr int partWidth = 240;
constexpr int versionFilterWidth = 220;
constexpr int versionWidth = 320;
constexpr QSize versionsSize{760, 560};
constexpr int noVersionNumbers = -1;  // a role that the model has nothing under: texts as shown
enum VersionColumn { Part, Version, Nodes, VersionColumnCount };

}  // namespace

VersionsDialog::VersionsDialog(Background& files, const QString& title,
                               const std::filesystem::path& runFolder, QWidget* parent)
    : QDialog(parent),
      model_(new QStandardItemModel(0, VersionColumnCount, this)),
      shown_(new QSortFilterProxyModel(this)) {
    setWindowTitle(tr("Versions"));
    build(title);
    resize(scaled(versionsSize.width()), scaled(versionsSize.height()));
    files.ask(
        this, [runFolder] { return run::readVersions(runFolder); },
        [this](const Result<run::NodeVersions>& versions) { take(versions); });
}

void VersionsDialog::build(const QString& title) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(dialogMargin, dialogMargin, dialogMargin, dialogMargin);
    column->setSpacing(dialogSpacing);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(title, "strong"), 1);
    filter_ = new QLineEdit;
    filter_->setPlaceholderText(tr("Filter versions"));
    filter_->setAccessibleName(tr("Filter versions"));
    filter_->setClearButtonEnabled(true);
    filter_->setFixedWidth(scaled(versionFilterWidth));
    addSearchIcon(*filter_);
    head->addWidget(filter_);
    column->addLayout(head);
    word_ = makeLabel(tr("Reading …"), "secondary");
    word_->setWordWrap(true);
    column->addWidget(word_);
    column->addWidget(buildTable(), 2);
    buildChanges(*column);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copyAll = makeButton(tr("Copy table"), QStringLiteral("copy"));
    copyAll->setAutoDefault(false);  // Enter in the filter
    connect(copyAll, &QPushButton::clicked, this, &VersionsDialog::copy);
    buttons->addButton(copyAll, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    filter_->setFocus();
}

QWidget* VersionsDialog::buildTable() {
    auto* panel = new Panel(this);
    model_->setHorizontalHeaderLabels({tr("Part"), tr("Version"), tr("Nodes")});
    shown_->setSourceModel(model_);
    shown_->setFilterKeyColumn(-1);
    shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(filter_, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);
    table_ = new QTableView;
    table_->setProperty("kind", "rows");
    table_->setHorizontalHeader(new TableHeader(table_));
    table_->setModel(shown_);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    setUpRowTable(table_, tr("Versions"), versionRowHeight);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setColumnWidth(Part, scaled(partWidth));
    table_->setColumnWidth(Version, scaled(versionWidth));
    panel->body()->addWidget(table_);
    return panel;
}

// Shown where there are any.
void VersionsDialog::buildChanges(QVBoxLayout& column) {
    changesTitle_ = makeLabel(tr("What was changed since the commit"), "section");
    column.addWidget(changesTitle_);
    changes_ = new QPlainTextEdit;
    changes_->setReadOnly(true);
    changes_->setProperty("kind", "code");
    changes_->setFont(monoFont());
    changes_->setLineWrapMode(QPlainTextEdit::NoWrap);
    changes_->setTabChangesFocus(true);
    changes_->setAccessibleName(changesTitle_->text());
    changesPanel_ = new Panel(this);
    changesPanel_->body()->addWidget(changes_);
    column.addWidget(changesPanel_, 1);
    changesTitle_->hide();
    changesPanel_->hide();
}

void VersionsDialog::take(const Result<run::NodeVersions>& versions) {
    if (versions && !versions->empty()) {
        fill(*versions);
        return;
    }
    word_->setText(
        tr("Nothing is known. Versions are taken when a run's trainer starts and brought home when it ends; "
           "imported runs have none."));
}

void VersionsDialog::fill(const run::NodeVersions& versions) {
    const QDateTime taken =
        QDateTime::fromString(QString::fromStdString(textOf(versions.begin()->second, "taken")), Qt::ISODate);
    word_->setText(tr("Taken %1, once for all runs of the recipe in this campaign.")
                       .arg(taken.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))));
    word_->setVisible(taken.isValid());
    for (const VersionRow& row : versionRows(versions)) {
        QList<QStandardItem*> items;
        for (const QString& text : {row.part, row.version, row.nodes}) {
            auto* item = new QStandardItem(text);
            item->setToolTip(text.toHtmlEscaped());
            items << item;
        }
        items[Version]->setFont(monoFont());
        model_->appendRow(items);
    }
    table_->setColumnHidden(Nodes, versions.size() == 1);
    const QString changes = changesText(versions);
    changes_->setPlainText(changes);
    changesPanel_->setVisible(!changes.isEmpty());
    changesTitle_->setVisible(!changes.isEmpty());
}

void VersionsDialog::copy() const {
    const int columns = table_->isColumnHidden(Nodes) ? Nodes : VersionColumnCount;
    const report::Table table =
        shownTable(*shown_, firstOf(columns), firstOf(shown_->rowCount()), noVersionNumbers);
    QGuiApplication::clipboard()->setText(QString::fromStdString(report::toMarkdown(table)));
}

}  // namespace dlperf::ui
