// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/palette_match.h"

#include <QStringList>
#include <algorithm>

namespace dlperf::ui {
namespace {

// Far apart, so that the place of a word decides before how tightly its letters stand.
constexpr int textStart = 5000;
constexpr int wordStart = 4000;
constexpr int firstLetters = 3000;
constexpr int inside = 2000;
constexpr int inOrder = 1000;
constexpr int farthest = 500;  // what distance can take away within a step

bool isWordStart(const QString& text, qsizetype at) {
    return text[at].isLetterOrNumber() && (at == 0 || !text[at - 1].isLetterOrNumber());
}

int near(int step, qsizetype distance) {
    return step - static_cast<int>(std::min<qsizetype>(distance, farthest));
}

QString firstLettersOf(const QString& text) {
    QString letters;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (isWordStart(text, i)) {
            letters += text[i];
        }
    }
    return letters;
}

// How many letters lie between the first and the last of the word's, when they start at `from`.
std::optional<qsizetype> lettersInOrder(const QString& word, const QString& text, qsizetype from) {
    qsizetype at = from;
    for (qsizetype i = 1; i < word.size(); ++i) {
        at = text.indexOf(word[i], at + 1);
        if (at < 0) {
            return std::nullopt;
        }
    }
    return at - from + 1 - word.size();
}

std::optional<int> scoreInOrder(const QString& word, const QString& text) {
    std::optional<int> best;
    for (qsizetype at = text.indexOf(word[0]); at >= 0; at = text.indexOf(word[0], at + 1)) {
        if (const auto gap = isWordStart(text, at) ? lettersInOrder(word, text, at) : std::nullopt) {
            best = std::max(best.value_or(0), near(inOrder, *gap));
        }
    }
    return best;
}

std::optional<int> scoreWord(const QString& word, const QString& text) {
    std::optional<int> contained;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (at == 0) {
            return textStart;
        }
        const int score = near(isWordStart(text, at) ? wordStart : inside, at);
        contained = std::max(contained.value_or(0), score);
    }
    if (contained && *contained > firstLetters) {
        return contained;
    }
    if (const qsizetype at = firstLettersOf(text).indexOf(word); at >= 0 && word.size() > 1) {
        return near(firstLetters, at);
    }
    return contained ? contained : scoreInOrder(word, text);
}

}  // namespace

std::optional<int> matchScore(const QString& query, const QString& text) {
    const QString folded = text.toCaseFolded();
    int sum = 0;
    for (const QString& word : query.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto score = scoreWord(word, folded);
        if (!score) {
            return std::nullopt;
        }
        sum += *score;
    }
    return sum;
}

}  // namespace dlperf::ui
