// SPDX-License-Identifier: Apache-2.0
// Edit: takes back what was just done, and what can be done with the run that is shown.
#pragma once

#include <QMenu>

namespace dlperf::ui {

class PageStack;
class UndoBanner;

class EditMenu final : public QMenu {
    Q_OBJECT

public:
    EditMenu(PageStack& pages, QWidget* parent);

    // What can be done now; the menu looks itself before it opens.
    void lookAgain();

private:
    [[nodiscard]] UndoBanner* said() const;
    void undo();

    PageStack& pages_;
    QAction* undo_;
    QAction* exclude_;
    QAction* delete_;
    QAction* emptyTrash_;
};

}  // namespace dlperf::ui
