// SPDX-License-Identifier: Apache-2.0
// Find an action or a run: a field and a list over the window's top centre. Part of the window and no window
// of its own, so that its corners stay round without a compositor and the window keeps the keyboard.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QToolButton>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QKeySequence;
class QLabel;
class QLineEdit;
class QListView;
class QMenuBar;

namespace dlperf::ui {

class PaletteModel;

class Session;

// How well a text answers to what was typed: letters in order, with beginnings before middles.
// Nothing when a word of the query is not in the text; else the larger, the better. The words may come in any
// order and are each one of, best first: the text's beginning, a word's beginning, the words' first letters
// ("ow" for "Open workspace"), a part of a word, letters in order from a word's beginning on.
[[nodiscard]] std::optional<int> matchScore(const QString& query, const QString& text);

// What the palette can find: every action of the menu bar, the five sections among them, the buttons and
// views of the pages, and the runs.
struct PaletteEntry {
    QString title;     // "Export report", "Theme: Dark", "NGC PyTorch 1n8g"
    QString detail;    // the menu, or what distinguishes one run from another
    QString shortcut;  // as the platform writes it
    QString icon;
    std::function<void()> choose;
};

// Without disabled actions and those whose property "palette" is false; "iconName" names the icon.
[[nodiscard]] std::vector<PaletteEntry> menuEntries(const QMenuBar& bar);
// What a page offers now, under the page's title: its buttons, their menus, and what can be chosen to be
// shown. Those that are disabled say so, with the reason where there is one. show() brings the page to the
// front.
[[nodiscard]] std::vector<PaletteEntry> pageEntries(const QWidget& page, const QString& title,
                                                    const std::function<void()>& show);
[[nodiscard]] std::vector<PaletteEntry> runEntries(
    const Session& session, const std::function<void(const std::string& runId)>& choose);
// The best answers first; equally good ones stay in their order. Everything for an empty query. Letters in
// order count only where no text answers better: "theme" is not "the measurement".
[[nodiscard]] std::vector<const PaletteEntry*> findEntries(const std::vector<PaletteEntry>& entries,
                                                           const QString& query);

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
    void dismiss();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    // Tab stays in the field: behind the palette nothing can be seen to have the focus.
    bool focusNextPrevChild(bool next) override { return isVisible() || QFrame::focusNextPrevChild(next); }
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
