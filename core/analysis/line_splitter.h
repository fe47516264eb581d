// SPDX-License-Identifier: Apache-2.0
// Bytes in any chunks -> lines. LF, CRLF and a lone CR (progress bars) end a line; a line is bounded in
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace dlperf::analysis {

struct Line {
    std::string_view text;    // without its end
    std::int64_t number = 0;  // from 1; only LF counts, as in an editor
    bool cut = false;         // longer than LineSplitter::maxBytes: the rest is lost
    bool torn = false;        // the end of the log came before the end of the line
};

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

}  // namespace dlperf::analysis
