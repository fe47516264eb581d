// SPDX-License-Identifier: Apache-2.0
// A line of very many points that grows at its end. Adding a point, copying the line and taking from it what
// a screen can show cost about the same however long it is. Copies share their points: a chart keeps one
// while the line grows on another thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace dlperf::report {

struct Sample {
    double x = 0;
    double y = 0;
    friend bool operator==(const Sample&, const Sample&) = default;
};

class SampleLine {
public:
    // Beyond the last x. What stands at this x or beyond is dropped: a restarted trainer counts again from
    // there.
    void append(Sample sample);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] Sample at(std::size_t index) const;  // index < size()
    [[nodiscard]] Sample front() const { return at(0); }
    [[nodiscard]] Sample back() const { return at(size() - 1); }

    // The point whose x is nearest; nothing in an empty line.
    [[nodiscard]] std::optional<Sample> nearest(double x) const;
    // What is to be drawn of from <= x <= to: all points, or, where these are more than `most` (8 or more),
    // the lowest and the highest of each of many stretches, so that no spike is lost. The next points outside
    // come along, so that the line runs to the edges. The stretches do not depend on `from` and `to`, only on
    // how far they are apart: nothing flickers when the part is moved.
    [[nodiscard]] std::vector<Sample> between(double from, double to, std::size_t most) const;

private:
    struct Block;
    struct Extremes;  // indices of the lowest and the highest

    void dropFrom(double x);
    [[nodiscard]] std::size_t firstNotBelow(double x) const;
    [[nodiscard]] Extremes extremesOf(std::size_t begin, std::size_t size) const;
    [[nodiscard]] std::vector<Sample> some(std::size_t begin, std::size_t end, std::size_t most) const;

    std::vector<std::shared_ptr<const Block>> blocks_;  // full ones
    std::vector<Sample> tail_;                          // less than a block
};

}  // namespace dlperf::report
