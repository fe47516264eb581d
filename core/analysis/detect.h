// SPDX-License-Identifier: Apache-2.0
// Which format a log is of, by what its lines hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/format_book.h"
#include "core/analysis/line_reader.h"

namespace dlperf::analysis {

struct Detection {
    const Format* format = nullptr;     // nothing when none or more than one fits
    std::string why;                    // a sentence, with a line of the log
    std::vector<const Format*> others;  // that read the same lines
};

// The sentence, which says why there is no figure, and that the format may be the wrong one: `why` is that of
// its detection.
[[nodiscard]] std::string nameGuess(std::string sentence, const Format& format, const std::string& why);

// Asks the user's own formats first, then the built-in ones. Holds their scanners: make one for many logs.
class FormatDetector {
public:
    explicit FormatDetector(FormatBook formats = {});

    // The head of a log: as much as holds some of its training lines.
    [[nodiscard]] Detection detect(std::string_view head) const;
    // Lines of the format stand in the head.
    [[nodiscard]] bool holds(const Format& format, std::string_view head) const;
    [[nodiscard]] std::shared_ptr<const LineScanner> scannerOf(const Format& format) const;
    // The format, or the flavour of it that the head is of.
    [[nodiscard]] const Format& flavourOf(const Format& format, std::string_view head) const;

private:
    struct Candidate {
        std::shared_ptr<const LineScanner> scanner;
        bool isOwn = false;
    };
    FormatBook formats_;  // keeps the user's as long as their scanners
    std::vector<Candidate> candidates_;
};

}  // namespace dlperf::analysis
