// SPDX-License-Identifier: Apache-2.0
#include "cuda/train/step_profile.h"

#include <algorithm>

namespace dlperf::worker::cuda {
namespace {

std::string nameOf(Work work) {
    switch (work) {
        case Work::Pixels:
            return "pixels to numbers";
        case Work::ConvolutionForward:
            return "convolutions, forward";
        case Work::ConvolutionDataGradient:
            return "convolutions, gradient of the input";
        case Work::ConvolutionWeightGradient:
            return "convolutions, gradient of the weights";
        case Work::Statistics:
            return "statistics of channels";
        case Work::NormForward:
            return "normalisation, shortcut, rectifier";
        case Work::NormSums:
            return "normalisation backward, sums";
        case Work::NormGradient:
            return "normalisation backward, gradient";
        case Work::Pooling:
            return "pooling";
        case Work::Linear:
            return "last layer";
        case Work::Loss:
            return "loss";
        case Work::Optimizer:
            return "optimizer";
    }
    return "";
}

}  // namespace

void StepProfile::begin(Work work, double bytes, double operations) {
    if (used_ == pieces_.size()) {
        pieces_.emplace_back();
    }
    Piece& piece = pieces_[used_++];
    piece.begun.record(stream_);
    piece.work = work;
    piece.bytes = bytes;
    piece.operations = operations;
}

void StepProfile::end() {
    end_.record(stream_);
    end_.wait();
    for (std::size_t i = 0; i < used_; ++i) {
        const Piece& piece = pieces_[i];
        WorkShare& sum = sums_[piece.work];
        sum.seconds += secondsBetween(piece.begun, i + 1 < used_ ? pieces_[i + 1].begun : end_);
        sum.bytes += piece.bytes;
        sum.operations += piece.operations;
    }
    used_ = 0;
    ++steps_;
}

std::vector<WorkShare> StepProfile::shares() const {
    std::vector<WorkShare> shares;
    for (const auto& [work, sum] : sums_) {
        shares.push_back({nameOf(work), sum.seconds / steps_, sum.bytes / steps_, sum.operations / steps_});
    }
    std::sort(shares.begin(), shares.end(),
              [](const WorkShare& a, const WorkShare& b) { return a.seconds > b.seconds; });
    return shares;
}

}  // namespace dlperf::worker::cuda
