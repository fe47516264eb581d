// SPDX-License-Identifier: Apache-2.0
// The five pages, each made when it is first asked for: a start pays for the one that it shows only.
#pragma once

#include <QStackedWidget>
#include <array>

#include "ui/shell/rail.h"

namespace dlperf::ui {

class ClusterPage;
class ComparePage;
class LaunchPage;
class Page;
class ReportPage;
class RunsPage;
class Session;

class PageStack final : public QStackedWidget {
    Q_OBJECT

public:
    explicit PageStack(Session& session, QWidget* parent = nullptr);

    ClusterPage& cluster();
    LaunchPage& launch();
    RunsPage& runs();
    ComparePage& compare();
    ReportPage& report();

    void show(Place place);
    // Shows the place's title until show() is called: a window has its first picture before it has a page.
    // Returns what shows it.
    QWidget& announce(Place place);
    // What show() or announce() was last called with; before that Compare.
    [[nodiscard]] Place place() const { return place_; }
    Page& current() { return at(place_); }
    // Null while nobody has asked for the page.
    [[nodiscard]] Page* made(Place place) const { return pages_[static_cast<std::size_t>(place)]; }
    // Makes the pages that are still missing, one in a turn of the event loop.
    void makeRest();

signals:
    void pageMade(dlperf::ui::Place place);

private:
    Page& at(Place place);
    [[nodiscard]] Page* make(Place place);

    Session& session_;
    std::array<Page*, placeCount> pages_{};
    Page* title_ = nullptr;  // until the first page is shown
    Place place_ = Place::Compare;
};

}  // namespace dlperf::ui
