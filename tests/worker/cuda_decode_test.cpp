// SPDX-License-Identifier: Apache-2.0
// Batches decoded on the device against those that the host decodes; on a GPU by nvJPEG, else by one of our
// own (fake_nvjpeg), which can fail, on the emulated runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cuda/decode/jpeg_decoder.h"
#include "data/image_folder.h"
#include "jpeg_files.h"
#include "process.h"
#ifndef DLPERF_KERNELS_ON_GPU
#include "fake_ranks.h"
#endif

namespace dlperf::worker::cuda::test {
namespace {

using testing::HasSubstr;
using worker::test::TemporaryFolder;
using worker::test::writeJpeg;

constexpr ImageWork onHost{.mirrors = true, .decodes = false};
constexpr ImageWork onGpu{.mirrors = true, .decodes = true};

// So small that libjpeg does not scale them down on the way, which nvJPEG cannot.
constexpr int side = 36;
constexpr int imageSize = 32;

// Smooth, so that it matters little how a decoder makes colours of fewer.
std::vector<std::uint8_t> gradient(int components, int turn) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(std::size_t{side} * side * static_cast<std::size_t>(components));
    for (int at = 0; at < side * side; ++at) {
        const int values[] = {255 * (at % side) / side, 255 * (at / side) / side, 20 * turn, 255};
        pixels.insert(pixels.end(), values, values + components);
    }
    return pixels;
}

// Two classes of six plain images, and in each a grey one too.
void writePlain(const std::string& folder) {
    for (const char* const label : {"/a", "/b"}) {
        std::filesystem::create_directories(folder + label);
        for (int i = 0; i < 6; ++i) {
            const std::string path = folder + label + "/" + std::to_string(i) + ".jpg";
            writeJpeg(path, side, side, 3, gradient(3, i));
        }
        writeJpeg(folder + label + "/grey.jpg", side, side, 1, gradient(1, 0));
    }
}

// What is not for nvJPEG.
void writeOthers(const std::string& folder) {
    std::filesystem::create_directories(folder + "/b");
    writeJpeg(folder + "/b/cmyk.jpg", side, side, 4, gradient(4, 3));
    writeJpeg(folder + "/b/progressive.jpg", side, side, 3, gradient(3, 9), true);
}

Options optionsFor(const std::string& folder, int batchSize) {
    Options options;
    options.data = folder;
    options.workers = 2;
    options.batchSize = batchSize;
    options.imageSize = imageSize;
    options.classes = 10;
    return options;
}

// A batch's pixels from the device.
std::vector<std::uint8_t> decoded(JpegDecoder& decoder, const Batch& batch) {
    const std::size_t bytes = batch.pixels.size();
    const PinnedMemory pinned(bytes);
    const DeviceMemory device(bytes);
    const Stream stream;
    decoder.decode(batch, {device.at<std::uint8_t>(0), pinned.at<std::uint8_t>(0)}, stream);
    std::vector<std::uint8_t> pixels(bytes);
    check(cudaMemcpyAsync(pixels.data(), device.at<void>(0), bytes, cudaMemcpyDeviceToHost, stream),
          "copy a test's pixels");
    stream.wait();
    return pixels;
}

int largestDifference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    int worst = a.size() == b.size() ? 0 : 256;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        worst = std::max(worst, std::abs(a[i] - b[i]));
    }
    return worst;
}

#ifdef DLPERF_KERNELS_ON_GPU
constexpr int tolerance = 12;  // nvJPEG's inverse transform and colours are its own
class CudaDecode : public testing::Test {};
#else
constexpr int tolerance = 1;
class CudaDecode : public CudaTraining {
protected:
    CudaDecode() { useLibrary(DLPERF_FAKE_NVJPEG_LIBRARY, ""); }
    ~CudaDecode() override {
        unsetenv("DLPERF_WORKER_NVJPEG");
        unsetenv("DLPERF_FAKE_NVJPEG");
    }
    static void useLibrary(const std::string& path, const char* fail) {
        setenv("DLPERF_WORKER_NVJPEG", path.c_str(), 1);
        setenv("DLPERF_FAKE_NVJPEG", fail, 1);
    }
};
#endif

// The same batches decoded by the host and by the device.
struct BothWays {
    BothWays(const std::string& folder, int batchSize)
        : host(makeImageFolderSource(optionsFor(folder, batchSize), {}, onHost)),
          gpu(makeImageFolderSource(optionsFor(folder, batchSize), {}, onGpu)) {}

    // Counts the images of the next batches that were left to the device.
    std::size_t expectSame(int batches);

    std::unique_ptr<DataSource> host, gpu;
    JpegDecoder decoder{imageSize};
};

