// SPDX-License-Identifier: Apache-2.0
// The preflight checks of one node, or of all with equal answers said once: how many passed, what did not
// with its remedy, and asking again.
#pragma once

#include "core/cluster/checks.h"
#include "ui/session/node_list.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {

// One check: a line with its verdict; with more to say it opens and closes by click, Space or Enter.
class CheckRow final : public QFrame {
    Q_OBJECT

public:
    explicit CheckRow(const cluster::Check& check, QWidget* parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QWidget* buildHead(const cluster::Check& check);
    [[nodiscard]] QWidget* buildBody(const cluster::Check& check);
    void toggle();

    QWidget* body_ = nullptr;
};

class CheckList;
class Segments;

class ChecksPanel final : public Panel {
    Q_OBJECT

public:
    explicit ChecksPanel(QWidget* parent = nullptr);
    // `nodes`: all there are; of more than one the panel can show what they have in common.
    void showNode(const NodeEntry& entry, const std::vector<NodeEntry>& nodes,
                  const std::vector<cluster::Check>& between);
    void showNothing();

signals:
    void checkRequested();

private:
    void showChecks();
    void showCounts(const std::vector<cluster::Check>& checks);

    NodeEntry entry_;
    std::vector<cluster::Check> all_;  // of all nodes, folded
    std::vector<cluster::Check> between_;
    QHBoxLayout* counts_;
    Segments* which_;
    QPushButton* again_;
    CheckList* checks_;
};

}  // namespace dlperf::ui
