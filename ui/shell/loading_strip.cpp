// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/loading_strip.h"

#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>

#include "ui/session/session.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int quick = 300;  // ms: what takes less is not told

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
    patience_.setSingleShot(true);
    patience_.setInterval(quick);
    connect(&patience_, &QTimer::timeout, this, &LoadingStrip::look);
    connect(&session_, &Session::resultsChanged, this, &LoadingStrip::look);
    patience_.start();
}

void LoadingStrip::look() {
    setVisible(!session_.isLoaded() && !patience_.isActive());
}

}  // namespace dlperf::ui
