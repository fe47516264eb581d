// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/loading_strip.h"

#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>

#include "ui/session/session.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int quick = 300;  // ms: what takes less shows nothing

}  // namespace

LoadingStrip::LoadingStrip(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* bar = new QProgressBar;
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    column->addWidget(bar);
    const QString text = tr("Reading the results of this workspace …");
    QLabel* words = makeLabel(text, "secondary");
    words->setContentsMargins(12, 0, 12, 4);
    column->addWidget(words);
    setAccessibleName(text);
    hide();
    delay_.setSingleShot(true);
    delay_.setInterval(quick);
    connect(&delay_, &QTimer::timeout, this, &LoadingStrip::showIfSlow);
    connect(&session_, &Session::resultsChanged, this, &LoadingStrip::showIfSlow);
    delay_.start();
}

void LoadingStrip::showIfSlow() {
    setVisible(!session_.isLoaded() && !delay_.isActive());
}

}  // namespace dlperf::ui
