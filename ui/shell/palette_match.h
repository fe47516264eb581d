// SPDX-License-Identifier: Apache-2.0
// How well a text answers to what was typed: letters in order, with beginnings before middles.
#pragma once

#include <QString>
#include <optional>

namespace dlperf::ui {

// Nothing when a word of the query is not in the text; else the larger, the better. The words may come in any
// order and are each one of, best first: the text's beginning, a word's beginning, the words' first letters
// ("ow" for "Open workspace"), a part of a word, letters in order from a word's beginning on.
[[nodiscard]] std::optional<int> matchScore(const QString& query, const QString& text);

}  // namespace dlperf::ui
