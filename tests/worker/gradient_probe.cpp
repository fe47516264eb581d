// SPDX-License-Identifier: Apache-2.0
// One rank of a world that takes its share of the formula's eight images and writes the averaged loss and
// gradients, as floats, to the file that its argument names. Batch normalisation is frozen: otherwise it
// differs by the share.
#include <cstdio>
#include <fstream>

#include "comm/connect.h"
#include "comm/gradient_reducer.h"
#include "failure.h"
#include "formula.h"
#include "world.h"

namespace {

using namespace dlperf::worker;

constexpr std::size_t kImages = 8;
constexpr int kSize = 32;
constexpr int kClasses = 10;

void probe(const char* path) {
    const World world = worldFromEnvironment(processEnvironment);
    const std::size_t share = kImages / static_cast<std::size_t>(world.size);
    Options options;
    options.batchSize = static_cast<int>(share);
    options.commTimeout = 60;
    const auto backend =
        test::formulaBackend({options.batchSize, kSize, kClasses, Precision::Fp32, 0.1, 1, world.size, true});
    Meeting meeting(world, options, *backend, {});
    const auto comm = connectComm(world, options, meeting);
    const std::span<float> gradients = backend->gradients();
    GradientReducer reducer(*comm, gradients,
                            makeBuckets(backend->gradientOffsets(), gradients.size(), 1 << 18, 1 << 20));

    const auto batch =
        test::formulaBatch(share * static_cast<std::size_t>(world.rank), share, kSize, kClasses);
    backend->computeGradients(batch.view(), [&](std::size_t first) { reducer.ready(first); });
    reducer.finish();

    std::ofstream file(path, std::ios::binary);
    const auto write = [&](float sum) {
        const float average = sum / static_cast<float>(world.size);
        file.write(reinterpret_cast<const char*>(&average), sizeof average);
    };
    write(gradients.back());
    for (std::size_t i = 0; i < backend->parameters().size(); ++i) {
        for (const float value : backend->gradient(i))
            write(value);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 2) return 2;
        probe(argv[1]);
        return 0;
    } catch (const Failure& failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return static_cast<int>(failure.code());
    }
}
