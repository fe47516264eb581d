// SPDX-License-Identifier: Apache-2.0
// The five pages, each made when it is first shown: a start pays for one only.
#pragma once

#include <QStackedWidget>
#include <array>

#include "ui/shell/sidebar.h"

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

    void show(Section section);
    // Shows the section's title until show() is called: a window has its first picture before it has a page.
    // Returns what shows it.
    QWidget& announce(Section section);
    // What show() or announce() was last called with; before that Compare.
    [[nodiscard]] Section section() const { return section_; }
    Page& current() { return at(section_); }
    // Null until the page is first shown.
    [[nodiscard]] Page* made(Section section) const { return pages_[static_cast<std::size_t>(section)]; }
    // Makes the pages that are still missing, one in a turn of the event loop.
    void makeRest();

signals:
    void pageMade(dlperf::ui::Section section);

private:
    Page& at(Section section);
    [[nodiscard]] Page* make(Section section);

    Session& session_;
    std::array<Page*, sectionCount> pages_{};
    Page* title_ = nullptr;  // until the first page is shown
    Section section_ = Section::Compare;
};

}  // namespace dlperf::ui
