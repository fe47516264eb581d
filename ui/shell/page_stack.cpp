// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/page_stack.h"

#include <QTimer>
#include <utility>

#include "ui/pages/cluster_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/launch_page.h"
#include "ui/pages/report_page.h"
#include "ui/pages/runs_page.h"

namespace dlperf::ui {

PageStack::PageStack(Session& session, QWidget* parent) : QStackedWidget(parent), session_(session) {}

ClusterPage& PageStack::cluster() {
    return static_cast<ClusterPage&>(at(Place::Cluster));
}

LaunchPage& PageStack::launch() {
    return static_cast<LaunchPage&>(at(Place::Launch));
}

RunsPage& PageStack::runs() {
    return static_cast<RunsPage&>(at(Place::Runs));
}

ComparePage& PageStack::compare() {
    return static_cast<ComparePage&>(at(Place::Compare));
}

ReportPage& PageStack::report() {
    return static_cast<ReportPage&>(at(Place::Report));
}

void PageStack::show(Place place) {
    place_ = place;
    setCurrentWidget(&at(place));
    delete std::exchange(title_, nullptr);
}

QWidget& PageStack::announce(Place place) {
    place_ = place;
    delete std::exchange(title_, new Page(placeTitle(place), {}, this));
    addWidget(title_);
    setCurrentWidget(title_);
    return *title_;
}

void PageStack::makeRest() {
    for (int i = 0; i < placeCount; ++i) {
        if (const auto place = static_cast<Place>(i); made(place) == nullptr) {
            at(place);
            // Not 0: that is a posted event, and those all come before the next input.
            QTimer::singleShot(1, this, &PageStack::makeRest);
            return;
        }
    }
}

Page& PageStack::at(Place place) {
    Page*& page = pages_[static_cast<std::size_t>(place)];
    if (page == nullptr) {
        page = make(place);
        addWidget(page);
        emit pageMade(place);
    }
    return *page;
}

Page* PageStack::make(Place place) {
    switch (place) {
        case Place::Cluster:
            return new ClusterPage(session_, this);
        case Place::Launch:
            return new LaunchPage(session_, this);
        case Place::Runs:
            return new RunsPage(session_, this);
        case Place::Report:
            return new ReportPage(session_, compare(), this);
        case Place::Compare:
            break;
    }
    return new ComparePage(session_, this);
}

}  // namespace dlperf::ui
