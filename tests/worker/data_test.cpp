// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "data/image_folder.h"
#include "data/jpeg.h"
#include "failures.h"
#include "jpeg_files.h"
#include "process.h"

namespace dlperf::worker::test {
namespace {

using ::testing::HasSubstr;

template <typename Body>
std::string dataFailure(const Body& body) {
    return failureOf(ExitCode::Data, body);
}

// Smooth, so that JPEG keeps it nearly as it is.
std::vector<std::uint8_t> gradientImage(int width, int height, int components) {
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < components; ++c) {
                const int value = c == 0 ? 255 * x / width : c == 1 ? 255 * y / height : 128;
                pixels.push_back(static_cast<std::uint8_t>(c == 3 ? 255 : value));
            }
        }
    }
    return pixels;
}

// The crop of such an image, decoded and scaled, against the formula; the largest difference.
int worstPixel(const std::string& path, int width, int height, const Crop& crop, int size, bool flip) {
    JpegFile jpeg(path);
    EXPECT_EQ(jpeg.width(), width);
    EXPECT_EQ(jpeg.height(), height);
    std::vector<std::uint8_t> result(static_cast<std::size_t>(size * size * 3));
    resizeCrop(jpeg.decode(crop, size), size, flip, result);
    int worst = 0;
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const double column = flip ? size - 1 - x : x;
            const double red = 255 * (crop.left + (column + 0.5) * crop.width / size) / width;
            const double green = 255 * (crop.top + (y + 0.5) * crop.height / size) / height;
            const std::uint8_t* pixel = result.data() + std::ptrdiff_t{y} * size * 3 + std::ptrdiff_t{x} * 3;
            worst = std::max({worst, std::abs(pixel[0] - static_cast<int>(red)),
                              std::abs(pixel[1] - static_cast<int>(green)), std::abs(pixel[2] - 128)});
        }
    }
    return worst;
}

// A folder of its own for each test.
struct Jpeg : testing::Test {
    const TemporaryFolder folder;
};
struct ImageFolder : Jpeg {};

TEST_F(Jpeg, CropsAtEveryScaleShowTheRightPixels) {
    const std::string path = folder.path() + "/a.jpg";
    writeJpeg(path, 400, 300, 3, gradientImage(400, 300, 3));
    for (const Crop& crop : {Crop{0, 0, 400, 300}, Crop{37, 53, 101, 99}, Crop{300, 200, 100, 100},
                             Crop{1, 2, 33, 34}, Crop{399, 299, 1, 1}, Crop{0, 150, 400, 150}}) {
        for (const int size : {32, 64, 224}) {
            for (const bool flip : {false, true}) {
                EXPECT_LE(worstPixel(path, 400, 300, crop, size, flip), 9)
                    << crop.left << " " << crop.top << " " << crop.width << " " << crop.height << " to "
                    << size;
            }
        }
    }
}

// An eighth of 65 pixels is 9, which are not 8 each.
TEST_F(Jpeg, CropsAreWhereTheyShouldBeThoughTheLastBlockIsNotWhole) {
    const std::string path = folder.path() + "/a.jpg";
    writeJpeg(path, 65, 57, 3, gradientImage(65, 57, 3));
    for (const Crop& crop : {Crop{0, 0, 65, 57}, Crop{40, 32, 16, 16}, Crop{32, 8, 32, 40}}) {
        EXPECT_LE(worstPixel(path, 65, 57, crop, 2, false), 9) << crop.left << " " << crop.top;
    }
}

TEST_F(Jpeg, GreyAndCmykBecomeRgb) {
    const std::string grey = folder.path() + "/grey.jpg";
    writeJpeg(grey, 64, 64, 1, std::vector<std::uint8_t>(std::size_t{64} * 64, 77));
    const CroppedImage greyImage = JpegFile(grey).decode({0, 0, 64, 64}, 64);
    EXPECT_EQ(greyImage.pixels.size(), 64U * 64 * 3);
    EXPECT_THAT(greyImage.pixels, ::testing::Each(::testing::AllOf(::testing::Ge(75), ::testing::Le(79))));

    const std::string cmyk = folder.path() + "/cmyk.jpg";
    writeJpeg(cmyk, 128, 128, 4, gradientImage(128, 128, 4));
    EXPECT_LE(worstPixel(cmyk, 128, 128, {0, 0, 128, 128}, 64, false), 9);
}

