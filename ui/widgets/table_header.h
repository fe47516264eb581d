// SPDX-License-Identifier: Apache-2.0
// A table's header whose titles end where the figures below them end. The style keeps room for the sort arrow
// in every section; here only the sorted one gives it.
#pragma once

#include <QHeaderView>

namespace dlperf::ui {

class TableHeader final : public QHeaderView {
public:
    explicit TableHeader(QWidget* parent = nullptr);

    // What the title of a column needs, in px.
    [[nodiscard]] int widthFor(int column) const;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int column) const override;

private:
    [[nodiscard]] bool isSorted(int column) const;
};

}  // namespace dlperf::ui
