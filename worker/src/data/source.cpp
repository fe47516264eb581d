// SPDX-License-Identifier: Apache-2.0
#include "data/source.h"

#include <vector>

#include "base/failure.h"
#include "base/numbers.h"
#include "base/random.h"
#if DLPERF_WITH_JPEG
#include "data/image_folder.h"
#endif

namespace dlperf::worker {
namespace {

// Images in ImageNet's training set, so that epochs mean the same as with it.
constexpr std::uint64_t imageNetSize = 1281167;

// One batch of noise for all iterations, so that computing alone is measured.
class SyntheticSource final : public DataSource {
public:
    SyntheticSource(const Options& options, const World& world)
        : pixels_(asIndex(options.batchSize) * asIndex(options.imageSize) * asIndex(options.imageSize) * 3),
          labels_(asIndex(options.batchSize)) {
        Random random({options.seed, static_cast<std::uint64_t>(world.rank), 0x5EED});
        for (std::uint8_t& pixel : pixels_) {
            pixel = static_cast<std::uint8_t>(random.next() >> 56);
        }
        for (std::int32_t& label : labels_) {
            label = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(options.classes)));
        }
    }
    Batch next() override { return {pixels_, labels_, 0}; }
    std::uint64_t epochSize() const override { return imageNetSize; }

private:
    std::vector<std::uint8_t> pixels_;
    std::vector<std::int32_t> labels_;
};

}  // namespace

std::unique_ptr<DataSource> makeDataSource(const Options& options, const World& world,
                                           [[maybe_unused]] ImageWork ofBackend) {
    if (options.data.empty()) {
        return std::make_unique<SyntheticSource>(options, world);
    }
#if DLPERF_WITH_JPEG
    return makeImageFolderSource(options, world, ofBackend);
#else
    throw Failure(ExitCode::Data, "--data needs libjpeg-turbo, which this build was configured without");
#endif
}

}  // namespace dlperf::worker