TEST_F(Jpeg, BrokenFilesAreNamed) {
    const std::string path = folder.path() + "/broken.jpg";
    writeJpeg(path, 200, 200, 3, gradientImage(200, 200, 3));
    const std::string whole = readFile(path);
    const auto decode = [&] { JpegFile(path).decode({0, 0, 200, 200}, 200); };
    EXPECT_EQ(dataFailure(decode), "");

    for (const std::string& bytes :
         {whole.substr(0, whole.size() / 2), std::string("not a JPEG"), std::string(), whole.substr(0, 30),
          whole.substr(0, 700) + std::string(300, '\xff')}) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        EXPECT_THAT(dataFailure(decode), HasSubstr("broken.jpg"));
    }
    std::filesystem::remove(path);
    EXPECT_THAT(dataFailure(decode), HasSubstr("cannot be read"));
}

// The file with its last scan so many times more.
std::string withScans(const std::string& file, int more) {
    const std::size_t scan = file.rfind("\xff\xda");
    const std::size_t end = file.size() - 2;
    std::string result = file.substr(0, end);
    for (int i = 0; i < more; ++i) {
        result += file.substr(scan, end - scan);
    }
    return result + file.substr(end);
}

// Each would take long, though the file is small.
TEST_F(Jpeg, ImagesOfTooManyScansAreRefused) {
    const std::string path = folder.path() + "/scans.jpg";
    writeJpeg(path, 64, 64, 3, std::vector<std::uint8_t>(std::size_t{64} * 64 * 3, 77), true);
    const std::string file = readFile(path);
    const auto decode = [&] { JpegFile(path).decode({0, 0, 64, 64}, 64); };
    std::ofstream(path, std::ios::binary) << withScans(file, 50);
    EXPECT_EQ(dataFailure(decode), "");
    std::ofstream(path, std::ios::binary) << withScans(file, 100);
    EXPECT_THAT(dataFailure(decode),
                ::testing::AllOf(HasSubstr("scans.jpg"), HasSubstr("more than 100 scans")));
}

// All of such an image is kept in memory while it is decoded.
TEST_F(Jpeg, ImagesInScansMayNotBeAsLargeAsOthers) {
    const std::string path = folder.path() + "/large.jpg";
    for (const bool progressive : {false, true}) {
        writeJpeg(path, 64, 64, 3, gradientImage(64, 64, 3), progressive);
        std::string file = readFile(path);
        const std::size_t frame = file.find(progressive ? "\xff\xc2" : "\xff\xc0");
        file.replace(frame + 5, 4, "\x40\x10\x40\x10");  // 16400 x 16400
        std::ofstream(path, std::ios::binary) << file;
        EXPECT_EQ(dataFailure([&] { const JpegFile image(path); }),
                  progressive ? path + " claims to be 16400 x 16400 pixels, which is too large" : "");
    }
}

// Nothing lies at the address 0, so that reading fails though opening does not.
TEST_F(Jpeg, AFileWhoseReadingFailsIsNamedWithTheReason) {
    const std::string path = folder.path() + "/failing.jpg";
    std::filesystem::create_symlink("/proc/self/mem", path);
    EXPECT_THAT(dataFailure([&] { const JpegFile file(path); }),
                HasSubstr("failing.jpg cannot be read: Input/output error"));
}

TEST_F(Jpeg, OnlyPlainFilesAreForAGpu) {
    const std::string path = folder.path() + "/a.jpg";
    const auto isPlain = [&] { return JpegFile(path).isPlain(); };
    for (const int components : {1, 3, 4}) {
        writeJpeg(path, 40, 30, components, gradientImage(40, 30, components));
        EXPECT_EQ(isPlain(), components != 4) << "CMYK is not";
    }
    writeJpeg(path, 40, 30, 3, gradientImage(40, 30, 3), true);
    EXPECT_FALSE(isPlain()) << "progressive";
    writeJpeg(path, 40, 30, 3, gradientImage(40, 30, 3));
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    EXPECT_FALSE(isPlain()) << "without an end";
}

