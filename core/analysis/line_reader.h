// SPDX-License-Identifier: Apache-2.0
// The bytes of a log -> lines -> what each holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/capture.h"
#include "core/analysis/stamp.h"

namespace dlperf::analysis {

struct Line {
    std::string_view text;    // without its end
    std::int64_t number = 0;  // from 1; only LF counts, as in an editor
    bool cut = false;         // longer than LineSplitter::maxBytes: the rest is lost
    bool torn = false;        // the end of the log came before the end of the line
};

// Bytes in any chunks -> lines. LF, CRLF and a lone CR (progress bars) end a line; a line is bounded in
// memory.
class LineSplitter {
public:
    static constexpr std::size_t maxBytes = 64U << 10U;

    // onLine(const Line&) for each line that is not empty.
    template <class OnLine>
    void feed(std::string_view bytes, OnLine&& onLine) {
        const bool hasReturns = find(bytes, '\r') != std::string_view::npos;
        while (!bytes.empty()) {
            const std::size_t feedAt = find(bytes, '\n');
            if (!hasReturns && kept_.empty() && feedAt <= maxBytes) {  // nearly all lines are such
                if (feedAt > 0) {
                    onLine(Line{bytes.substr(0, feedAt), number_, false, false});
                }
                ++number_;
                bytes.remove_prefix(feedAt + 1);
                continue;
            }
            if (hasReturns) {
                feedSegments(bytes.substr(0, feedAt), onLine);
            } else {
                take(bytes.substr(0, feedAt));
            }
            if (feedAt == std::string_view::npos) {
                break;
            }
            end(onLine);
            ++number_;
            bytes.remove_prefix(feedAt + 1);
        }
        keep();
    }

    // What is left behind the last line end.
    template <class OnLine>
    void finish(OnLine&& onLine) {
        torn_ = true;
        end(onLine);
        torn_ = false;
    }

private:
    static std::size_t find(std::string_view bytes, char c) {
        const void* at = bytes.empty() ? nullptr : std::memchr(bytes.data(), c, bytes.size());
        return at == nullptr ? std::string_view::npos
                             : static_cast<std::size_t>(static_cast<const char*>(at) - bytes.data());
    }

    // Bytes without LF: all but the last CR-separated segment are whole lines.
    template <class OnLine>
    void feedSegments(std::string_view bytes, OnLine& onLine) {
        for (;;) {
            const std::size_t returnAt = find(bytes, '\r');
            take(bytes.substr(0, returnAt));
            if (returnAt == std::string_view::npos) {
                return;
            }
            end(onLine);
            bytes.remove_prefix(returnAt + 1);
        }
    }

    // The next part of the current line. A line that lies within one chunk is never copied.
    void take(std::string_view bytes) {
        if (kept_.empty() && bytes.size() <= maxBytes) {
            direct_ = bytes;
        } else {
            takeSlowly(bytes);
        }
    }
    void takeSlowly(std::string_view bytes);
    // The chunk goes away, its unfinished line stays.
    void keep();

    template <class OnLine>
    void end(OnLine& onLine) {
        if (!direct_.empty() || !kept_.empty()) {
            onLine(Line{kept_.empty() ? direct_ : std::string_view(kept_), number_, cut_, torn_});
        }
        direct_ = {};
        kept_.clear();
        cut_ = false;
    }

    std::string kept_;
    std::string_view direct_;
    std::int64_t number_ = 1;
    bool cut_ = false;
    bool torn_ = false;
};

// A text within a line, in bytes from its start; none where the size is 0.
struct Place {
    std::uint32_t at = 0;
    std::uint32_t size = 0;

    std::string_view in(std::string_view line) const { return {line.data() + at, size}; }
};

struct NumberPlace {
    Place text;
    NumberShape shape;
};

// Where a counted line's things stand.
struct LinePlaces {
    NumberPlace index;
    NumberPlace indexFactor;
    NumberPlace value;
    NumberPlace dlperfValue;
    Place stamp;
    bool stampIsSure = false;
    bool stampIsPadded = false;
    NumberPlace data;
    NumberPlace loss;
};

// A line that counts, before anything is made of it.
struct CountedLine {
    std::optional<std::int64_t> index;  // as printed, times its factor
    std::optional<double> value;        // of the format's quantity, as the extractor rounds it
    std::optional<double> dlperfValue;  // where the extractor may read another one
    PrintedStamp stamp;
    std::optional<double> data;  // seconds
    std::optional<double> loss;
};

// One line of a log -> what it holds, by the format's row. Knows nothing of other lines, so that one scanner
// serves all logs of a format, from any thread.
class LineScanner {
public:
    explicit LineScanner(const Format& format);

