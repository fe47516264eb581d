// SPDX-License-Identifier: Apache-2.0
#include "data/image_folder.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/processors.h"
#include "base/random.h"
#include "data/jpeg.h"

namespace dlperf::worker {
namespace {

namespace fs = std::filesystem;

// Names in a folder for which `wanted` is true, sorted.
template <typename Wanted>
std::vector<std::string> namesIn(const fs::path& folder, Wanted wanted) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (wanted(*entry)) {
            names.push_back(entry->path().filename().string());
        }
    }
    if (error) {
        throw Failure(ExitCode::Data, "cannot read the folder " + folder.string() + ": " + error.message());
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool isFolder(const fs::directory_entry& entry) {
    std::error_code error;
    return entry.is_directory(error);
}

bool isJpeg(const fs::directory_entry& entry) {
    std::string ending = entry.path().extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::error_code error;
    return (ending == ".jpg" || ending == ".jpeg") && entry.is_regular_file(error);
}

std::vector<std::uint32_t> shuffled(std::uint32_t images, std::uint64_t seed, std::uint64_t epoch) {
    std::vector<std::uint32_t> order(images);
    std::iota(order.begin(), order.end(), 0U);
    Random({seed, epoch, 0x0DE7}).shuffle(order);
    return order;
}

}  // namespace

std::vector<LabelledFile> listImages(const std::string& folder, int classes) {
    const std::vector<std::string> classFolders = namesIn(folder, isFolder);
    if (classFolders.size() > static_cast<std::size_t>(classes)) {
        throw Failure(ExitCode::Data, folder + " has " + std::to_string(classFolders.size()) +
                                          " sub-folders, which are classes, but --classes is " +
                                          std::to_string(classes));
    }
    std::vector<LabelledFile> files;
    for (std::size_t label = 0; label < classFolders.size(); ++label) {
        const fs::path classFolder = fs::path(folder) / classFolders[label];
        for (const std::string& name : namesIn(classFolder, isJpeg)) {
            files.push_back({(classFolder / name).string(), static_cast<std::int32_t>(label)});
        }
    }
    if (files.empty()) {
        throw Failure(ExitCode::Data,
                      folder + " has no images: expected one sub-folder a class with .jpg or .jpeg files");
    }
    return files;
}

EpochOrder::Entry EpochOrder::at(std::uint64_t position) {
    const std::uint64_t epoch = position / images_;
    const std::lock_guard lock(mutex_);
    auto found =
        std::find_if(epochs_.begin(), epochs_.end(), [&](const Epoch& e) { return e.number == epoch; });
    if (found == epochs_.end()) {
        epochs_.push_front({epoch, shuffled(images_, seed_, epoch)});
        if (epochs_.size() > keptEpochs) {
            epochs_.pop_back();
        }
        found = epochs_.begin();
    }
    return {epoch, found->order[position % images_]};
}

namespace {

// Of class and file names (FNV-1a): the folder may lie elsewhere on another node.
std::uint64_t hashOf(const std::vector<LabelledFile>& files) {
    std::uint64_t hash = 14695981039346656037U;
    for (const LabelledFile& file : files) {
        const std::size_t classFolder = file.path.rfind('/', file.path.rfind('/') - 1);
        for (const char letter : file.path.substr(classFolder)) {
            hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
        }
    }
    return hash;
}

class ImageFolderSource final : public DataSource {
public:
    ImageFolderSource(const Options& options, const World& world, ImageWork ofBackend, int mostThreads)
        : options_(options),
          world_(world),
          ofBackend_(ofBackend),
          encodes_(ofBackend.decodes),
          mostThreads_(static_cast<std::size_t>(mostThreads)),
          files_(listImages(options.data, options.classes)),
          order_(static_cast<std::uint32_t>(files_.size()), options.seed) {
        const auto batch = static_cast<std::size_t>(options.batchSize);
        for (Slot& slot : slots_) {
            slot.pixels.resize(batch * imageBytes());
            slot.labels.resize(batch);
            if (ofBackend_.mirrors) {
                slot.flips.resize(batch);
            }
            if (ofBackend_.decodes) {
                slot.encoded.resize(batch);
                slot.files.resize(batch);
            }
        }
        addThreads(options.workers ? mostThreads_ : 1);
    }

    ~ImageFolderSource() override {
        for (std::jthread& thread : threads_) {
            thread.request_stop();
        }
    }

    Batch next() override {
        std::unique_lock lock(mutex_);
        const Slot& slot = slots_[wanted_ % slotCount];
        // The batch given before may be overwritten from here on.
        free_ = wanted_;
        const std::uint64_t batch = wanted_++;
        changed_.notify_all();
        const auto isReady = [&] {
            return slot.batch == batch && (slot.missing == 0 || slot.failure != nullptr);
        };
        if (!isReady()) {
            addThreads(threads_.size());
        }
        changed_.wait(lock, isReady);
        if (slot.failure != nullptr) {
            std::rethrow_exception(slot.failure);
        }
        failedInTurn_ = std::exchange(failed_, false) ? failedInTurn_ + 1 : 0;
        if (failedInTurn_ == failuresThatPersist) {
            encodes_ = false;
        }
        const auto decodeHere = [this, &slot](std::size_t image, std::span<std::uint8_t> pixels) {
            failed_ = true;
            const File& file = slot.files.at(image);
            JpegFile jpeg(file.path);
            putPixels(jpeg, {slot.encoded[image].crop, false}, pixels);
        };
        return {slot.pixels, slot.labels, batch, slot.flips, slot.encoded, decodeHere};
    }

