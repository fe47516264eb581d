// SPDX-License-Identifier: Apache-2.0
// Parts of a window as a person finds them: what is visible, by what it says or is called.
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <algorithm>

namespace dlperf::ui::test {

// The first one for which it holds; null: there is none.
template <typename Part, typename Holds>
[[nodiscard]] Part* findPart(const QWidget& within, const Holds& holds) {
    const auto parts = within.findChildren<Part*>();
    const auto found =
        std::ranges::find_if(parts, [&](Part* part) { return part->isVisible() && holds(*part); });
    return found == parts.end() ? nullptr : *found;
}

template <typename Part>
[[nodiscard]] Part* findPart(const QWidget& within) {
    return findPart<Part>(within, [](const Part&) { return true; });
}

[[nodiscard]] inline QAbstractButton* findButton(const QWidget& within, const QString& text) {
    return findPart<QAbstractButton>(within,
                                     [&](const QAbstractButton& button) { return button.text() == text; });
}

// The first label that has these words in it.
[[nodiscard]] inline QLabel* findWords(const QWidget& within, const QString& words) {
    return findPart<QLabel>(within, [&](const QLabel& label) { return label.text().contains(words); });
}

// By the name that a screen reader says.
template <typename Part>
[[nodiscard]] Part* findNamed(const QWidget& within, const QString& name) {
    return findPart<Part>(within, [&](const QWidget& part) { return part.accessibleName() == name; });
}

}  // namespace dlperf::ui::test
