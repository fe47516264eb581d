// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/import_dialog.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTableView>
#include <QVBoxLayout>
#include <array>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/format_row.h"
#include "core/base/text.h"
#include "ui/models/columns_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

constexpr int importRowHeight = 28;
constexpr QSize importSize{1320, 620};
// px at 100 %, in the order of the columns; the last one takes the rest.
constexpr std::array columnWidths{230, 140, 150, 116, 116, 116, 76, 56, 76, 84};
constexpr int stateColumn = 1;
constexpr int formatColumn = 2;

using imports::Proposal;

QString textOr(const std::string& text) {
    return text.empty() ? QStringLiteral("?") : QString::fromStdString(text);
}

// In the order of imports::Verdict.
QString verdictText(const Proposal& proposal) {
    const std::array<QString, 4> words{ImportDialog::tr("new"), ImportDialog::tr("is there already"),
                                       ImportDialog::tr("unknown format"), ImportDialog::tr("incomplete")};
    return words.at(static_cast<std::size_t>(proposal.verdict));
}

QVariant signOf(const Proposal& proposal) {
    const bool wanted = proposal.verdict == imports::Verdict::New;
    const bool there = proposal.verdict == imports::Verdict::Duplicate;
    return QVariant::fromValue(wanted  ? icon(QStringLiteral("state-ok"), Ink::Ok)
                               : there ? icon(QStringLiteral("state-queued"), Ink::Idle)
                                       : icon(QStringLiteral("state-warn"), Ink::Warn));
}

}  // namespace

// One row a log: what is known of it and what becomes of it.
class ImportModel final : public ColumnsModel<Proposal> {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::ImportModel)

public:
    ImportModel(std::shared_ptr<imports::ImportPlan> plan, const Vocabulary& vocabulary, QObject* parent)
        : ColumnsModel(parent), plan_(std::move(plan)), vocabulary_(vocabulary) {
        const auto word = [&vocabulary](WordKind kind, std::string Configuration::*field) {
            return [&vocabulary, kind, field](const Proposal& log) {
                return textOr(vocabulary.title(kind, log.configuration.*field));
            };
        };
        std::vector<Column> columns{
            {tr("Log"), [](const Proposal& log) { return QString::fromStdString(log.name); }},
            {tr("State"), verdictText},
            {tr("Format"),
             [](const Proposal& log) {
                 return textOr(log.format != nullptr ? analysis::name(*log.format) : std::string());
             }},
            {tr("Framework"), word(WordKind::Framework, &Configuration::framework)},
            {tr("Implementation"), word(WordKind::Implementation, &Configuration::implementation)},
            {tr("Model"), word(WordKind::Model, &Configuration::model)},
            {tr("Topology"),
             [](const Proposal& log) {
                 return textOr(log.topology ? toString(*log.topology) : std::string());
             }},
            {tr("Batch"),
             [](const Proposal& log) {
                 const int size = log.configuration.batchSize;
                 return textOr(size > 0 ? std::to_string(size) : std::string());
             }},
            {tr("Precision"), [](const Proposal& log) { return textOr(log.configuration.precision); }},
            {tr("Repetition"),
             [](const Proposal& log) {
                 return log.repetition ? QString::number(*log.repetition) : tr("next free");
             }},
            {tr("Remarks"), [](const Proposal& log) {
                 return log.sameAs.empty() ? localized(join(log.notes, "; "))
                                           : QString::fromStdString(log.sameAs);
             }}};
        for (Column& column : columns) {
            column.tip = column.text;
        }
        columns[formatColumn].tip = [](const Proposal& log) { return localized(log.why); };
        setColumns(std::move(columns));
    }

    QVariant data(const QModelIndex& index, int role) const override {
        return role == Qt::DecorationRole && index.isValid() && index.column() == stateColumn
                   ? signOf(proposal(index.row()))
                   : ColumnsModel::data(index, role);
    }

    [[nodiscard]] const Proposal& proposal(int row) const { return rows()[static_cast<std::size_t>(row)]; }

    void correct(const std::vector<int>& rows, const imports::Corrections& corrections) {
        for (const int row : rows) {
            Proposal& changed = plan_->proposals[static_cast<std::size_t>(row)];
            if (changed.verdict != imports::Verdict::Duplicate) {
                imports::correct(changed, corrections, vocabulary_);
            }
        }
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

protected:
    [[nodiscard]] std::span<const Proposal> rows() const override { return plan_->proposals; }

private:
    std::shared_ptr<imports::ImportPlan> plan_;
    const Vocabulary& vocabulary_;
};

