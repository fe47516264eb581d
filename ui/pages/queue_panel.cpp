// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/queue_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QListView>
#include <QShortcut>
#include <QVBoxLayout>
#include <utility>

#include "ui/models/queue_delegate.h"
#include "ui/models/queue_model.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int queueWidth = 304;

}  // namespace

QueuePanel::QueuePanel(const Vocabulary& vocabulary, QWidget* parent)
    : QWidget(parent), model_(new QueueModel(vocabulary, this)), list_(new QListView) {
    setScaledWidth(this, queueWidth);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* panel = new Panel(this);
    outer->addWidget(panel);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    buildFilter(row);
    panel->body()->addLayout(row);
    buildList();
    panel->body()->addWidget(list_, 1);
    setFocusProxy(list_);
}

void QueuePanel::buildFilter(QHBoxLayout* row) {
    auto* words = new QLineEdit;
    words->setPlaceholderText(tr("Filter runs"));
    words->setClearButtonEnabled(true);
    addSearchIcon(*words);
    connect(words, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setFilter(text);
        emit filtered();
    });
    row->addWidget(words, 1);
    auto* states = new QComboBox;
    states->setAccessibleName(tr("States"));
    using Show = QueueModel::Show;
    const std::pair<QString, Show> choices[] = {
        {tr("All states"), Show::All},          {tr("Active"), Show::Active},
        {tr("Queued"), Show::Queued},           {tr("Finished"), Show::Finished},
        {tr("No figure"), Show::WithoutFigure}, {tr("Excluded"), Show::Excluded}};
    for (const auto& [text, show] : choices) {
        states->addItem(text, static_cast<int>(show));
    }
    connect(states, &QComboBox::currentIndexChanged, this, [this, states] {
        model_->setShown(static_cast<Show>(states->currentData().toInt()));
        emit filtered();
    });
    row->addWidget(states);
}

void QueuePanel::buildList() {
    list_->setModel(model_);
    list_->setItemDelegate(new QueueDelegate(list_));
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setAccessibleName(tr("Runs"));
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    // At the run, whether the mouse or a key asked for it.
    connect(list_, &QListView::customContextMenuRequested, this, [this](const QPoint& where) {
        const QRect row = list_->visualRect(list_->currentIndex());
        emit menuRequested(list_->viewport()->mapToGlobal(row.contains(where) ? where : row.center()));
    });
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (const run::RunState* run = model_->run(index)) {
                    emit chosen(run->id);
                }
            });
    auto* remove = new QShortcut(QKeySequence(Qt::Key_Delete), list_);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &QueuePanel::removeRequested);
}

void QueuePanel::select(const std::string& runId) {
    if (const QModelIndex index = model_->indexOf(runId); index.isValid()) {
        list_->setCurrentIndex(index);
    }
}

std::string QueuePanel::firstRun() const {
    for (int i = 0; i < model_->rowCount(); ++i) {
        if (const run::RunState* run = model_->run(model_->index(i))) {
            return run->id;
        }
    }
    return {};
}

}  // namespace dlperf::ui
