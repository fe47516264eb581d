// SPDX-License-Identifier: Apache-2.0
// The five pages, each made when it is first shown: a start pays for one only.
#pragma once

#include <QStackedWidget>
#include <QTimer>
#include <QWidget>
#include <array>

#include "ui/pages/cluster_page.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/launch_page.h"
#include "ui/pages/report_page.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/sidebar.h"

namespace dlperf::ui {

class PageStack final : public QStackedWidget {
    Q_OBJECT

public:
    explicit PageStack(Session& session, QWidget* parent = nullptr);

    ClusterPage& cluster() { return static_cast<ClusterPage&>(at(Section::Cluster)); }
    LaunchPage& launch() { return static_cast<LaunchPage&>(at(Section::Launch)); }
    RunsPage& runs() { return static_cast<RunsPage&>(at(Section::Runs)); }
    ComparePage& compare() { return static_cast<ComparePage&>(at(Section::Compare)); }
    ReportPage& report() { return static_cast<ReportPage&>(at(Section::Report)); }

    void show(Section section);
    // Shows the section's title until show() is called: the first picture comes before the page.
    QWidget& announce(Section section);
    [[nodiscard]] Section section() const { return section_; }
    Page& current() { return at(section_); }
    [[nodiscard]] Page* made(Section section) const { return pages_[static_cast<std::size_t>(section)]; }
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

// A thin bar above the page while the workspace is read; nothing for a quick read.
class LoadingStrip final : public QWidget {
    Q_OBJECT

public:
    explicit LoadingStrip(Session& session, QWidget* parent = nullptr);

private:
    void showIfSlow();

    Session& session_;
    QTimer delay_;
};

}  // namespace dlperf::ui
