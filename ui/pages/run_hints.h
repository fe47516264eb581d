// SPDX-License-Identifier: Apache-2.0
// What the selected run's logs say went wrong, above the log: what, why, and what helps.
#pragma once

#include <QWidget>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/diagnosis/diagnose.h"

namespace dlperf::ui {

class Banner;

class RunHints final : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t mostShown = 2;  // the chart and the log need their room

    explicit RunHints(QWidget* parent = nullptr);

    // The worst first. Warnings that were closed stay closed for this run.
    void showHints(const std::string& runId, std::vector<diagnosis::Hint> hints);

signals:
    // From 1, as an editor counts.
    void lineRequested(const std::string& node, std::int64_t line);

private:
    void arrange();
    static void fill(Banner& banner, const diagnosis::Hint& hint);

    std::string runId_;
    std::vector<diagnosis::Hint> hints_;
    std::vector<diagnosis::Hint> shown_;
    std::set<std::string> closed_;  // rules
    std::array<Banner*, mostShown> banners_{};
};

}  // namespace dlperf::ui
