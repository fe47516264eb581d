// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/versions_dialog.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QString>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/models/copy_table.h"
#include "ui/session/background.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int versionRowHeight = 28;
constexpr int partWidth = 240;
constexpr int versionsFilterWidth = 220;
constexpr int versionWidth = 320;
constexpr QSize versionsSize{760, 560};
enum VersionColumn { Part, Version, Nodes, VersionColumnCount };

struct VersionRow {
    QString part;
    QString version;
    QString nodes;  // "node1, node2"
};

constexpr std::size_t rowsAtMost = 5000;
constexpr int longestVersion = 400;

// Remote text: one line, and not endless.
QString word(const std::string& text) {
    return QString::fromStdString(text).simplified().left(longestVersion);
}

class Rows {
public:
    void add(const QString& part, const QString& version, const std::string& node) {
        if (version.isEmpty()) {
            return;
        }
        const QString name = QString::fromStdString(node);
        const auto same = std::ranges::find_if(
            rows_, [&](const VersionRow& row) { return row.part == part && row.version == version; });
        if (same != rows_.end()) {
            same->nodes += QStringLiteral(", ") + name;
        } else if (rows_.size() < rowsAtMost) {
            rows_.push_back({part, version, name});
        }
    }
    [[nodiscard]] std::vector<VersionRow> take() { return std::move(rows_); }

private:
    std::vector<VersionRow> rows_;
};

Json listOf(const Json& json, const char* field) {
    const Json list = json.is_object() ? json.value(field, Json::array()) : Json::array();
    return list.is_array() ? list : Json::array();
}

void addMachine(Rows& rows, const std::string& node, const Json& ofNode) {
    const std::pair<QString, const char*> parts[] = {
        {VersionsDialog::tr("Kernel"), "kernel"}, {VersionsDialog::tr("C library"), "libc"},
        {VersionsDialog::tr("Driver"), "driver"}, {VersionsDialog::tr("CUDA"), "cuda"},
        {VersionsDialog::tr("NCCL"), "nccl"},     {VersionsDialog::tr("MPI"), "mpi"},
        {VersionsDialog::tr("Python"), "python"}};
    for (const auto& [part, field] : parts) {
        rows.add(part, word(textOf(ofNode, field)), node);
    }
}

void addImage(Rows& rows, const std::string& node, const Json& ofNode) {
    const Json image = ofNode.value("image", Json());
    rows.add(VersionsDialog::tr("Image"), word(textOf(image, "name")), node);
    rows.add(VersionsDialog::tr("Image id"), word(textOf(image, "id")), node);
    for (const Json& digest : listOf(image, "digests")) {
        rows.add(VersionsDialog::tr("Image digest"),
                 digest.is_string() ? word(digest.get<std::string>()) : QString(), node);
    }
}

bool hasChanges(const Json& checkout) {
    return checkout.is_object() && checkout.value("dirty", Json()) == Json(true);
}

void addCheckouts(Rows& rows, const std::string& node, const Json& ofNode) {
    for (const Json& checkout : listOf(ofNode, "repositories")) {
        const QString commit = word(textOf(checkout, "commit"));
        rows.add(VersionsDialog::tr("Checkout %1").arg(word(textOf(checkout, "path"))),
                 hasChanges(checkout) ? VersionsDialog::tr("%1, with changes").arg(commit) : commit, node);
    }
}

// By name, so that nodes that differ stand below each other.
void addPackages(Rows& rows, const run::NodeVersions& versions) {
    std::vector<std::pair<QString, std::pair<QString, std::string>>> packages;
    for (const auto& [node, ofNode] : versions) {
        for (const Json& item : listOf(ofNode, "packages")) {
            const QString line = item.is_string() ? word(item.get<std::string>()) : QString();
            const auto at = line.indexOf(QLatin1String("=="));
            packages.push_back(at < 0 ? std::pair{line.section(QLatin1Char(' '), 0, 0),
                                                  std::pair{line.section(QLatin1Char(' '), 1), node}}
                                      : std::pair{line.left(at), std::pair{line.mid(at + 2), node}});
        }
    }
    std::ranges::stable_sort(packages, [](const auto& a, const auto& b) {
        return QString::compare(a.first, b.first, Qt::CaseInsensitive) < 0;
    });
    for (const auto& [name, found] : packages) {
        rows.add(name, found.first, found.second);
    }
}

// First the machine, its image and the checkouts, then the Python packages by name.
std::vector<VersionRow> versionRows(const run::NodeVersions& versions) {
    Rows rows;
    using Add = void (*)(Rows&, const std::string&, const Json&);
    for (const Add add : {&addMachine, &addImage, &addCheckouts}) {
        for (const auto& [node, ofNode] : versions) {
            add(rows, node, ofNode);
        }
    }
    addPackages(rows, versions);
    return rows.take();
}

// The uncommitted changes of all checkouts, each once under a line that says where.
QString changesText(const run::NodeVersions& versions) {
    QStringList parts;
    for (const auto& [node, ofNode] : versions) {
        for (const Json& checkout : listOf(ofNode, "repositories")) {
            const QString diff = QString::fromStdString(textOf(checkout, "diff"));
            const QString part =
                QStringLiteral("# ") + word(textOf(checkout, "path")) + QLatin1Char('\n') + diff;
            if (!diff.isEmpty() && !parts.contains(part)) {
                parts << part;
            }
        }
    }
    return parts.join(QLatin1Char('\n'));
}

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
    QVBoxLayout* column = makeDialogColumn(this);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(title, "strong"), 1);
    filter_ = makeFilterField(tr("Filter versions"));
    filter_->setFixedWidth(scaled(versionsFilterWidth));
    head->addWidget(filter_);
    column->addLayout(head);
    word_ = makeText(tr("Reading …"), "secondary");
    column->addWidget(word_);
    column->addWidget(buildTable(), 2);
    buildChanges(*column);
    QDialogButtonBox* buttons = makeDialogButtons(QDialogButtonBox::Close, this);
    QPushButton* copyAll = makeButton(tr("Copy table"), QStringLiteral("copy"));
    connect(copyAll, &QPushButton::clicked, this, &VersionsDialog::copy);
    buttons->addButton(copyAll, QDialogButtonBox::ActionRole);
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
    table_ = makeRowsTable(shown_, tr("Versions"), versionRowHeight);
    table_->setColumnWidth(Part, scaled(partWidth));
    table_->setColumnWidth(Version, scaled(versionWidth));
    panel->body()->addWidget(table_);
    return panel;
}

void VersionsDialog::buildChanges(QVBoxLayout& column) {
    changesTitle_ = makeLabel(tr("What was changed since the commit"), "section");
    column.addWidget(changesTitle_);
    changes_ = makeCodeView(changesTitle_->text());
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
            item->setToolTip(plainTip(text));
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
    const report::Table table = shownTable(*shown_, firstOf(columns), firstOf(shown_->rowCount()));
    copyText(QString::fromStdString(report::toMarkdown(table)));
}

}  // namespace dlperf::ui
