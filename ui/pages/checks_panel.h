// SPDX-License-Identifier: Apache-2.0
// The preflight checks of one node: how many passed, what did not with its remedy, and asking again.
#pragma once

#include <QWidget>

#include "ui/session/node_list.h"

class QHBoxLayout;
class QPushButton;

namespace dlperf::ui {

class CheckList;

class ChecksPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ChecksPanel(QWidget* parent = nullptr);
    // `between` are the checks over all nodes, below the node's own.
    void showNode(const NodeEntry& entry, const std::vector<cluster::Check>& between);
    void showNothing();

signals:
    void checkRequested();

private:
    void showCounts(const NodeEntry& entry, const std::vector<cluster::Check>& between);

    QHBoxLayout* counts_;
    QPushButton* again_;
    CheckList* checks_;
};

}  // namespace dlperf::ui