TEST(Augment, CropsStayInsideAndVary) {
    for (const auto& [width, height] : {std::pair{500, 375}, {375, 500}, {1, 1}, {3, 1000}, {32, 32}}) {
        Random random({7});
        std::set<double> lefts;
        for (int i = 0; i < 200; ++i) {
            const Crop crop = randomCrop(width, height, random);
            ASSERT_GE(crop.left, 0);
            ASSERT_GE(crop.top, 0);
            ASSERT_GE(crop.width, 1);
            ASSERT_GE(crop.height, 1);
            ASSERT_LE(crop.left + crop.width, width);
            ASSERT_LE(crop.top + crop.height, height);
            lefts.insert(crop.left);
        }
        if (width == 500) {
            EXPECT_GT(lefts.size(), 50U);
        }
    }
}

TEST(EpochOrder, EveryEpochHasEveryImageOnceInItsOwnOrder) {
    EpochOrder order(50, 3);
    std::vector<std::vector<std::uint32_t>> epochs(3);
    for (std::uint64_t position = 0; position < 150; ++position) {
        const EpochOrder::Entry entry = order.at(position);
        EXPECT_EQ(entry.epoch, position / 50);
        epochs[entry.epoch].push_back(entry.image);
    }
    EXPECT_NE(epochs[0], epochs[1]);
    for (std::vector<std::uint32_t>& epoch : epochs) {
        EXPECT_EQ(std::set(epoch.begin(), epoch.end()).size(), 50U);
    }
    EXPECT_EQ(EpochOrder(50, 3).at(120).image, epochs[2][20]);
    EpochOrder otherSeed(50, 4);
    std::vector<std::uint32_t> other;
    for (std::uint64_t position = 0; position < 50; ++position) {
        other.push_back(otherSeed.at(position).image);
    }
    EXPECT_NE(other, epochs[0]);
}

Options folderOptions(const std::string& folder, int workers) {
    Options options;
    options.data = folder;
    options.workers = workers;
    options.batchSize = 5;
    options.imageSize = 32;
    return options;
}

TEST_F(ImageFolder, NeitherTheThreadsNorTheirNumberChangeTheBatches) {
    writeColourClasses(folder.path(), 3, 4);
    const auto one = makeImageFolderSource(folderOptions(folder.path(), 1), {});
    const auto many = makeImageFolderSource(folderOptions(folder.path(), 5), {});
    EXPECT_EQ(one->epochSize(), 12U);
    for (int i = 0; i < 20; ++i) {
        const Batch a = one->next();
        const Batch b = many->next();
        ASSERT_TRUE(std::ranges::equal(a.pixels, b.pixels)) << i;
        ASSERT_TRUE(std::ranges::equal(a.labels, b.labels)) << i;
    }
}

TEST_F(ImageFolder, ABrokenImageFailsNoBatchButItsOwn) {
    writeColourClasses(folder.path(), 1, 12);
    Options options = folderOptions(folder.path(), 1);
    options.batchSize = 1;
    constexpr std::uint64_t last = 11;
    const std::uint32_t broken = EpochOrder(12, options.seed).at(last).image;
    const std::string path = listImages(folder.path(), 1000)[broken].path;
    std::filesystem::resize_file(path, 900);
    const auto source = makeImageFolderSource(options, {});
    for (std::uint64_t batch = 0; batch < last; ++batch) {
        // Long enough for those ahead to be prepared.
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_EQ(dataFailure([&] { (void)source->next(); }), "") << batch;
    }
    EXPECT_THAT(dataFailure([&] { (void)source->next(); }), HasSubstr(path));
}

