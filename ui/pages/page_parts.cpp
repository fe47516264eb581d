// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/page_parts.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/theme/fonts.h"
#include "ui/widgets/parts.h"
#include "ui/widgets/table_header.h"

namespace dlperf::ui {
namespace {

template <class Layout>
Layout* makeLayout(QWidget* host, const QMargins& margins, int spacing) {
    auto* layout = host != nullptr ? new Layout(host) : new Layout;
    layout->setContentsMargins(margins);
    if (spacing >= 0) {
        layout->setSpacing(spacing);
    }
    return layout;
}

}  // namespace

QHBoxLayout* makeRow(QWidget* host, const QMargins& margins, int spacing) {
    return makeLayout<QHBoxLayout>(host, margins, spacing);
}

QVBoxLayout* makeColumn(QWidget* host, const QMargins& margins, int spacing) {
    return makeLayout<QVBoxLayout>(host, margins, spacing);
}

QWidget* makeEmptyPage(QWidget* parent, const QString& heading, const QString& text, QPushButton* next) {
    auto* host = new QWidget(parent);
    auto* column = new QVBoxLayout(host);
    column->addStretch(1);
    column->addWidget(makeLabel(heading, "heading"), 0, Qt::AlignHCenter);
    column->addWidget(makeLabel(text, "lead"), 0, Qt::AlignHCenter);
    column->addSpacing(12);
    column->addWidget(next, 0, Qt::AlignHCenter);
    column->addStretch(2);
    return host;
}

QPlainTextEdit* makeCodeView(const QString& name) {
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setProperty("kind", "code");
    text->setFont(monoFont());
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setTabChangesFocus(true);
    text->setAccessibleName(name);
    return text;
}

QLineEdit* makeFilterField(const QString& name) {
    auto* field = new QLineEdit;
    field->setPlaceholderText(name);
    field->setAccessibleName(name);
    field->setClearButtonEnabled(true);
    addSearchIcon(*field);
    return field;
}

QTableView* makeRowsTable(QAbstractItemModel* model, const QString& name, int rowHeight) {
    auto* table = new QTableView;
    table->setProperty("kind", "rows");
    table->setHorizontalHeader(new TableHeader(table));
    table->setModel(model);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    setUpRowTable(table, name, rowHeight);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

ProblemLine::ProblemLine(QWidget* parent) : QWidget(parent), text_(makeLabel({})) {
    QHBoxLayout* row = makeRow(this, {});
    row->addWidget(makeIcon(QStringLiteral("state-fail"), "fail"), 0, Qt::AlignTop);
    text_->setObjectName(QStringLiteral("problem"));
    text_->setWordWrap(true);
    setState(text_, "fail");
    row->addWidget(text_, 1);
    hide();
}

void ProblemLine::showProblem(const QString& text) {
    text_->setText(text);
    setVisible(!text.isEmpty());
}

}  // namespace dlperf::ui