std::size_t BothWays::expectSame(int batches) {
    std::size_t encoded = 0;
    for (int i = 0; i < batches; ++i) {
        const Batch expected = host->next();
        const Batch batch = gpu->next();
        EXPECT_TRUE(std::ranges::equal(batch.labels, expected.labels));
        EXPECT_TRUE(std::ranges::equal(batch.flips, expected.flips));
        EXPECT_LE(largestDifference(decoded(decoder, batch), expected.pixels), tolerance) << "batch " << i;
        encoded += static_cast<std::size_t>(std::ranges::count_if(
            batch.encoded, [](const EncodedImage& image) { return !image.file.empty(); }));
    }
    return encoded;
}

TEST_F(CudaDecode, BatchesAreThoseOfTheHost) {
    const TemporaryFolder folder;
    writePlain(folder.path());
    BothWays ways(folder.path(), 7);
    EXPECT_EQ(ways.expectSame(6), 42U);
    EXPECT_EQ(ways.decoder.takeNote(), "");
}

TEST_F(CudaDecode, WhatIsNotForTheGpuIsDecodedOnTheHostInTheSameBatch) {
    const TemporaryFolder folder;
    writePlain(folder.path());
    writeOthers(folder.path());
    BothWays ways(folder.path(), 5);
    EXPECT_EQ(ways.expectSame(16), 5U * (16 - 2)) << "5 epochs of 14 plain images and 2 others";
    EXPECT_EQ(ways.decoder.takeNote(), "");
}

TEST_F(CudaDecode, ABatchMayHaveNothingForTheGpu) {
    const TemporaryFolder folder;
    writeOthers(folder.path());
    BothWays ways(folder.path(), 2);
    EXPECT_EQ(ways.expectSame(3), 0U);
}

// Larger images than any before need more memory.
TEST_F(CudaDecode, ImagesOfAnySizeFit) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() + "/a");
    for (int i = 1; i <= 6; ++i) {
        const int width = 40 * i * i;
        std::vector<std::uint8_t> grey(static_cast<std::size_t>(width) * 33,
                                       static_cast<std::uint8_t>(40 * i));
        writeJpeg(folder.path() + "/a/" + std::to_string(i) + ".jpg", width, 33, 1, grey);
    }
    BothWays ways(folder.path(), 1);
    EXPECT_EQ(ways.expectSame(12), 12U);
}

#ifndef DLPERF_KERNELS_ON_GPU
TEST_F(CudaDecode, TheHostDecodesWhatNvjpegFailsToAndThatIsToldOnce) {
    const TemporaryFolder folder;
    writePlain(folder.path());
    BothWays ways(folder.path(), 4);
    ways.expectSame(1);
    useLibrary(DLPERF_FAKE_NVJPEG_LIBRARY, "fails");
    ways.expectSame(2);
    EXPECT_THAT(ways.decoder.takeNote(), HasSubstr("the GPU could not decode a batch (bad JPEG)"));
    ways.expectSame(1);
    useLibrary(DLPERF_FAKE_NVJPEG_LIBRARY, "");
    ways.expectSame(2);
    EXPECT_EQ(ways.decoder.takeNote(), "");
}

TEST_F(CudaDecode, TheHostDecodesWhatIsTooLargeForTheGpusMemory) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() + "/a");
    constexpr int width = 1500;
    writeJpeg(folder.path() + "/a/0.jpg", width, 33, 1,
              std::vector<std::uint8_t>(std::size_t{width} * 33, 90));
    BothWays ways(folder.path(), 1);
    emulation::setDeviceMemory(100'000);
    ways.expectSame(1);
    EXPECT_THAT(ways.decoder.takeNote(), HasSubstr("too little memory"));
    emulation::setDeviceMemory(1'000'000);
    ways.expectSame(1);
}

TEST_F(CudaDecode, ABrokenFileIsNamed) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() + "/a");
    const std::string path = folder.path() + "/a/broken.jpg";
    writeJpeg(path, side, side, 3, gradient(3, 1));
    const std::string whole = worker::test::readFile(path);
    const Options options = optionsFor(folder.path(), 2);
    JpegDecoder decoder(options.imageSize);
    const auto load = [&] {
        const auto gpu = makeImageFolderSource(options, {}, onGpu);
        (void)decoded(decoder, gpu->next());
    };
    EXPECT_EQ(failureOf(ExitCode::Data, load), "");

    // In the middle, which the header does not tell, and at the end.
    const std::string middle = whole.substr(0, 640) + "\xff\xd9";
    for (const std::string& bytes : {middle, whole.substr(0, whole.size() - 20)}) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        EXPECT_THAT(failureOf(ExitCode::Data, load), HasSubstr("broken.jpg is not a usable JPEG image"));
    }
}

TEST_F(CudaDecode, WithoutEnginesItIsSaidAndWorks) {
    EXPECT_EQ(JpegDecoder(32).name(), "nvJPEG 1.2.3, hardware");
    useLibrary(DLPERF_FAKE_NVJPEG_LIBRARY, "no hardware");
    EXPECT_EQ(JpegDecoder(32).name(), "nvJPEG 1.2.3, no hardware");
    const TemporaryFolder folder;
    writePlain(folder.path());
    BothWays(folder.path(), 3).expectSame(2);
}

