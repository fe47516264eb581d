// SPDX-License-Identifier: Apache-2.0
// The checks of a node, one row each, and those over all nodes. What did not pass stands open: why it
// matters, what the node printed, and a remedy to copy.
#pragma once

#include <QWidget>
#include <vector>

#include "core/cluster/checks.h"

class QVBoxLayout;

namespace dlperf::ui {

class CheckList final : public QWidget {
    Q_OBJECT

public:
    explicit CheckList(QWidget* parent = nullptr);
    // `between` stands below them, under a heading; without any there is none.
    void setChecks(const std::vector<cluster::Check>& checks,
                   const std::vector<cluster::Check>& between = {});
    // In place of the checks, while there are none.
    void setWord(const QString& title, const QString& text);

private:
    QVBoxLayout* column_;
};

}  // namespace dlperf::ui
