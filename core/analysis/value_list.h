// SPDX-License-Identifier: Apache-2.0
// A list of numbers that grows to millions: eight bytes a number and no more, also while it grows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace dlperf::analysis {

class ValueList {
public:
    void push_back(double value) {
        if (size_ % blockSize == 0) {
            blocks_.push_back(std::make_unique_for_overwrite<Block>());
            next_ = blocks_.back()->data();
        }
        *next_++ = value;
        ++size_;
    }
    void append(std::span<const double> values) {
        while (!values.empty()) {
            push_back(values.front());
            const std::size_t room = std::min(values.size() - 1, blockSize - 1 - (size_ - 1) % blockSize);
            next_ = std::copy_n(values.data() + 1, room, next_);
            size_ += room;
            values = values.subspan(room + 1);
        }
    }

    // The values from the given one on.
    void copy(std::size_t from, std::span<double> values) const {
        for (double& value : values) {
            value = (*this)[from++];
        }
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double operator[](std::size_t i) const { return (*blocks_[i / blockSize])[i % blockSize]; }

private:
    static constexpr std::size_t blockSize = 1024;
    using Block = std::array<double, blockSize>;

    std::vector<std::unique_ptr<Block>> blocks_;
    double* next_ = nullptr;  // in the last block
    std::size_t size_ = 0;
};

}  // namespace dlperf::analysis