    std::uint64_t epochSize() const override { return files_.size(); }
    ImageList images() const override { return {files_.size(), hashOf(files_)}; }
    std::size_t threads() const override { return threads_.size(); }

private:
    // One being trained on, two ahead.
    static constexpr std::uint64_t slotCount = 3;
    // So many batches in turn that the backend fails to decode: these threads decode all that follow, as
    // decodeHere takes one image after the other.
    static constexpr int failuresThatPersist = 3;

    // One that the backend is to decode.
    struct File {
        std::string path;
        std::vector<std::uint8_t> bytes;
    };

    struct Slot {
        std::uint64_t batch = ~std::uint64_t{0};
        std::size_t missing = 0;     // images not ready yet
        std::exception_ptr failure;  // of one of its images; thrown only where the batch is asked for
        std::vector<std::uint8_t> pixels;
        std::vector<std::int32_t> labels;
        std::vector<std::uint8_t> flips;    // empty where images are mirrored here
        std::vector<EncodedImage> encoded;  // empty where all are decoded here
        std::vector<File> files;            // as many
    };

    // How an image is augmented.
    struct Cut {
        Crop crop;
        bool flip;
    };

    std::size_t imageBytes() const {
        const auto size = static_cast<std::size_t>(options_.imageSize);
        return size * size * 3;
    }

    // So many more, as far as they may.
    void addThreads(std::size_t count) {
        for (; count > 0 && threads_.size() < mostThreads_; --count) {
            threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
        }
    }

    void work(const std::stop_token& stop) {
        const auto batchSize = static_cast<std::uint64_t>(options_.batchSize);
        std::unique_lock lock(mutex_);
        while (changed_.wait(lock, stop, [&] { return nextImage_ / batchSize < free_ + slotCount; })) {
            const std::uint64_t image = nextImage_++;
            const std::uint64_t batch = image / batchSize;
            Slot& slot = slots_[batch % slotCount];
            if (slot.batch != batch) {
                slot.batch = batch;
                slot.missing = static_cast<std::size_t>(batchSize);
                slot.failure = nullptr;
            }
            lock.unlock();
            std::exception_ptr failure;
            try {
                load(batch, static_cast<std::size_t>(image % batchSize), slot);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            --slot.missing;
            if (failure != nullptr) {
                slot.failure = failure;
            }
            if (slot.missing == 0 || failure != nullptr) {
                changed_.notify_all();
            }
        }
    }

    void load(std::uint64_t batch, std::size_t inBatch, Slot& slot) {
        const auto worldSize = static_cast<std::uint64_t>(world_.size);
        const auto rank = static_cast<std::uint64_t>(world_.rank);
        const auto batchSize = static_cast<std::uint64_t>(options_.batchSize);
        const EpochOrder::Entry entry = order_.at((batch * worldSize + rank) * batchSize + inBatch);
        const LabelledFile& file = files_[entry.image];

        Random random({options_.seed, entry.epoch, entry.image, 0xC409});
        JpegFile jpeg(file.path);
        const Crop crop = randomCrop(jpeg.width(), jpeg.height(), random);
        const bool flip = random.below(2) == 1;
        slot.labels[inBatch] = file.label;
        if (ofBackend_.mirrors) {
            slot.flips[inBatch] = flip ? 1 : 0;
        }
        if (encodes_ && jpeg.isPlain()) {
            File& kept = slot.files[inBatch];
            kept = {file.path, jpeg.takeFile()};
            slot.encoded[inBatch] = {kept.bytes, jpeg.width(), jpeg.height(), crop};
            return;
        }
        if (ofBackend_.decodes) {
            slot.encoded[inBatch] = {};
        }
        putPixels(jpeg, {crop, flip && !ofBackend_.mirrors},
                  std::span(slot.pixels).subspan(inBatch * imageBytes(), imageBytes()));
    }

    void putPixels(JpegFile& jpeg, const Cut& cut, std::span<std::uint8_t> pixels) const {
        resizeCrop(jpeg.decode(cut.crop, options_.imageSize), options_.imageSize, cut.flip, pixels);
    }

    Options options_;
    World world_;
    ImageWork ofBackend_;
    std::atomic<bool> encodes_;  // images that the backend can decode
    std::size_t mostThreads_;
    std::vector<LabelledFile> files_;
    EpochOrder order_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    Slot slots_[slotCount];
    bool failed_ = false;                // the backend, to decode the batch that next() gave
    int failedInTurn_ = 0;               // such batches
    std::uint64_t wanted_ = 0;           // the batch that next() will give
    std::uint64_t free_ = 0;             // slots of batches before this one may be used again
    std::uint64_t nextImage_ = 0;        // to be loaded, counted over all batches of this rank
    std::vector<std::jthread> threads_;  // last: they use everything above
};

}  // namespace

int mostDecodingThreads(int processors, int bound, int localSize, int computing) {
    return std::max(std::min(processors / localSize, bound) - computing, 1);
}

std::unique_ptr<DataSource> makeImageFolderSource(const Options& options, const World& world,
                                                  ImageWork ofBackend, std::optional<int> most) {
    const int here =
        mostDecodingThreads(processorsOfNode(), boundProcessors(), world.localSize, options.threads);
    return std::make_unique<ImageFolderSource>(options, world, ofBackend,
                                               options.workers.value_or(most.value_or(here)));
}

}  // namespace dlperf::worker
