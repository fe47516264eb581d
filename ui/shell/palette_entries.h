// SPDX-License-Identifier: Apache-2.0
// What the palette can find: every action of the menu bar, the five sections among them, and the runs.
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QMenuBar;

namespace dlperf::ui {

class Session;

// How well a text answers to what was typed: letters in order, with beginnings before middles.
// Nothing when a word of the query is not in the text; else the larger, the better. The words may come in any
// order and are each one of, best first: the text's beginning, a word's beginning, the words' first letters
// ("ow" for "Open workspace"), a part of a word, letters in order from a word's beginning on.
[[nodiscard]] std::optional<int> matchScore(const QString& query, const QString& text);

struct PaletteEntry {
    QString title;     // "Export report", "Theme: Dark", "NGC PyTorch 1n8g"
    QString detail;    // the menu, or what distinguishes one run from another
    QString shortcut;  // as the platform writes it
    QString icon;
    std::function<void()> choose;
};

// Without separators, disabled actions and those with the property "palette" set to false.
// The property "iconName" of an action is its icon here; menus have none.
[[nodiscard]] std::vector<PaletteEntry> menuEntries(const QMenuBar& bar);
// Newest first.
[[nodiscard]] std::vector<PaletteEntry> runEntries(
    const Session& session, const std::function<void(const std::string& runId)>& choose);
// The best answers first; equally good ones stay in their order. Everything for an empty query.
[[nodiscard]] std::vector<const PaletteEntry*> findEntries(const std::vector<PaletteEntry>& entries,
                                                           const QString& query);

}  // namespace dlperf::ui
