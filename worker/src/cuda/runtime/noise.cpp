// SPDX-License-Identifier: Apache-2.0
#include "cuda/runtime/noise.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda {
namespace {

constexpr std::size_t noiseWords = 1 << 16;

// Random signs and fractions with one exponent: 1/4 to 1/2 in fp16, and far from overflow, infinity and
// denormals in the other types too, of which these are the upper bits.
std::vector<std::uint16_t> noise() {
    std::vector<std::uint16_t> words(noiseWords);
    std::mt19937 random(1);
    for (std::uint16_t& word : words) {
        word = static_cast<std::uint16_t>((random() & 0x83FFU) | 0x3400U);
    }
    return words;
}

// Copies what is at the beginning behind itself until the memory is full.
void repeat(std::byte* data, std::size_t filled, std::size_t bytes, cudaStream_t stream) {
    while (filled < bytes) {
        const std::size_t more = std::min(filled, bytes - filled);
        check(cudaMemcpyAsync(data + filled, data, more, cudaMemcpyDeviceToDevice, stream), "fill memory");
        filled += more;
    }
}

}  // namespace

void fillWithNoise(std::byte* data, std::size_t bytes, cudaStream_t stream) {
    const std::vector<std::uint16_t> words = noise();
    const std::size_t filled = std::min(bytes, words.size() * sizeof(words[0]));
    check(cudaMemcpyAsync(data, words.data(), filled, cudaMemcpyHostToDevice, stream), "fill memory");
    repeat(data, filled, bytes, stream);
    // The words are read until the copy is done.
    check(cudaStreamSynchronize(stream), "fill memory");
}

void fillWith(float value, float* data, std::size_t count, cudaStream_t stream) {
    const std::vector<float> values(count, value);
    check(cudaMemcpyAsync(data, values.data(), count * sizeof(float), cudaMemcpyHostToDevice, stream),
          "fill memory");
    check(cudaStreamSynchronize(stream), "fill memory");
}

}  // namespace dlperf::worker::cuda