    const Format& format() const { return *format_; }

    // All markers stand in the line: the fast no for most lines of a log.
    [[nodiscard]] bool counts(std::string_view line) const;
    // Where all that the format prints stands in a line that counts.
    [[nodiscard]] LinePlaces find(std::string_view line) const;
    // What stands at those places; loss and data with the details only. Written in place, for the same reason
    // as number.h's inline functions.
    void read(std::string_view line, const LinePlaces& places, bool withDetails, CountedLine& counted) const;
    [[nodiscard]] std::optional<double> data(std::string_view line) const {
        return toNumber(data_.number(line));
    }
    // Of a line without a value: the text of one that may be another number than its first digits say.
    [[nodiscard]] std::string_view doubtfulValue(std::string_view line) const {
        return value_.doubtful(line);
    }
    // Of a line without a value, too: it says itself that there is none yet, as progress bars do ("?it/s").
    [[nodiscard]] bool isValueUnknown(std::string_view line) const { return value_.isUnknown(line); }
    [[nodiscard]] bool isOdd(std::string_view line) const;
    // How many devices one worker drives, where the line lists them.
    [[nodiscard]] std::optional<int> workerDevices(std::string_view line) const;
    // How many batches an iteration sums the gradients of, where the line says it.
    [[nodiscard]] std::optional<int> accumulation(std::string_view line) const;
    // The line is of this trainer, where others print lines that look alike.
    [[nodiscard]] bool isRecognised(std::string_view line) const;

    // Where a line's things stand hangs on where its digits stand, not on which they are: so it is unless the
    // row looks for a digit there, or has a pattern.
    [[nodiscard]] bool followsShape() const;
    // A line with other digits at the same places might count.
    [[nodiscard]] bool mayCount(std::string_view line) const;
    // Whether it does hangs on which they are: a marker holds one.
    [[nodiscard]] bool digitsDecide() const { return digitsDecide_; }

private:
    using Texts = std::vector<TextFinder>;
    [[nodiscard]] bool holdsMarkers(const std::vector<Texts>& markers, std::string_view line) const;

    const Format* format_;
    std::vector<Texts> markers_;
    std::vector<Texts> blankMarkers_;  // their digits are 0
    bool digitsDecide_ = false;
    Texts recognisedBy_;
    TextFinder oddText_;
    CaptureReader index_;
    CaptureReader indexFactor_;
    CaptureReader value_;
    CaptureReader loss_;
    CaptureReader data_;
    std::unique_ptr<const RE2> workerDevices_;
    std::unique_ptr<const RE2> accumulation_;
};

// What the extractor of PyTorch's examples reads from a line: the first text of one digit, any character and
// 1 to 3 digits before a blank. Empty if there is none; if it is no number either, the extractor aborts.
[[nodiscard]] std::string_view oneDigitDuration(std::string_view line);

// What is true of every line whose digits stand at the same places and whose other bytes are the same.
struct LineShape {
    bool mayCount = false;  // if its digits are the right ones
    bool isHeader = false;
    bool isOdd = false;
    Place rank;         // of a launcher's prefix
    Place text;         // the line without that prefix
    LinePlaces places;  // within the text
};

// A bounded store of shapes: one that has not been seen for long gives way.
class LineShapes {
public:
    LineShapes() = default;
    LineShapes(const LineShapes&) = delete;  // its parts point to each other
    LineShapes& operator=(const LineShapes&) = delete;

