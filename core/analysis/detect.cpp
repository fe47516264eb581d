// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/detect.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/line_reader.h"
#include "core/analysis/rank_prefix.h"
#include "core/analysis/terminal_escape.h"
#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::analysis {
namespace {

// What the lines of a log are for one format.
struct Match {
    const Format* format = nullptr;
    bool isOwn = false;
    std::int64_t lines = 0;  // that hold what the format's rule needs
    bool recognised = false;
    std::int64_t firstLine = 0;
    std::string example;
};

// A counted line that a figure can be made of.
bool serves(const Format& format, const CountedLine& line) {
    if (format.rule == RangeRule::SumOfEpochs) {
        return line.value.has_value() || line.index.has_value();
    }
    if (format.index.printed() && !line.index) {
        return false;
    }
    return format.value.printed() ? line.value.has_value() : line.stamp.read().has_value();
}

// The line is of another trainer, or of this one with other options: it prints at other iterations.
bool contradicts(const Format& format, const CountedLine& line) {
    const bool isNumbered = format.numbering == Numbering::Printed && line.index.has_value();
    return isNumbered && *line.index % format.lines.stride != 0;
}

Match match(const LineScanner& scanner, std::string_view head) {
    Match match;
    match.format = &scanner.format();
    bool isContradicted = false;
    LineSplitter lines;
    std::string plain;
    lines.feed(head, [&](const Line& line) {
        const std::string_view text = withoutRank(withoutEscapes(line.text, plain)).text;
        if (!scanner.counts(text)) {
            return;
        }
        match.recognised = match.recognised || scanner.isRecognised(text);
        CountedLine counted;
        scanner.read(text, scanner.find(text), false, counted);
        if (!serves(scanner.format(), counted)) {
            return;
        }
        isContradicted = isContradicted || contradicts(scanner.format(), counted);
        if (++match.lines > 1) {
            return;
        }
        match.firstLine = line.number;
        match.example = cleanUtf8(text.substr(0, 60));
    });
    if (!match.recognised || isContradicted) {
        match.lines = 0;
    }
    return match;
}

// All but the user's own where one of them fits, and those that stand behind another one of what is left.
void dropSeconds(std::vector<Match>& matches, std::vector<const Format*>& others) {
    const bool hasOwn =
        std::any_of(matches.begin(), matches.end(), [](const Match& one) { return one.isOwn; });
    const auto isSecond = [&](const Match& match) {
        if (match.isOwn != hasOwn) {
            return true;
        }
        return std::any_of(matches.begin(), matches.end(), [&](const Match& other) {
            return other.isOwn == hasOwn && other.format->name == match.format->secondTo;
        });
    };
    std::vector<Match> kept;
    for (const Match& match : matches) {
        isSecond(match) ? others.push_back(match.format) : kept.push_back(match);
    }
    matches = std::move(kept);
}

std::string namesOf(const std::vector<const Format*>& formats) {
    return join(mapped(formats, &Format::name), ", ");
}

Detection choose(std::vector<Match> matches) {
    Detection detection;
    dropSeconds(matches, detection.others);
    if (matches.empty()) {
        detection.why = "no known format matches its lines";
        return detection;
    }
    if (matches.size() > 1) {
        for (const Match& match : matches) {
            detection.others.push_back(match.format);
        }
        detection.why = "its lines match more than one format: " + namesOf(detection.others);
        return detection;
    }
    const Match& match = matches.front();
    detection.format = match.format;
    detection.why =
        fmt::format("line {} is one of {}: \"{}\"", match.firstLine, match.format->title, match.example);
    return detection;
}

}  // namespace

std::string nameGuess(std::string sentence, const Format& format, const std::string& why) {
    return std::move(sentence) +
           fmt::format("; nobody named the log's format, it is taken for {}, since {}", format.name, why);
}

FormatDetector::FormatDetector(FormatBook known) : formats_(std::move(known)) {
    for (const Format& format : formats_.own()) {
        candidates_.push_back({std::make_shared<const LineScanner>(format), true});
    }
    for (const Format& format : formats()) {
        candidates_.push_back({std::make_shared<const LineScanner>(format), false});
    }
}

Detection FormatDetector::detect(std::string_view head) const {
    std::vector<Match> matches;
    for (const Candidate& candidate : candidates_) {
        Match one = match(*candidate.scanner, head);
        one.isOwn = candidate.isOwn;
        if (one.lines > 0) {
            matches.push_back(std::move(one));
        }
    }
    return choose(std::move(matches));
}

bool FormatDetector::holds(const Format& format, std::string_view head) const {
    return match(*scannerOf(format), head).lines > 0;
}

std::shared_ptr<const LineScanner> FormatDetector::scannerOf(const Format& format) const {
    for (const Candidate& candidate : candidates_) {
        if (&candidate.scanner->format() == &format) {
            return candidate.scanner;
        }
    }
    return std::make_shared<const LineScanner>(format);
}

const Format& FormatDetector::flavourOf(const Format& format, std::string_view head) const {
    for (const Candidate& candidate : candidates_) {
        const Format& other = candidate.scanner->format();
        if (other.flavourOf == format.name && !holds(format, head) && holds(other, head)) {
            return other;
        }
    }
    return format;
}

}  // namespace dlperf::analysis
