// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/measured_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <utility>

#include "ui/pages/words_view.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

QString readFolderKey(const Session& session) {
    return session.settingsGroup() + QStringLiteral("/readFolder");
}

}  // namespace

MeasuredPanel::MeasuredPanel(QWidget* parent) : QWidget(parent) {
    QVBoxLayout* column = makeColumn(this, {}, 0);
    buildHead();
    QHBoxLayout* head = makeRow(nullptr, {14, 8, 14, 8}, 10);
    head->addWidget(measure_);
    head->addWidget(progress_, 1);
    head->addWidget(cancel_);
    column->addLayout(head);
    column->addWidget(makeSeparator());
    auto* area = new BannerArea(this);
    banner_ = area->add(QStringLiteral("measured"));
    column->addWidget(area);
    words_ = makeWordsView(tr("What was measured of the node"));
    column->addWidget(words_, 1);
    showState();
}

void MeasuredPanel::buildHead() {
    measure_ = makeSmallButton(tr("Measure"), QStringLiteral("measure"));
    auto* menu = new QMenu(measure_);
    menu->addAction(tr("Measure &links"), this, [this] { measure(Measurement::Kind::Links); });
    menu->addAction(tr("Measure &computing"), this, [this] { measure(Measurement::Kind::Computing); });
    menu->addAction(tr("Measure &reading …"), this, &MeasuredPanel::askForFolder);
    measure_->setMenu(menu);
    progress_ = new ElidedLabel;
    progress_->setProperty("kind", "secondary");
    progress_->setAccessibleName(tr("What the measurement is at"));
    cancel_ = makeSmallButton(tr("Cancel"), QStringLiteral("stop"));
    cancel_->setAccessibleName(tr("Cancel the measurement"));
    QSizePolicy keepsItsRoom = cancel_->sizePolicy();
    keepsItsRoom.setRetainSizeWhenHidden(true);
    cancel_->setSizePolicy(keepsItsRoom);
    connect(cancel_, &QPushButton::clicked, this, [this] { session_->measurement().cancel(); });
}

void MeasuredPanel::follow(Session& session) {
    session_ = &session;
    connect(&session.measurement(), &Measurement::changed, this, &MeasuredPanel::showState);
    connect(&session.measurement(), &Measurement::ended, this, &MeasuredPanel::showEnd);
    connect(&session.nodes(), &NodeList::listChanged, this, &MeasuredPanel::showState);
    connect(&session, &Session::statusChanged, this, &MeasuredPanel::showState);
    connect(&session, &Session::runnerStarted, this, &MeasuredPanel::showState);
    showState();
    read();
}

void MeasuredPanel::read() {
    session_->background().ask(
        this, [workspace = session_->workspace()] { return readMeasured(workspace); },
        [this, asked = ++asked_](MeasuredHardware&& measured) {
            if (asked == asked_) {
                measured_ = std::move(measured);
                isRead_ = true;
                showText();
            }
        });
}

void MeasuredPanel::showNode(const std::string& name) {
    node_ = name;
    showText();
}

// The same text again leaves a selection alone, another one the place that is looked at.
void MeasuredPanel::showText() {
    const QString text = isRead_ ? measuredText(measured_, node_, session_->workspace()) : QString();
    if (text == shown_) {
        return;
    }
    shown_ = text;
    const int place = words_->verticalScrollBar()->value();
    words_->setHtml(text);
    words_->verticalScrollBar()->setValue(place);
}

QString MeasuredPanel::text() const {
    return words_->toPlainText();
}

void MeasuredPanel::askForFolder() {
    auto* ask = new QInputDialog(this);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Measure reading"));
    ask->setLabelText(
        tr("The folder on every node, such as /data/imagenet. Empty: the data folder of each node."));
    ask->setTextValue(QSettings().value(readFolderKey(*session_)).toString());
    connect(ask, &QInputDialog::textValueSelected, this, [this](const QString& typed) {
        const QString folder = typed.trimmed();
        QSettings().setValue(readFolderKey(*session_), folder);
        measure(Measurement::Kind::Reading, folder);
    });
    ask->open();
}

void MeasuredPanel::measure(Measurement::Kind kind, const QString& folder) {
    if (!measure_->isEnabled()) {
        return;  // it began meanwhile
    }
    banner_->hide();
    if (const auto begun = session_->measure(kind, folder); !begun) {
        banner_->showError(begun.error());
    }
}

void MeasuredPanel::showState() {
    const bool isReady = session_ != nullptr && session_->nodes().isRead() && session_->nodes().isAccepted();
    const bool isRunning = session_ != nullptr && session_->measurement().isRunning();
    const run::Campaign* open = session_ == nullptr ? nullptr : session_->openCampaign();
    const bool isBusy =
        session_ != nullptr && (session_->isStarting() || (open != nullptr && open->runnerAlive));
    measure_->setEnabled(isReady && !isRunning && !isBusy);
    measure_->setToolTip(isBusy ? tr("A plan is starting or running: its trainers would be measured as well")
                                : tr("Measures all nodes of the list, as dlperf bench does"));
    cancel_->setVisible(isRunning);
    if (!isRunning) {
        progress_->clear();
        return;
    }
    const Measurement& measurement = session_->measurement();
    progress_->setText(measurement.isCancelled()          ? tr("Cancelling …")
                       : measurement.progress().isEmpty() ? tr("Asking the nodes …")
                                                          : localized(measurement.progress().toStdString()));
}

void MeasuredPanel::showEnd(Measurement::End end, const QStringList& words) {
    QStringList told;
    for (const QString& word : words) {
        told << localized(word.toStdString());
    }
    const QString why = told.join(QLatin1Char('\n'));
    switch (end) {
        case Measurement::End::Measured:
            if (words.isEmpty()) {
                banner_->showMessage("ok", tr("All nodes were measured."), {});
            } else {
                banner_->showMessage("warn", tr("Some of it could not be measured."), why);
            }
            break;
        case Measurement::End::Cancelled:
            banner_->showMessage("info", tr("The measurement was cancelled."),
                                 tr("Nothing of it is kept; what was measured before stays."));
            break;
        case Measurement::End::Failed:
            banner_->showMessage("fail", tr("Nothing was measured."), why);
            break;
    }
    read();
}

// The colours of the words are the theme's.
void MeasuredPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_ != nullptr) {
        showText();
    }
}

}  // namespace dlperf::ui