    // The line's shape, of which `make(line)` says what is true where it is not known yet.
    template <class Make>
    const LineShape& of(std::string_view line, const Make& make) {
        if (Slot* slot = latestSlot_->next; slot != nullptr && isOf(*slot, line)) {
            goTo(*slot);
            return slot->shape;
        }
        Slot* slot = line.size() <= longest ? slotFor(line) : nullptr;
        if (slot == nullptr) {
            return latest_ = make(line);
        }
        if (!slot->isKept()) {
            keep(*slot, line.size());
            slot->shape = make(line);
        }
        if (latestSlot_->next == nullptr || std::exchange(latestSlot_->isDoubted, true)) {
            latestSlot_->next = slot;
        }
        goTo(*slot);
        return slot->shape;
    }

private:
    static constexpr std::size_t longest = 512;  // bytes; longer lines are rare
    static constexpr std::size_t slotCount = 256;

    struct Slot {
        std::uint64_t hash = 0;
        std::string bytes;     // of a line, each digit as '0'; empty until the shape is kept
        std::string variance;  // by how much each byte may be higher: 9 for a digit, else 0
        LineShape shape;
        Slot* next = nullptr;    // expected behind it
        bool isDoubted = false;  // another one came the last time
        bool isUsed = false;     // since somebody else wanted this place

        bool isKept() const { return !bytes.empty(); }
    };

    void goTo(Slot& slot) {
        latestSlot_->isDoubted = latestSlot_->isDoubted && latestSlot_->next != &slot;
        slot.isUsed = true;
        latestSlot_ = &slot;
    }
    [[nodiscard]] static bool isOf(const Slot& slot, std::string_view line);
    void keep(Slot& slot, std::size_t size) const;
    // Where the line's shape is kept, or is to be kept: null for one that is not known to come again.
    [[nodiscard]] Slot* slotFor(std::string_view line);
    // Leaves the line's bytes without their digits.
    [[nodiscard]] std::uint64_t hashOf(std::string_view line);

    std::vector<Slot> slots_;  // none before the first line; of constant size from then on
    std::array<char, longest> bytes_{};
    Slot first_;  // before any other
    Slot* latestSlot_ = &first_;
    LineShape latest_;
};

struct ScannedLine {
    Line line;
    std::string_view text;  // without the prefix of a launcher
    bool isHeader = false;
    bool counts = false;
    bool isOdd = false;  // it counts, but is no training line
    CountedLine counted;
};

// Which ranks print the lines that count.
class RankMix {
public:
    void add(std::string_view rank) {
        if (rank.empty() && hasFirst_ && first_.empty()) {  // nearly always
            return;
        }
        if (!hasFirst_) {
            first_ = rank;
            hasFirst_ = true;
        }
        mixed_ = mixed_ || rank != first_;
    }
    bool mixed() const { return mixed_; }

private:
    std::string first_;
    bool hasFirst_ = false;
    bool mixed_ = false;
};

// The bytes of one log -> what each of its lines holds, as LineScanner says it. A trainer prints millions of
// lines that differ in their digits only: the reader remembers their shapes and looks once a shape, not once
// a line, for where things stand.
class LineReader {
public:
    // With loss and data of each line, or without.
    LineReader(std::shared_ptr<const LineScanner> scanner, bool withDetails);
    virtual ~LineReader() = default;
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    // Any bytes in any chunks; a line is bounded in memory (longer lines are cut).
    void feed(std::string_view bytes);
    // The end of the log: a last line without newline counts. Idempotent.
    void finish();

protected:
    // The next line that is not empty. All that it holds lies within the line's own text.
    virtual void take(const ScannedLine& line) = 0;

    [[nodiscard]] const LineScanner& scanner() const { return *scanner_; }
    [[nodiscard]] const RankMix& ranks() const { return ranks_; }
    [[nodiscard]] bool finished() const { return finished_; }

private:
    void read(const Line& printed);
    [[nodiscard]] LineShape shapeFrom(std::string_view line) const;

    std::shared_ptr<const LineScanner> scanner_;
    bool withDetails_;
    bool followsShape_;
    LineSplitter lines_;
    LineShapes shapes_;
    LineShape single_;     // where shapes say nothing
    ScannedLine scanned_;  // the newest
    RankMix ranks_;
    bool hasEscapes_ = false;  // for a terminal, so far
    std::string plain_;        // the line without them
    bool finished_ = false;
};

}  // namespace dlperf::analysis
