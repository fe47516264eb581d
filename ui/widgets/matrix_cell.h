// SPDX-License-Identifier: Apache-2.0
// One case in the matrix of a plan: how many runs, and about how long.
#pragma once

#include <QAbstractButton>

namespace dlperf::ui {

class MatrixCell final : public QAbstractButton {
    Q_OBJECT

public:
    MatrixCell(const QString& runs, const QString& time, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {64, 38}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString runs_;
    QString time_;
};

}  // namespace dlperf::ui
