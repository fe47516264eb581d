// SPDX-License-Identifier: Apache-2.0
// One check: a line with its verdict; with more to say it opens and closes by click, Space or Enter.
#pragma once

#include <QFrame>

#include "core/cluster/checks.h"

class QLabel;

namespace dlperf::ui {

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

}  // namespace dlperf::ui