ImportDialog::ImportDialog(std::shared_ptr<imports::ImportPlan> plan, const Vocabulary& vocabulary,
                           QWidget* parent)
    : QDialog(parent), plan_(std::move(plan)), model_(new ImportModel(plan_, vocabulary, this)) {
    setWindowTitle(tr("Import logs"));
    build();
    resize(
        QSize(scaled(importSize.width()), scaled(importSize.height())).boundedTo(screen()->availableSize()));
    selectOpenQuestions();
    showCounts();
    showSelection();
}

void ImportDialog::build() {
    QVBoxLayout* column =
        makeColumn(this, {dialogMargin, dialogMargin, dialogMargin, dialogMargin}, dialogSpacing);
    column->addWidget(makeLabel(
        tr("They will be copied to logs/imported-%1").arg(QString::fromStdString(plan_->name)), "strong"));
    word_ = makeLabel({}, "secondary");
    word_->setObjectName(QStringLiteral("word"));
    word_->setWordWrap(true);
    column->addWidget(word_);
    column->addWidget(buildTable(), 1);
    column->addWidget(buildCorrections());
    QDialogButtonBox* buttons = makeDialogButtons(QDialogButtonBox::Cancel, this);
    import_ = makeButton({}, {}, "primary");
    import_->setObjectName(QStringLiteral("import"));
    buttons->addButton(import_, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

QWidget* ImportDialog::buildTable() {
    auto* panel = new Panel(this);
    table_ = makeRowsTable(model_, tr("Logs to import"), importRowHeight);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->setWordWrap(false);  // else a long path is cut at its slashes
    for (std::size_t i = 0; i < columnWidths.size(); ++i) {
        table_->setColumnWidth(static_cast<int>(i), scaled(columnWidths[i]));
    }
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ImportDialog::showSelection);
    panel->body()->addWidget(table_);
    return panel;
}

QWidget* ImportDialog::buildCorrections() {
    auto* box = new QWidget(this);
    QVBoxLayout* column = makeColumn(box, {}, dialogSpacing / 2);
    selection_ = makeLabel({}, "secondary");
    column->addWidget(selection_);
    QHBoxLayout* row = makeRow(nullptr, {}, dialogSpacing / 2);
    QHBoxLayout* second = makeRow(nullptr, {}, dialogSpacing / 2);
    format_ = new QComboBox;
    format_->setAccessibleName(tr("Format"));
    format_->addItem(tr("Format as found"));
    for (const analysis::Format* format : plan_->formats.all()) {
        format_->addItem(QString::fromStdString(format->name));
    }
    row->addWidget(format_);
    framework_ = addField(*row, tr("Framework"), QStringLiteral("MXNet"));
    implementation_ = addField(*row, tr("Implementation"), QStringLiteral("gluon-cv"));
    modelName_ = addField(*row, tr("Model"), QStringLiteral("r50"));
    topology_ = addField(*second, tr("Topology"), QStringLiteral("2n8g"));
    batchSize_ = addField(*second, tr("Batch size"), QStringLiteral("128"));
    precision_ = addField(*second, tr("Precision"), QStringLiteral("fp32"));
    repetition_ = addField(*second, tr("Repetition"), QStringLiteral("1"));
    apply_ = makeButton(tr("Apply"));
    apply_->setObjectName(QStringLiteral("apply"));
    connect(apply_, &QPushButton::clicked, this, &ImportDialog::apply);
    second->addWidget(apply_);
    column->addLayout(row);
    column->addLayout(second);
    return box;
}

QLineEdit* ImportDialog::addField(QHBoxLayout& row, const QString& name, const QString& example) {
    auto* field = new QLineEdit;
    field->setAccessibleName(name);
    field->setPlaceholderText(tr("%1, e.g. %2").arg(name, example));
    connect(field, &QLineEdit::returnPressed, this, &ImportDialog::apply);
    row.addWidget(field, 1);
    return field;
}

// Return in a field applies what stands there; to the dialog it would mean the button that imports.
void ImportDialog::keyPressEvent(QKeyEvent* event) {
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && qobject_cast<QLineEdit*>(focusWidget()) != nullptr) {
        event->accept();
        return;
    }
    QDialog::keyPressEvent(event);
}

