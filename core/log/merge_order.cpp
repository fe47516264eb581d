// SPDX-License-Identifier: Apache-2.0
#include "core/log/merge_order.h"

#include <algorithm>
#include <numeric>

namespace dlperf::log {
namespace {

using Counts = std::vector<std::uint64_t>;

constexpr std::size_t several = static_cast<std::size_t>(-1);

// Whether unit `i` of `log` stands before unit `j` of `other`: (i + ½) / n, without dividing.
bool standsBefore(const Counts& all, std::size_t log, std::uint64_t i, std::size_t other, std::uint64_t j) {
    const std::uint64_t left = (2 * i + 1) * all[other];
    const std::uint64_t right = (2 * j + 1) * all[log];
    return left != right ? left < right : log < other;
}

// The log whose next unit comes first, `several` where none has one left.
std::size_t nextLog(const Counts& all, const Counts& taken) {
    std::size_t best = several;
    for (std::size_t log = 0; log < all.size(); ++log) {
        if (taken[log] < all[log] &&
            (best == several || standsBefore(all, log, taken[log], best, taken[best]))) {
            best = log;
        }
    }
    return best;
}

std::size_t lastLog(const Counts& all, const Counts& taken) {
    std::size_t best = several;
    for (std::size_t log = 0; log < all.size(); ++log) {
        if (taken[log] > 0 &&
            (best == several || standsBefore(all, best, taken[best] - 1, log, taken[log] - 1))) {
            best = log;
        }
    }
    return best;
}

// How many of each log are among the first `count`, log by log.
Counts firstInTurn(const Counts& all, std::uint64_t count) {
    Counts taken(all.size(), 0);
    for (std::size_t log = 0; log < all.size(); ++log) {
        taken[log] = std::min(all[log], count);
        count -= taken[log];
    }
    return taken;
}

// Takes so many more, each from the log whose next unit comes first. A heap, as there may be hundreds of
// logs.
void takeNext(const Counts& all, Counts& taken, std::uint64_t more) {
    const auto comesLater = [&](std::size_t a, std::size_t b) {
        return standsBefore(all, b, taken[b], a, taken[a]);
    };
    std::vector<std::size_t> logs;
    for (std::size_t log = 0; more > 0 && log < all.size(); ++log) {
        if (taken[log] < all[log]) {
            logs.push_back(log);
        }
    }
    std::make_heap(logs.begin(), logs.end(), comesLater);
    for (; more > 0; --more) {
        std::pop_heap(logs.begin(), logs.end(), comesLater);
        const std::size_t next = logs.back();
        if (++taken[next] < all[next]) {
            std::push_heap(logs.begin(), logs.end(), comesLater);
        } else {
            logs.pop_back();
        }
    }
}

// The same where they are spread: nearly their shares of it, then put right one by one.
Counts firstSpread(const Counts& all, std::uint64_t count) {
    const std::uint64_t whole = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    Counts taken(all.size(), 0);
    std::uint64_t sum = 0;
    for (std::size_t log = 0; whole > 0 && log < all.size(); ++log) {
        taken[log] = std::min(
            all[log], static_cast<std::uint64_t>(static_cast<double>(all[log]) * static_cast<double>(count) /
                                                 static_cast<double>(whole)));
        sum += taken[log];
    }
    takeNext(all, taken, count - std::min(count, sum));
    sum = std::max(sum, count);
    for (; sum > count; --sum) {
        --taken[lastLog(all, taken)];
    }
    for (;;) {
        const std::size_t next = nextLog(all, taken);
        const std::size_t last = lastLog(all, taken);
        if (next == several || last == several || next == last ||
            !standsBefore(all, next, taken[next], last, taken[last] - 1)) {
            return taken;
        }
        ++taken[next];
        --taken[last];
    }
}

Counts firstOf(MergeOrder::Kind kind, const Counts& all, std::uint64_t count) {
    return kind == MergeOrder::Kind::Moment ? firstInTurn(all, count) : firstSpread(all, count);
}

// How many units of `other` stand before the unit `own` of `log`.
std::uint64_t spreadBefore(const Counts& all, std::size_t other, std::size_t log, std::uint64_t own) {
    std::uint64_t first = 0;
    std::uint64_t last = all[other];
    while (first < last) {
        const std::uint64_t middle = (first + last) / 2;
        if (standsBefore(all, other, middle, log, own)) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

// The log that alone has some, `several` where it is not alone.
std::size_t onlyLog(const Counts& counts) {
    std::size_t only = several;
    for (std::size_t log = 0; log < counts.size(); ++log) {
        if (counts[log] > 0) {
            if (only != several) {
                return several;
            }
            only = log;
        }
    }
    return only;
}

}  // namespace

std::vector<std::uint64_t> MergeOrder::inSlice(std::size_t slice) const {
    Counts counts(logs_);
    for (std::size_t log = 0; log < logs_; ++log) {
        counts[log] = unitsBefore(slice + 1, log) - unitsBefore(slice, log);
    }
    return counts;
}

void MergeOrder::add(const std::vector<std::uint64_t>& units, Kind kind) {
    const std::uint64_t sum = std::accumulate(units.begin(), units.end(), std::uint64_t{0});
    if (sum == 0) {
        return;
    }
    totals_.resize(logs_, 0);
    const std::size_t only = onlyLog(units);
    const bool same = only != several && slices() > 0 && onlyLog(inSlice(slices() - 1)) == only;
    if (!same) {
        placesBefore_.push_back(size_);
        kinds_.push_back(kind);
        unitsBefore_.insert(unitsBefore_.end(), totals_.begin(), totals_.end());
    }
    for (std::size_t log = 0; log < logs_; ++log) {
        totals_[log] += units[log];
    }
    size_ += sum;
}

// The last one that begins at the place or before it.
std::size_t MergeOrder::sliceOf(std::uint64_t place) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(placesBefore_, place) - placesBefore_.begin()) -
           1;
}

std::vector<std::uint64_t> MergeOrder::before(std::uint64_t place) const {
    if (placesBefore_.empty()) {
        return Counts(logs_, 0);
    }
    const std::size_t slice = sliceOf(place);
    Counts counts = firstOf(kinds_[slice], inSlice(slice), place - placesBefore_[slice]);
    for (std::size_t log = 0; log < logs_; ++log) {
        counts[log] += unitsBefore(slice, log);
    }
    return counts;
}

MergeOrder::At MergeOrder::at(std::uint64_t place) const {
    const std::size_t slice = sliceOf(place);
    const Counts all = inSlice(slice);
    At found{firstOf(kinds_[slice], all, place - placesBefore_[slice]), 0};
    if (kinds_[slice] == Kind::Share) {
        found.log = nextLog(all, found.before);
    } else {
        const auto differs = std::ranges::mismatch(found.before, all);
        found.log = static_cast<std::size_t>(differs.in1 - found.before.begin());
    }
    for (std::size_t log = 0; log < logs_; ++log) {
        found.before[log] += unitsBefore(slice, log);
    }
    return found;
}

std::uint64_t MergeOrder::placeOf(std::size_t log, std::uint64_t unit) const {
    std::size_t low = 0;  // the last slice that begins at the unit or before it
    std::size_t high = slices();
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (unitsBefore(middle, log) <= unit ? low : high) = middle;
    }
    const Counts all = inSlice(low);
    const std::uint64_t own = unit - unitsBefore(low, log);
    std::uint64_t place = placesBefore_[low] + own;
    for (std::size_t other = 0; other < logs_; ++other) {
        if (other != log && kinds_[low] == Kind::Share) {
            place += spreadBefore(all, other, log, own);
        } else if (other < log) {
            place += all[other];
        }
    }
    return place;
}

}  // namespace dlperf::log
