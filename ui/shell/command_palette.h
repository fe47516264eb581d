// SPDX-License-Identifier: Apache-2.0
// Find an action or a run: a field and a list over the window's top centre. Part of the window and no window
// of its own, so that its corners stay round without a compositor and the window keeps the keyboard.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QToolButton>
#include <vector>

#include "ui/shell/palette_entries.h"

class QLabel;
class QLineEdit;
class QListView;
class QKeySequence;

namespace dlperf::ui {

class PaletteModel;

// What looks like a search field in the menu bar and opens the palette: icon, words, the shortcut as a key.
class FindButton final : public QToolButton {
    Q_OBJECT

public:
    FindButton(const QString& text, const QKeySequence& shortcut, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
};

class CommandPalette final : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* window);

    void open(std::vector<PaletteEntry> entries);
    // The focus goes back to where it was.
    void dismiss();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    // Tab stays in the field: behind the palette nothing can be seen to have the focus.
    bool focusNextPrevChild(bool next) override;
    void hideEvent(QHideEvent* event) override;

private:
    void takeQuery(const QString& query);
    void choose(const QModelIndex& index);
    void move(int rows);
    void place();
    void describeCurrent();
    [[nodiscard]] bool takeFieldEvent(QEvent* event);
    [[nodiscard]] bool takeKey(int key);

    QLineEdit* field_;
    QListView* list_;
    PaletteModel* model_;
    QLabel* nothing_;
    QPointer<QWidget> before_;  // had the focus
};

}  // namespace dlperf::ui
