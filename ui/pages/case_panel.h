// SPDX-License-Identifier: Apache-2.0
// What runs: the exact environment of each node, and the script, which is the same on every node.
#pragma once

#include "core/launch/prepare.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

class QSyntaxHighlighter;
class QTableWidget;

namespace dlperf::ui {

class Segments;

class CasePanel final : public Panel {
    Q_OBJECT

public:
    explicit CasePanel(QWidget* parent = nullptr);
    void showRun(const launch::PlannedRun& run, const QString& title);
    void clear();

protected:
    void changeEvent(QEvent* event) override;

private:
    void showNode(int index);

    launch::PlannedRun run_;
    Segments* nodes_;
    QTableWidget* environment_;
    QPlainTextEdit* script_;
    QSyntaxHighlighter* highlighter_;
    Look look_ = currentLook();
};

}  // namespace dlperf::ui
