// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace dlperf::worker {

// Collectives among the processes of a world. All ranks call the same operations in the same order, each
// from one thread at a time.
class Comm {
public:
    virtual ~Comm() = default;
    virtual std::string name() const = 0;
    virtual int size() const = 0;
    // Replaces the values by their sum over all ranks; the same bits on every rank and in every run. Throws
    // Failure(Communication) where a peer is lost or does not answer in time.
    virtual void allReduceSum(std::span<float> values) = 0;
};

// A world of one.
class NullComm final : public Comm {
public:
    std::string name() const override { return "none"; }
    int size() const override { return 1; }
    void allReduceSum(std::span<float>) override {}
};

}  // namespace dlperf::worker