void ImportDialog::selectOpenQuestions() {
    const auto isOpen = [this](int row) {
        const imports::Verdict verdict = model_->proposal(row).verdict;
        return verdict == imports::Verdict::Incomplete || verdict == imports::Verdict::NoFormat;
    };
    // All at once, in as few ranges as there can be: Qt takes them up one after the other.
    QItemSelection open;
    const int last = model_->columnCount() - 1;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const int first = row;
        while (row < model_->rowCount() && isOpen(row)) {
            ++row;
        }
        if (row > first) {
            open.append({model_->index(first, 0), model_->index(row - 1, last)});
        }
    }
    table_->selectionModel()->select(open, QItemSelectionModel::Select);
}

// As they are shown. Qt's selectedRows() asks of each row anew whether it is selected.
std::vector<int> ImportDialog::selectedRows() const {
    std::set<int> rows;
    for (const QItemSelectionRange& range : table_->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.insert(row);
        }
    }
    return {rows.begin(), rows.end()};
}

Result<std::optional<int>> ImportDialog::numberIn(const QLineEdit& field, const QString& refusal) const {
    const QString text = field.text().trimmed();
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (!text.isEmpty() && (!isNumber || number < 1)) {
        return fail(refusal.arg(text).toStdString());
    }
    return text.isEmpty() ? std::nullopt : std::optional(number);
}

void ImportDialog::apply() {
    imports::Corrections corrections;
    const QString topology = topology_->text().trimmed();
    corrections.topology = parseTopology(topology.toStdString());
    if (!topology.isEmpty() && !corrections.topology) {
        word_->setText(tr("\"%1\" is no topology: write it like 2n8g.").arg(topology));
        return;
    }
    const auto batchSize = numberIn(*batchSize_, tr("\"%1\" is no batch size: write a number from 1."));
    const auto repetition = numberIn(*repetition_, tr("\"%1\" is no repetition: write a number from 1."));
    for (const auto* number : {&batchSize, &repetition}) {
        if (!*number) {
            word_->setText(localized(number->error().what));
            return;
        }
    }
    corrections.batchSize = *batchSize;
    corrections.repetition = *repetition;
    if (format_->currentIndex() > 0) {
        corrections.format = plan_->formats.find(format_->currentText().toStdString());
    }
    corrections.framework = framework_->text().trimmed().toStdString();
    corrections.implementation = implementation_->text().trimmed().toStdString();
    corrections.model = modelName_->text().trimmed().toStdString();
    corrections.precision = precision_->text().trimmed().toStdString();
    model_->correct(selectedRows(), corrections);
    showCounts();
}

void ImportDialog::showCounts() {
    const std::size_t wanted = plan_->count(imports::Verdict::New);
    const std::size_t there = plan_->count(imports::Verdict::Duplicate);
    const std::size_t open = plan_->proposals.size() - wanted - there;
    QStringList parts{tr("%1 new").arg(wanted)};
    if (there > 0) {
        parts << tr("%1 are there already").arg(there);
    }
    if (open > 0) {
        parts << tr("%1 lack something and stay out: select them and say below what you know").arg(open);
    }
    word_->setText(tr("%1.").arg(parts.join(tr("; "))));
    import_->setText(wanted == 1 ? tr("Import 1 log") : tr("Import %1 logs").arg(wanted));
    import_->setEnabled(wanted > 0);
}

void ImportDialog::showSelection() {
    const auto count = selectedRows().size();
    selection_->setText(count == 0   ? tr("Select logs to correct what is known of them.")
                        : count == 1 ? tr("For the selected log:")
                                     : tr("For the %1 selected logs:").arg(count));
    apply_->setEnabled(count > 0);
}

}  // namespace dlperf::ui