// Training that does nothing waits for its images.
TEST_F(ImageFolder, ThreadsAreAddedWhileTrainingWaitsForThem) {
    writeColourClasses(folder.path(), 2, 3);
    Options options = folderOptions(folder.path(), 1);
    const auto one = makeImageFolderSource(options, {}, {}, 7);
    options.workers.reset();
    const auto asNeeded = makeImageFolderSource(options, {}, {}, 7);
    EXPECT_EQ(asNeeded->threads(), 1U);
    for (int i = 0; i < 2000; ++i) {
        (void)asNeeded->next();
    }
    EXPECT_EQ(asNeeded->threads(), 7U);
    (void)one->next();
    (void)one->next();
    EXPECT_EQ(one->threads(), 1U) << "as the user says";
}

TEST(DecodingThreads, AreNoMoreThanTheProcessShareOfTheNode) {
    EXPECT_EQ(mostDecodingThreads(64, 64, 8, 1), 7);
    EXPECT_EQ(mostDecodingThreads(64, 64, 1, 32), 32);
    EXPECT_EQ(mostDecodingThreads(64, 8, 8, 1), 7) << "bound to its share";
    EXPECT_EQ(mostDecodingThreads(64, 8, 1, 1), 7) << "alone in a job of eight";
    EXPECT_EQ(mostDecodingThreads(64, 1, 8, 1), 1) << "bound to one";
    EXPECT_EQ(mostDecodingThreads(2, 2, 2, 1), 1);
    EXPECT_EQ(mostDecodingThreads(-1, 1, 1, 1), 1) << "not known";
}

TEST_F(ImageFolder, ABackendThatMirrorsIsToldWhichImages) {
    writeColourClasses(folder.path(), 2, 10);
    const Options options = folderOptions(folder.path(), 2);
    const auto mirrored = makeImageFolderSource(options, {});
    const auto plain = makeImageFolderSource(options, {}, {.mirrors = true});
    const auto size = static_cast<std::size_t>(options.imageSize);
    std::size_t flipped = 0;
    std::size_t images = 0;
    for (int round = 0; round < 4; ++round) {
        const Batch expected = mirrored->next();
        const Batch batch = plain->next();
        EXPECT_TRUE(expected.flips.empty());
        ASSERT_EQ(batch.flips.size(), batch.labels.size());
        for (std::size_t i = 0; i < batch.flips.size(); ++i, ++images) {
            flipped += batch.flips[i];
            for (std::size_t at = 0; at < size * size; ++at) {
                const std::size_t row = at / size;
                const std::size_t column = batch.flips[i] != 0 ? size - 1 - at % size : at % size;
                const std::size_t from = (i * size * size + row * size + column) * 3;
                const std::size_t to = (i * size * size + at) * 3;
                for (std::size_t c = 0; c < 3; ++c) {
                    ASSERT_NEAR(batch.pixels[from + c], expected.pixels[to + c], 1);
                }
            }
        }
    }
    EXPECT_GT(flipped, 0U);
    EXPECT_LT(flipped, images);
}

TEST_F(ImageFolder, ABackendThatDecodesGetsFilesAndTheSameCrops) {
    writeColourClasses(folder.path(), 2, 5);
    writeJpeg(folder.path() + "/class1/progressive.jpg", 64, 64, 3, gradientImage(64, 64, 3), true);
    const Options options = folderOptions(folder.path(), 2);
    const auto decoded = makeImageFolderSource(options, {}, {.mirrors = true});
    const auto encoded = makeImageFolderSource(options, {}, {.mirrors = true, .decodes = true});
    const std::size_t imageBytes = std::size_t{32} * 32 * 3;
    std::size_t files = 0;
    for (int round = 0; round < 11; ++round) {
        const Batch expected = decoded->next();
        const Batch batch = encoded->next();
        EXPECT_TRUE(expected.encoded.empty());
        ASSERT_EQ(batch.encoded.size(), batch.labels.size());
        EXPECT_TRUE(std::ranges::equal(batch.labels, expected.labels));
        EXPECT_TRUE(std::ranges::equal(batch.flips, expected.flips));
        for (std::size_t i = 0; i < batch.encoded.size(); ++i) {
            std::vector<std::uint8_t> pixels(imageBytes);
            if (batch.encoded[i].file.empty()) {
                std::ranges::copy(batch.pixels.subspan(i * imageBytes, imageBytes), pixels.begin());
            } else {
                // Seldom enough that it is no failure which persists.
                if (round % 2 == 0) {
                    batch.decodeHere(i, pixels);
                } else {
                    std::ranges::copy(expected.pixels.subspan(i * imageBytes, imageBytes), pixels.begin());
                }
                EXPECT_EQ(batch.encoded[i].width, 96);
                EXPECT_EQ(batch.encoded[i].height, 80);
                ++files;
            }
            ASSERT_TRUE(std::ranges::equal(pixels, expected.pixels.subspan(i * imageBytes, imageBytes)));
        }
    }
    EXPECT_EQ(files, 50U) << "5 epochs of 10 plain images and another";
}

