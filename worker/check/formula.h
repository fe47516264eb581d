// SPDX-License-Identifier: Apache-2.0
#pragma once

// The formulas of formula.py: the same weights, images and labels, here and in PyTorch.

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "program/program.h"

namespace dlperf::worker::check {

inline std::uint32_t hash32(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x85EBCA6BU;
    x ^= x >> 13;
    x *= 0xC2B2AE35U;
    return x ^ (x >> 16);
}

inline std::vector<float> formulaWeights(const Parameter& parameter, std::size_t index) {
    using Kind = Parameter::Kind;
    std::vector<float> values(parameter.count());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto n =
            static_cast<std::uint32_t>(i) * 2654435761U + static_cast<std::uint32_t>(index) * 97U + 1U;
        const double u = hash32(n) / 4294967296.0;
        double value = (u - 0.5) * 0.05;
        if (parameter.kind == Kind::ConvWeight) {
            const std::size_t fanOut = parameter.shape[0] * parameter.shape[2] * parameter.shape[3];
            value = (u - 0.5) * std::sqrt(24.0 / static_cast<double>(fanOut));
        } else if (parameter.kind == Kind::NormScale) {
            // Small at the end of a block: formula.py says why.
            value = parameter.name.ends_with("bn3.weight") ? 0.02 + 0.02 * u : 0.4 + 0.4 * u;
        } else if (parameter.kind == Kind::NormShift) {
            value = (u - 0.5) * 0.2;
        }
        values[i] = static_cast<float>(value);
    }
    return values;
}

struct FormulaBatch {
    std::vector<std::uint8_t> pixels;
    std::vector<std::int32_t> labels;
    Batch view() const { return {pixels, labels}; }
};

// Images [first, first + count) of the formula.
inline FormulaBatch formulaBatch(std::size_t first, std::size_t count, std::size_t size,
                                 std::size_t classes) {
    FormulaBatch batch;
    for (std::size_t i = first; i < first + count; ++i) {
        for (std::size_t y = 0; y < size; ++y) {
            for (std::size_t x = 0; x < size; ++x) {
                for (std::size_t c = 0; c < 3; ++c) {
                    const std::size_t flat = ((i * size + y) * size + x) * 3 + c;
                    const std::size_t noise = hash32(static_cast<std::uint32_t>(flat)) >> 26;
                    const std::size_t pattern = (x * (i + 1) + y * (3 - c)) * 2 % 192;
                    batch.pixels.push_back(static_cast<std::uint8_t>(noise + pattern));
                }
            }
        }
        batch.labels.push_back(static_cast<std::int32_t>(i * 37 % classes));
    }
    return batch;
}

// A backend for the formula's problem, with the formula's weights.
inline std::unique_ptr<Backend> formulaBackend(BackendKind kind, const Problem& problem) {
    std::unique_ptr<Backend> backend = makeBackend(kind, problem);
    for (std::size_t i = 0; i < backend->parameters().size(); ++i) {
        backend->setParameter(i, formulaWeights(backend->parameters()[i], i));
    }
    return backend;
}

}  // namespace dlperf::worker::check
