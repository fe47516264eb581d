// SPDX-License-Identifier: Apache-2.0
// The order in which the units (rows) of several logs are shown as one.
//
// The rule: logs are looked at again and again. What was found later stands later: so while a run goes on its
// lines stand in the order of their arrival, as exactly as the looks follow one another (some 150 ms). Within
// such a moment they stand log by log, so that a node's traceback stays in one piece.
// What was written before anybody looked, as all of a finished run, has no order of arrival, and its lines
// carry no clock that all formats and nodes share. It is spread evenly: the i-th of n units of a log stands
// at the share (i + ½) / n of it, equal shares by the order of the nodes; long logs are taken in steps of
// equal shares of their bytes. Side by side is then what stands at about the same share of its log, not what
// was written in the same moment.
//
// Units keep their place for ever: only what is added at the end changes anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dlperf::log {

class MergeOrder {
public:
    explicit MergeOrder(std::size_t logs) : logs_(logs) {}

    enum class Kind : unsigned char { Moment, Share };  // log by log, or spread evenly

    // So many more units of each log. Looks that find something in the same single log are one, so that a
    // run in which one node speaks takes no memory.
    void add(const std::vector<std::uint64_t>& units, Kind kind);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    // How many units of each log stand before the place; place <= size().
    [[nodiscard]] std::vector<std::uint64_t> before(std::uint64_t place) const;
    // The same, and the log whose unit stands there; place < size().
    struct At {
        std::vector<std::uint64_t> before;
        std::size_t log = 0;
    };
    [[nodiscard]] At at(std::uint64_t place) const;
    [[nodiscard]] std::uint64_t placeOf(std::size_t log, std::uint64_t unit) const;

private:
    using Counts = std::vector<std::uint64_t>;
    [[nodiscard]] std::size_t slices() const { return placesBefore_.size(); }
    [[nodiscard]] std::uint64_t unitsBefore(std::size_t slice, std::size_t log) const {
        return slice < slices() ? unitsBefore_[slice * logs_ + log] : total(log);
    }
    [[nodiscard]] std::uint64_t total(std::size_t log) const { return totals_.empty() ? 0 : totals_[log]; }
    [[nodiscard]] std::size_t sliceOf(std::uint64_t place) const;
    [[nodiscard]] Counts inSlice(std::size_t slice) const;
    std::size_t logs_;
    std::uint64_t size_ = 0;
    Counts totals_;
    std::vector<std::uint64_t> placesBefore_;  // by slice, as what one look found is called here
    std::vector<Kind> kinds_;                  // by slice
    std::vector<std::uint64_t> unitsBefore_;   // by slice and log
};

}  // namespace dlperf::log