TEST_F(ImageFolder, ABackendThatFailsAgainAndAgainGetsDecodedImages) {
    writeColourClasses(folder.path(), 2, 5);
    const Options options = folderOptions(folder.path(), 2);
    const auto decoded = makeImageFolderSource(options, {}, {.mirrors = true});
    const auto source = makeImageFolderSource(options, {}, {.mirrors = true, .decodes = true});
    const std::size_t imageBytes = std::size_t{32} * 32 * 3;
    const auto failTwice = [&] {
        for (int round = 0; round < 2; ++round) {
            decoded->next();
            const Batch batch = source->next();
            ASSERT_FALSE(batch.encoded[0].file.empty());
            std::vector<std::uint8_t> pixels(imageBytes);
            batch.decodeHere(0, pixels);
        }
    };
    failTwice();
    decoded->next();
    source->next();
    failTwice();
    std::vector<std::uint8_t> pixels(imageBytes);
    decoded->next();
    source->next().decodeHere(0, pixels);
    // Three may be prepared already.
    for (int round = 0; round < 3; ++round) {
        decoded->next();
        source->next();
    }
    const Batch expected = decoded->next();
    const Batch batch = source->next();
    EXPECT_TRUE(
        std::ranges::all_of(batch.encoded, [](const EncodedImage& image) { return image.file.empty(); }));
    EXPECT_TRUE(std::ranges::equal(batch.pixels, expected.pixels));
}

TEST_F(ImageFolder, TheRanksShareEveryGlobalBatch) {
    writeColourClasses(folder.path(), 3, 4);
    Options options = folderOptions(folder.path(), 2);
    options.batchSize = 6;
    const auto alone = makeImageFolderSource(options, {});
    options.batchSize = 3;
    World world;
    world.size = 2;
    const auto first = makeImageFolderSource(options, world);
    world.rank = 1;
    const auto second = makeImageFolderSource(options, world);
    for (int i = 0; i < 5; ++i) {
        const Batch whole = alone->next();
        const Batch left = first->next();
        const Batch right = second->next();
        EXPECT_TRUE(std::ranges::equal(whole.pixels.first(left.pixels.size()), left.pixels));
        EXPECT_TRUE(std::ranges::equal(whole.pixels.last(right.pixels.size()), right.pixels));
    }
}

TEST_F(ImageFolder, LabelsAreTheFoldersInOrder) {
    writeColourClasses(folder.path(), 3, 2);
    std::ofstream(folder.path() + "/class0/notes.txt") << "not an image";
    const std::vector<LabelledFile> files = listImages(folder.path(), 1000);
    ASSERT_EQ(files.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(files[i].label, static_cast<int>(i / 2));
        EXPECT_THAT(files[i].path, HasSubstr("class" + std::to_string(i / 2)));
    }
    EXPECT_THAT(dataFailure([&] { listImages(folder.path(), 2); }), HasSubstr("3 sub-folders"));
    EXPECT_THAT(dataFailure([&] { listImages(folder.path() + "/class0", 9); }), HasSubstr("no images"));
    EXPECT_THAT(dataFailure([&] { listImages(folder.path() + "/none", 9); }), HasSubstr("No such file"));
}

}  // namespace
}  // namespace dlperf::worker::test
