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
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
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

// A log of the plan, with what was said of it, and as it was found. A copy: once the dialog is accepted the
// plan belongs to the thread that saves it, and the table may still be painted.
struct ImportRow {
    std::size_t place = 0;  // in the plan
    imports::Proposal log;
    imports::Proposal found;
    QStringList said = QStringList(ImportDialog::FieldCount);
};

namespace {

constexpr int importRowHeight = 28;
constexpr QSize importSize{1320, 620};
// px at 100 %
constexpr int leastPath = 230;
constexpr int leastRemarks = 160;
constexpr int widestWord = 190;
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
    return proposal.verdict == imports::Verdict::NoFormat && proposal.bytes == 0
               ? ImportDialog::tr("empty")
               : words.at(static_cast<std::size_t>(proposal.verdict));
}

bool isOpen(const Proposal& proposal) {
    return proposal.verdict == imports::Verdict::Incomplete || proposal.verdict == imports::Verdict::NoFormat;
}

QString remarksOn(const Proposal& proposal) {
    if (!proposal.sameAs.empty()) {
        return QString::fromStdString(proposal.sameAs);
    }
    const std::string notes = join(proposal.notes, "; ");
    return localized(notes.empty() && proposal.format == nullptr ? proposal.why : notes);
}

// Nothing for an empty text; what is no number from 1 on is refused: a sentence with "%1" for it.
Result<std::optional<int>> numberIn(const QString& text, const QString& refusal) {
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (!text.isEmpty() && (!isNumber || number < 1)) {
        return fail(refusal.arg(text).toStdString());
    }
    return text.isEmpty() ? std::nullopt : std::optional(number);
}

// The end of a path tells logs apart.
class PathDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideLeft;
    }
};

QVariant signOf(const Proposal& proposal) {
    const bool wanted = proposal.verdict == imports::Verdict::New;
    const bool there = proposal.verdict == imports::Verdict::Duplicate;
    return QVariant::fromValue(wanted  ? icon(QStringLiteral("state-ok"), Ink::Ok)
                               : there ? icon(QStringLiteral("state-queued"), Ink::Idle)
                                       : icon(QStringLiteral("state-warn"), Ink::Warn));
}

}  // namespace

// One row a log: what is known of it and what becomes of it.
class ImportModel final : public ColumnsModel<ImportRow> {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::ImportModel)

