// SPDX-License-Identifier: Apache-2.0
#include "core/diagnosis/log_end.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/analysis/capture.h"
#include "core/analysis/format_row.h"
#include "core/analysis/number.h"
#include "core/analysis/rank_prefix.h"
#include "core/analysis/terminal_escape.h"
#include "core/base/text.h"

namespace dlperf::diagnosis {
namespace {

// Of causes that no rule knows: Python's last words, C++'s, the shell's and Slurm's.
const RE2& lastWords() {
    static const RE2 pattern(
        R"(^(?:(?:[A-Za-z_][\w.]*)?(?:Error|Exception): |KeyboardInterrupt$|terminate called |Segmentation fault|Aborted\b|Terminated$|(?:slurmstepd|srun): error: ))",
        analysis::byBytes());
    return pattern;
}

// How a trainer's log ends that is whole; empty where nothing always stands there.
std::string_view lastLineOf(const analysis::Format& format) {
    return format.name == "dlperf-worker" ? "# ranks: " : std::string_view();
}

class EndReader {
public:
    EndReader(const Rules& rules, const analysis::LineScanner& scanner)
        : scanner_(scanner), causes_(rules, "this run's machine"), lastLine_(lastLineOf(scanner.format())) {}

    void feed(std::string_view bytes) {
        keepTail(tail_, bytes);
        causes_.feed(bytes);
        lines_.feed(bytes, [this](const analysis::Line& line) { look(line); });
    }

    LogEnd finish() {
        causes_.finish();
        lines_.finish([this](const analysis::Line& line) { look(line); });
        const analysis::Format& format = scanner_.format();
        LogEnd end;
        if (ownFigure(format, tail_)) {
            return end;  // so it came to its end, whatever it said before
        }
        for (const Hint& hint : causes_.hints()) {
            if (isCause(hint)) {
                end.outOfMemory = end.outOfMemory || hint.outOfMemory;
                end.hints.push_back(hint);
            }
        }
        end.hints = mostTelling(std::move(end.hints));
        if (!end.hints.empty()) {
            end.trouble = said(end.hints.front().line, end.hints.front().evidence);
        } else if (!lastWords_.empty()) {
            end.trouble = said(lastWordsLine_, lastWords_);
        } else if (!lastLine_.empty() && !endsWhole_) {
            end.trouble = fmt::format(
                "nothing says that its trainer ended by itself: the line \"{}…\" is missing, with which such "
                "logs end",
                lastLine_);
        } else if (!format.said.figure.empty()) {
            end.trouble =
                "nothing says that its trainer ended by itself: the figure of the whole run is missing, with "
                "which such logs end";
        }
        return end;
    }

private:
    // What was wrong before the first iteration did not end the trainer; but memory may be said to be out
    // before lines that waited in a buffer.
    bool isCause(const Hint& hint) const {
        return hint.severity == Severity::Fail &&
               (hint.outOfMemory || (firstIteration_ && hint.line > *firstIteration_));
    }

    static std::string said(std::int64_t line, std::string_view words) {
        constexpr std::size_t most = 120;
        return fmt::format("its trainer did not end by itself: line {} says \"{}\"", line,
                           cleanUtf8(trim(words.substr(0, most))));
    }

    void look(const analysis::Line& line) {
        const std::string_view shown = analysis::withoutEscapes(line.text.substr(0, mostOfLine), plain_);
        const std::string_view text = analysis::withoutRank(shown).text;
        if (scanner_.counts(text)) {
            firstIteration_ = firstIteration_.value_or(line.number);
        } else if (firstIteration_ && lastWords_.empty() &&
                   RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), lastWords())) {
            lastWords_ = text;
            lastWordsLine_ = line.number;
        }
        endsWhole_ = endsWhole_ || (!lastLine_.empty() && text.starts_with(lastLine_));
    }

    const analysis::LineScanner& scanner_;
    LogDiagnosis causes_;
    analysis::LineSplitter lines_;
    std::string plain_;  // the line without escape sequences
    std::string tail_;
    std::optional<std::int64_t> firstIteration_;  // its line
    std::string lastWords_;                       // the first of them
    std::int64_t lastWordsLine_ = 0;
    std::string_view lastLine_;
    bool endsWhole_ = false;
};

}  // namespace

void keepTail(std::string& tail, std::string_view bytes) {
    constexpr std::size_t tailBytes = 64U << 10U;
    tail.append(bytes.substr(bytes.size() - std::min(bytes.size(), tailBytes)));
    tail.erase(0, tail.size() - std::min(tail.size(), tailBytes));
}

std::optional<double> ownFigure(const analysis::Format& format, std::string_view tail) {
    constexpr int mostPlaces = 1000;
    if (format.said.figure.empty()) {
        return std::nullopt;
    }
    const RE2 pattern(format.said.figure, analysis::patternOptions());
    std::optional<double> own;
    for (int place = 0; place < mostPlaces && !tail.empty(); ++place) {
        const auto found = analysis::groupIn(&pattern, tail);
        if (!found) {
            break;
        }
        own = analysis::toNumber(*found);
        const auto end = static_cast<std::size_t>(found->data() + found->size() - tail.data());
        tail.remove_prefix(std::max<std::size_t>(end, 1));
    }
    return own;
}

Result<LogEnd> endOf(const Rules& rules, const analysis::LineScanner& scanner,
                     const std::filesystem::path& log, const std::stop_token& stop) {
    std::ifstream in(log, std::ios::binary);
    if (!in) {
        return fail("cannot be opened", log.string(), "Check its permissions.");
    }
    EndReader reader(rules, scanner);
    constexpr std::size_t pieceBytes = 64U << 10U;
    const auto piece = std::make_unique<char[]>(pieceBytes);
    while (in && !stop.stop_requested()) {
        in.read(piece.get(), static_cast<std::streamsize>(pieceBytes));
        reader.feed({piece.get(), static_cast<std::size_t>(in.gcount())});
    }
    if (in.bad()) {
        return fail("cannot be read to its end", log.string(), "Check the disk.");
    }
    return reader.finish();
}

}  // namespace dlperf::diagnosis
