// SPDX-License-Identifier: Apache-2.0
// Widgets from left to right, broken into rows at the width.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace dlperf::ui {

class FlowLayout final : public QLayout {
public:
    FlowLayout(QWidget* parent, int horizontal, int vertical);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int arrange(const QRect& rect, bool apply) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    int horizontal_;
    int vertical_;
};

}  // namespace dlperf::ui