std::unique_ptr<Backend> backendFor(DecodePlace place) {
    Problem problem = smallProblem(Precision::Fp32);
    problem.decode = place;
    return emulatedBackend(problem);
}

TEST_F(CudaDecode, WhereNvjpegIsMissingOrRefusesOnlyWhoAskedForItIsToldSo) {
    EXPECT_EQ(backendFor(DecodePlace::Auto)->decoder(), "nvJPEG 1.2.3, hardware");
    EXPECT_EQ(backendFor(DecodePlace::Host)->decoder(), "");
    useLibrary(DLPERF_FAKE_NVJPEG_LIBRARY, "refuses");
    EXPECT_EQ(backendFor(DecodePlace::Auto)->decoder(), "");
    EXPECT_THAT(failureOf(ExitCode::Backend, [] { backendFor(DecodePlace::Gpu); }),
                HasSubstr("nvJPEG 1.2.3 refuses this GPU; use --decode host"));
    useLibrary("/nowhere/libnvjpeg.so", "");
    EXPECT_EQ(backendFor(DecodePlace::Auto)->decoder(), "");
    EXPECT_THAT(failureOf(ExitCode::Backend, [] { backendFor(DecodePlace::Gpu); }),
                testing::AllOf(HasSubstr("DLPERF_WORKER_NVJPEG"), HasSubstr("/nowhere/libnvjpeg.so"),
                               HasSubstr("use --decode host")));
}

// The losses of some steps, and what they had to say.
struct Trained {
    std::vector<float> losses;
    std::string notes;
};

Trained train(const std::string& folder, DecodePlace place, emulation::Schedule schedule) {
    emulation::setSchedule(schedule);
    const auto backend = backendFor(place);
    MetWorld alone;
    const auto source = makeDataSource(optionsFor(folder, smallBatch), alone.world,
                                       {backend->mirrors(), !backend->decoder().empty()});
    const auto trainer = backend->makeTrainer(alone.setup({0.01F, 0.9F, 1e-4F, 1}));
    Trained trained;
    constexpr int steps = 3;  // the third is where the first was
    for (int started = 0, i = 0; i < steps; ++i) {
        for (; started < steps && started < i + trainer->depth(); ++started) {
            trainer->start(source->next());
        }
        trained.losses.push_back(trainer->finish().loss);
        trained.notes += backend->takeDecodeNote();
    }
    return trained;
}

// Grey images are decoded to the same bytes, so that training on them gives the same losses.
TEST_F(CudaDecode, TrainingOnImagesOfTheGpusIsThatOnTheHosts) {
    const TemporaryFolder folder;
    writeOthers(folder.path());
    for (int i = 1; i <= 6; ++i) {
        std::vector<std::uint8_t> pixels(std::size_t{side} * side);
        for (std::size_t at = 0; at < pixels.size(); ++at) {
            pixels[at] = static_cast<std::uint8_t>(at * static_cast<std::size_t>(i) * 29 / side);
        }
        writeJpeg(folder.path() + "/b/grey" + std::to_string(i) + ".jpg", side, side, 1, pixels);
    }
    const Trained expected = train(folder.path(), DecodePlace::Host, emulation::Schedule::Lazy);
    for (const auto schedule : {emulation::Schedule::Lazy, emulation::Schedule::OthersFirst}) {
        const Trained trained = train(folder.path(), DecodePlace::Gpu, schedule);
        EXPECT_THAT(trained.losses, testing::Pointwise(testing::FloatNear(1e-6F), expected.losses));
        EXPECT_EQ(trained.notes, "");
    }
    useLibrary(DLPERF_FAKE_NVJPEG_LIBRARY, "fails");
    const Trained trained = train(folder.path(), DecodePlace::Gpu, emulation::Schedule::Lazy);
    EXPECT_THAT(trained.losses, testing::Pointwise(testing::FloatNear(1e-6F), expected.losses));
    EXPECT_THAT(trained.notes, HasSubstr("so the host did"));
}

// As a trainer does that reduces on the host.
TEST_F(CudaDecode, WithoutATrainerOfItsOwnTheBackendTellsWhatTheHostDecoded) {
    const TemporaryFolder folder;
    writePlain(folder.path());
    const auto source = makeImageFolderSource(optionsFor(folder.path(), smallBatch), {}, onGpu);
    useLibrary(DLPERF_FAKE_NVJPEG_LIBRARY, "fails");
    const auto backend = backendFor(DecodePlace::Gpu);
    backend->computeGradients(source->next(), [](std::size_t) {});
    EXPECT_THAT(backend->takeDecodeNote(), HasSubstr("so the host did"));
    EXPECT_EQ(backend->takeDecodeNote(), "");
}
#endif

}  // namespace
}  // namespace dlperf::worker::cuda::test
