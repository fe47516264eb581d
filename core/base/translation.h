// SPDX-License-Identifier: Apache-2.0
// What core and the command line say to people, in another language. They write English, and files and JSON
// keep that; whoever shows a text to a person looks it up here. So what a run said years ago is translated
// too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"

namespace dlperf {

class Translation {
public:
    Translation() = default;  // gives every text back as it is

    // Of a catalog: {"{} of {} runs": "{1} 次运行中的 {0} 次"}. A key is a format string of the program with
    // its numbers and names as {}; a value names them by {0}, {1}, … where the order is another, and is null
    // for a text that every language keeps. An Input error for anything else.
    [[nodiscard]] static Result<Translation> read(std::string_view catalog, const std::string& where);
    // "zh", "zh_CN.UTF-8": the built-in Chinese one. English for any other.
    [[nodiscard]] static const Translation& to(std::string_view language);

    // One sentence or several, joined by ". ", "; ", ": ", ", " or lines; what the catalog does not have
    // stays.
    [[nodiscard]] std::string operator()(std::string_view text) const;

    // Of a text that stood behind a comma, where a single word is somebody's name and not the heading of a
    // column: "After" of "PyTorch, 1n1g, After".
    [[nodiscard]] std::string part(std::string_view text) const;

    // ", " or ": ", between texts that are in the language already.
    [[nodiscard]] std::string joint(std::string_view english) const;

    [[nodiscard]] bool isEnglish() const { return whole_.empty() && patterns_.empty(); }

private:
    struct Pattern {
        std::vector<std::string> pieces;  // between its numbers and names, of which there is one less
        std::string translated;
        std::size_t letters = 0;  // of all pieces
    };
    struct Effort;

    [[nodiscard]] std::string lookUp(std::string_view text, Effort effort) const;
    [[nodiscard]] std::string lookUpWords(std::string_view text, Effort effort) const;
    // Nothing where neither a whole text nor a pattern is it.
    [[nodiscard]] std::optional<std::string> known(std::string_view text, Effort effort) const;
    [[nodiscard]] std::string byLines(std::string_view text, Effort effort) const;
    [[nodiscard]] std::string bySentences(std::string_view text, Effort effort) const;
    [[nodiscard]] std::string byParts(std::string_view text, Effort effort) const;
    [[nodiscard]] std::string byBracket(std::string_view text, Effort effort) const;
    [[nodiscard]] std::string filled(const Pattern& pattern, const std::vector<std::string_view>& words,
                                     Effort effort) const;

    std::unordered_map<std::string, std::string> whole_;
    std::vector<Pattern> patterns_;  // those of the most letters first: the most exact one counts
};

// The language that the environment asks programs of a terminal to speak, as gettext reads it: LANGUAGE,
// LC_ALL, LC_MESSAGES, LANG.
[[nodiscard]] std::string languageOfTerminal();

}  // namespace dlperf
