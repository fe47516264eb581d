// SPDX-License-Identifier: Apache-2.0
// The sections of a report: which of them, and in which order. Dragged, or moved by Alt and the arrows.
#pragma once

#include <QListWidget>
#include <vector>

#include "core/report/report.h"

namespace dlperf::ui {

class SectionsList final : public QListWidget {
    Q_OBJECT

public:
    explicit SectionsList(QWidget* parent = nullptr);

    // These are chosen and come first; the others follow in their usual order.
    void setParts(const std::vector<report::ReportPart>& chosen);
    [[nodiscard]] std::vector<report::ReportPart> parts() const;  // that are chosen, in their order
    void moveCurrent(int rows);

signals:
    void partsChanged();
    void partPicked(dlperf::report::ReportPart part);  // to be looked at
    void summariesRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

private:
    [[nodiscard]] report::ReportPart partOf(const QListWidgetItem& item) const;

    bool filling_ = false;
};

}  // namespace dlperf::ui
