// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/page_stack.h"

#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "ui/session/session.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int quick = 300;  // ms: what takes less shows nothing

}  // namespace

PageStack::PageStack(Session& session, QWidget* parent) : QStackedWidget(parent), session_(session) {}

void PageStack::show(Section section) {
    section_ = section;
    setCurrentWidget(&at(section));
    delete std::exchange(title_, nullptr);
}

QWidget& PageStack::announce(Section section) {
    section_ = section;
    delete std::exchange(title_, new Page(sectionTitle(section), {}, this));
    addWidget(title_);
    setCurrentWidget(title_);
    return *title_;
}

void PageStack::makeRest() {
    for (int i = 0; i < sectionCount; ++i) {
        if (const auto section = static_cast<Section>(i); made(section) == nullptr) {
            at(section);
            // Not 0: that is a posted event, and those all come before the next input.
            QTimer::singleShot(1, this, &PageStack::makeRest);
            return;
        }
    }
}

Page& PageStack::at(Section section) {
    Page*& page = pages_[static_cast<std::size_t>(section)];
    if (page == nullptr) {
        page = make(section);
        addWidget(page);
        emit pageMade(section);
    }
    return *page;
}

Page* PageStack::make(Section section) {
    switch (section) {
        case Section::Cluster:
            return new ClusterPage(session_, this);
        case Section::Launch:
            return new LaunchPage(session_, this);
        case Section::Runs:
            return new RunsPage(session_, this);
        case Section::Report:
            return new ReportPage(session_, compare(), this);
        case Section::Compare:
            break;
    }
    return new ComparePage(session_, this);
}

LoadingStrip::LoadingStrip(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    QVBoxLayout* column = makeColumn(this, {}, 4);
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
