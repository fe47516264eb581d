// SPDX-License-Identifier: Apache-2.0
#include "core/report/sample_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace dlperf::report {
namespace {

constexpr std::size_t blockSize = 8192;  // a power of two: stretches and blocks have common borders

}  // namespace

struct SampleLine::Extremes {
    std::size_t lowest = 0;
    std::size_t highest = 0;
};

// Its samples never change, so the extremes of all its stretches of 2, 4, 8 … samples are found once: node 1
// of a binary tree is the whole block, nodes 2n and 2n + 1 are the halves of node n.
struct SampleLine::Block {
    struct Local {  // offsets of the lowest and the highest within a block
        std::uint16_t lowest = 0;
        std::uint16_t highest = 0;
    };
    explicit Block(std::vector<Sample> full) : samples(std::move(full)), extremes(blockSize) {
        const auto y = [this](std::uint16_t index) { return samples[index].y; };
        for (std::size_t node = blockSize; node-- > 1;) {
            Local left;
            Local right;
            if (node >= blockSize / 2) {
                const auto first = static_cast<std::uint16_t>((node - blockSize / 2) * 2);
                left = {first, first};
                right.lowest = right.highest = static_cast<std::uint16_t>(first + 1);
            } else {
                left = extremes[2 * node];
                right = extremes[2 * node + 1];
            }
            extremes[node] = {y(right.lowest) < y(left.lowest) ? right.lowest : left.lowest,
                              y(right.highest) > y(left.highest) ? right.highest : left.highest};
        }
    }

    std::vector<Sample> samples;
    std::vector<Local> extremes;
};

void SampleLine::append(Sample sample) {
    if (!empty() && back().x >= sample.x) {
        dropFrom(sample.x);
    }
    tail_.push_back(sample);
    if (tail_.size() == blockSize) {
        blocks_.push_back(std::make_shared<const Block>(std::move(tail_)));
        tail_.clear();
        tail_.reserve(blockSize);
    }
}

void SampleLine::dropFrom(double x) {
    const std::size_t kept = firstNotBelow(x);
    if (kept < blocks_.size() * blockSize) {
        tail_ = blocks_[kept / blockSize]->samples;
        blocks_.resize(kept / blockSize);
    }
    tail_.resize(kept - blocks_.size() * blockSize);
}

std::size_t SampleLine::size() const {
    return blocks_.size() * blockSize + tail_.size();
}

Sample SampleLine::at(std::size_t index) const {
    const std::size_t block = index / blockSize;
    return block < blocks_.size() ? blocks_[block]->samples[index % blockSize] : tail_[index % blockSize];
}

std::size_t SampleLine::firstNotBelow(double x) const {
    const auto below = [](const Sample& sample, double value) { return sample.x < value; };
    const auto block = std::lower_bound(
        blocks_.begin(), blocks_.end(), x,
        [](const auto& candidate, double value) { return candidate->samples.back().x < value; });
    const std::vector<Sample>& samples = block == blocks_.end() ? tail_ : (*block)->samples;
    const auto found = std::lower_bound(samples.begin(), samples.end(), x, below);
    return static_cast<std::size_t>(block - blocks_.begin()) * blockSize +
           static_cast<std::size_t>(found - samples.begin());
}

std::optional<Sample> SampleLine::nearest(double x) const {
    if (empty()) {
        return std::nullopt;
    }
    const std::size_t next = std::min(firstNotBelow(x), size() - 1);
    const std::size_t before = next > 0 ? next - 1 : 0;
    return std::abs(at(before).x - x) < std::abs(at(next).x - x) ? at(before) : at(next);
}

// Of a stretch whose size is a power of two and that begins at a multiple of it; the end of the line cuts the
// last one short.
SampleLine::Extremes SampleLine::extremesOf(std::size_t begin, std::size_t size) const {
    Extremes found{begin, begin};
    const auto take = [&](std::size_t lowest, std::size_t highest) {
        found.lowest = at(lowest).y < at(found.lowest).y ? lowest : found.lowest;
        found.highest = at(highest).y > at(found.highest).y ? highest : found.highest;
    };
    const std::size_t end = std::min(begin + size, this->size());
    const std::size_t full = blocks_.size() * blockSize;
    const std::size_t step = std::min(size, blockSize);
    std::size_t index = begin;
    for (; index < std::min(end, full); index += step) {
        const Block::Local& local =
            blocks_[index / blockSize]->extremes[blockSize / step + index % blockSize / step];
        const std::size_t base = index - index % blockSize;
        take(base + local.lowest, base + local.highest);
    }
    for (; index < end; ++index) {
        take(index, index);
    }
    return found;
}

std::vector<Sample> SampleLine::some(std::size_t begin, std::size_t end, std::size_t most) const {
    most = std::max<std::size_t>(most, 8);
    std::vector<Sample> kept;
    if (end - begin <= most) {
        for (std::size_t index = begin; index < end; ++index) {
            kept.push_back(at(index));
        }
        return kept;
    }
    std::size_t stretch = 2;
    while (((end - begin) / stretch + 4) * 2 + 2 > most) {
        stretch *= 2;
    }
    const auto keep = [&](std::size_t index) {
        if (kept.empty() || at(index).x > kept.back().x) {
            kept.push_back(at(index));
        }
    };
    // One stretch more on each side: its points lie outside, so the line runs to the edges.
    const std::size_t aligned = begin - begin % stretch;
    const std::size_t first = aligned >= stretch ? aligned - stretch : 0;
    const std::size_t last = std::min(end + stretch, size());
    if (first == 0) {
        keep(0);
    }
    for (std::size_t index = first; index < last; index += stretch) {
        const Extremes extremes = extremesOf(index, stretch);
        keep(std::min(extremes.lowest, extremes.highest));
        keep(std::max(extremes.lowest, extremes.highest));
    }
    if (last == size()) {
        keep(last - 1);
    }
    return kept;
}

std::vector<Sample> SampleLine::between(double from, double to, std::size_t most) const {
    if (empty() || !(from <= to)) {
        return {};
    }
    const std::size_t first = firstNotBelow(from);
    const std::size_t beyond = firstNotBelow(std::nextafter(to, std::numeric_limits<double>::infinity()));
    return some(first > 0 ? first - 1 : 0, std::min(beyond + 1, size()), most);
}

}  // namespace dlperf::report