public:
    ImportModel(imports::ImportPlan& plan, const Vocabulary& vocabulary, QObject* parent)
        : ColumnsModel(parent), plan_(plan), vocabulary_(vocabulary) {
        rows_.reserve(plan.proposals.size());
        for (const Proposal& log : plan.proposals) {
            rows_.push_back({rows_.size(), log, log});
        }
        // What waits for an answer is seen first.
        std::stable_partition(rows_.begin(), rows_.end(),
                              [](const ImportRow& row) { return isOpen(row.found); });
        const auto column = [](const QString& title, std::function<QString(const Proposal&)> text) {
            const auto ofRow = [text = std::move(text)](const ImportRow& row) { return text(row.log); };
            return Column{.title = title, .text = ofRow, .tip = ofRow};
        };
        const auto word = [&vocabulary](WordKind kind, std::string Configuration::*field) {
            return [&vocabulary, kind, field](const Proposal& log) {
                return textOr(vocabulary.title(kind, log.configuration.*field));
            };
        };
        std::vector<Column> columns{
            column(tr("Log"), [](const Proposal& log) { return QString::fromStdString(log.name); }),
            column(tr("State"), verdictText),
            column(tr("Format"),
                   [](const Proposal& log) {
                       return textOr(log.format != nullptr ? analysis::name(*log.format) : std::string());
                   }),
            column(tr("Framework"), word(WordKind::Framework, &Configuration::framework)),
            column(tr("Implementation"), word(WordKind::Implementation, &Configuration::implementation)),
            column(tr("Model"), word(WordKind::Model, &Configuration::model)),
            column(tr("Topology"),
                   [](const Proposal& log) {
                       return textOr(log.topology ? toString(*log.topology) : std::string());
                   }),
            column(tr("Batch"),
                   [](const Proposal& log) {
                       const int size = log.configuration.batchSize;
                       return textOr(size > 0 ? std::to_string(size) : std::string());
                   }),
            column(tr("Precision"), [](const Proposal& log) { return textOr(log.configuration.precision); }),
            column(tr("Repetition"),
                   [](const Proposal& log) {
                       return log.repetition ? QString::number(*log.repetition) : tr("next free");
                   }),
            column(tr("Remarks"), remarksOn)};
        columns[formatColumn].tip = [](const ImportRow& row) { return localized(row.log.why); };
        setColumns(std::move(columns));
    }

    QVariant data(const QModelIndex& index, int role) const override {
        return role == Qt::DecorationRole && index.isValid() && index.column() == stateColumn
                   ? signOf(proposal(index.row()))
                   : ColumnsModel::data(index, role);
    }

    [[nodiscard]] const Proposal& proposal(int row) const { return rows_[static_cast<std::size_t>(row)].log; }

    [[nodiscard]] const QStringList& said(int row) const { return rows_[static_cast<std::size_t>(row)].said; }

    // All that is said of this log, over what was found: what was said of it before and is not here counts no
    // more.
    void correct(int row, const QStringList& said, const imports::Corrections& corrections) {
        ImportRow& corrected = rows_[static_cast<std::size_t>(row)];
        corrected.said = said;
        if (corrected.found.verdict != imports::Verdict::Duplicate) {
            corrected.log = corrected.found;
            imports::correct(corrected.log, corrections, vocabulary_);
            plan_.proposals[corrected.place] = corrected.log;
            emit dataChanged(index(row, 0), index(row, columnCount() - 1));
        }
    }

protected:
    [[nodiscard]] std::span<const ImportRow> rows() const override { return rows_; }

private:
    std::vector<ImportRow> rows_;
    imports::ImportPlan& plan_;
    const Vocabulary& vocabulary_;
};

ImportDialog::ImportDialog(std::shared_ptr<imports::ImportPlan> plan, const Vocabulary& vocabulary,
                           QWidget* parent)
    : QDialog(parent), plan_(std::move(plan)), model_(new ImportModel(*plan_, vocabulary, this)) {
    setWindowTitle(tr("Import logs"));
    build();
    resize(
        QSize(scaled(importSize.width()), scaled(importSize.height())).boundedTo(screen()->availableSize()));
    selectOpenQuestions();
    showCounts();
    showSelection();
}

void ImportDialog::build() {
    QVBoxLayout* column = makeDialogColumn(this);
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
    column->addWidget(buttons);
}

QWidget* ImportDialog::buildTable() {
    auto* panel = new Panel(this);
    table_ = makeRowsTable(model_, tr("Logs to import"), importRowHeight);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setItemDelegateForColumn(0, new PathDelegate(table_));
    table_->setWordWrap(false);  // else a long path is cut at its slashes
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ImportDialog::showSelection);
    panel->body()->addWidget(table_);
    return panel;
}

// As wide as their words; the paths have what the remarks do not need.
void ImportDialog::fitColumns() {
    const int remarks = model_->columnCount() - 1;
    int used = 0;
    for (int column = 1; column < remarks; ++column) {
        table_->resizeColumnToContents(column);
        table_->setColumnWidth(column, std::min(table_->columnWidth(column), scaled(widestWord)));
        used += table_->columnWidth(column);
    }
    table_->resizeColumnToContents(0);
    table_->resizeColumnToContents(remarks);
    const int kept = std::max(table_->columnWidth(remarks), scaled(leastRemarks));
    const int room = table_->viewport()->width() - used;
    const int least = scaled(leastPath);
    table_->setColumnWidth(0, std::clamp(table_->columnWidth(0), least, std::max(least, room - kept)));
}

void ImportDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    fitColumns();
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
    // After the format, as Field; the case stands in the second row.
    const std::array<std::pair<QString, QString>, FieldCount - 1> fields{
        {{tr("Framework"), QStringLiteral("MXNet")},
         {tr("Implementation"), QStringLiteral("gluon-cv")},
         {tr("Model"), QStringLiteral("r50")},
         {tr("Topology"), QStringLiteral("2n8g")},
         {tr("Batch size"), QStringLiteral("128")},
         {tr("Precision"), QStringLiteral("fp32")},
         {tr("Repetition"), QStringLiteral("1")}}};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        fields_.at(i) = addField(i + 1 < Topology ? *row : *second, fields.at(i).first, fields.at(i).second);
    }
    filled_ = typed();
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
    // All at once, in as few ranges as there can be: Qt takes them up one after the other.
    QItemSelection open;
    const int last = model_->columnCount() - 1;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const int first = row;
        while (row < model_->rowCount() && isOpen(model_->proposal(row))) {
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

QStringList ImportDialog::typed() const {
    QStringList texts{format_->currentIndex() > 0 ? format_->currentText() : QString()};
    for (const QLineEdit* field : fields_) {
        texts << field->text().trimmed();
    }
    return texts;
}

void ImportDialog::fill(const QStringList& texts) {
    format_->setCurrentIndex(texts[Format].isEmpty() ? 0 : format_->findText(texts[Format]));
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        fields_.at(i)->setText(texts[static_cast<qsizetype>(i) + 1]);
    }
}

QStringList ImportDialog::saidOf(const std::vector<int>& rows) const {
    QStringList common = rows.empty() ? QStringList(FieldCount) : model_->said(rows.front());
    for (const int row : rows) {
        for (qsizetype field = 0; field < FieldCount; ++field) {
            if (common[field] != model_->said(row)[field]) {
                common[field].clear();
            }
        }
    }
    return common;
}

Result<imports::Corrections> ImportDialog::correctionsOf(const QStringList& texts) const {
    imports::Corrections corrections;
    corrections.topology = parseTopology(texts[Topology].toStdString());
    if (!texts[Topology].isEmpty() && !corrections.topology) {
        return fail(tr("\"%1\" is no topology: write it like 2n8g.").arg(texts[Topology]).toStdString());
    }
    corrections.batchSize =
        TRY(numberIn(texts[BatchSize], tr("\"%1\" is no batch size: write a number from 1.")));
    corrections.repetition =
        TRY(numberIn(texts[Repetition], tr("\"%1\" is no repetition: write a number from 1.")));
    corrections.format = texts[Format].isEmpty() ? nullptr : plan_->formats.find(texts[Format].toStdString());
    corrections.framework = texts[Framework].toStdString();
    corrections.implementation = texts[Implementation].toStdString();
    corrections.model = texts[Model].toStdString();
    corrections.precision = texts[Precision].toStdString();
    return corrections;
}

void ImportDialog::apply() {
    const QStringList texts = typed();
    if (const auto corrections = correctionsOf(texts); !corrections) {
        word_->setText(localized(corrections.error().what));
        return;
    }
    for (const int row : selectedRows()) {
        QStringList all = saidOf({row});
        for (qsizetype i = 0; i < texts.size(); ++i) {
            if (!texts[i].isEmpty() || !filled_[i].isEmpty()) {
                all[i] = texts[i];
            }
        }
        if (const auto corrections = correctionsOf(all)) {
            model_->correct(row, all, *corrections);
        }
    }
    filled_ = texts;
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
    const std::vector<int> rows = selectedRows();
    const auto count = rows.size();
    selection_->setText(count == 0   ? tr("Select logs to correct what is known of them.")
                        : count == 1 ? tr("For the selected log:")
                                     : tr("For the %1 selected logs:").arg(count));
    apply_->setEnabled(count > 0);
    const QStringList said = saidOf(rows);
    if (typed() == filled_) {  // else it is being typed, for the logs that are selected now
        fill(said);
        filled_ = said;
    }
}

}  // namespace dlperf::ui
