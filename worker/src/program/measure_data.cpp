// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/failure.h"
#include "base/random.h"
#include "base/version.h"
#include "comm/socket.h"
#include "data/source.h"
#include "program/log.h"
#include "program/program.h"

namespace dlperf::worker {
namespace {

using ReadClock = std::chrono::steady_clock;

// Bounds of a tree that may be endless: folders may be links to those above them.
constexpr std::size_t mostFiles = 1U << 20U;
constexpr std::size_t mostEntries = 1U << 22U;
constexpr int deepest = 16;
constexpr std::size_t chunkBytes = 1U << 20U;

std::vector<std::string> filesBelow(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::recursive_directory_iterator entry(
        folder,
        fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied,
        error);
    if (error) {
        throw Failure(ExitCode::Data, "cannot read the folder " + folder + ": " + error.message());
    }
    std::vector<std::string> files;
    for (std::size_t seen = 0; !error && entry != fs::recursive_directory_iterator() && seen < mostEntries &&
                               files.size() < mostFiles;
         ++seen, entry.increment(error)) {
        if (entry.depth() >= deepest) {
            entry.disable_recursion_pending();
        }
        std::error_code unknown;
        if (entry->is_regular_file(unknown)) {
            files.push_back(entry->path().string());
        }
    }
    if (files.empty()) {
        throw Failure(ExitCode::Data, "the folder " + folder + " has no files");
    }
    return files;
}

enum class Cached { No, Yes, Unknown };

// After the page cache was asked to drop it. A first byte that needs no waiting was in memory.
Cached dropFromCache(int descriptor) {
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    char byte = 0;
    const iovec place{&byte, 1};
    const ssize_t got = ::preadv2(descriptor, &place, 1, 0, RWF_NOWAIT);
    if (got > 0) {
        return Cached::Yes;
    }
    return got < 0 && errno == EAGAIN ? Cached::No : Cached::Unknown;
}

class FileReader {
public:
    FileReader(std::vector<std::string> files, ReadClock::time_point until)
        : files_(std::move(files)), until_(until) {}

    void read(int threads) {
        const auto start = ReadClock::now();
        {
            std::vector<std::jthread> readers;
            readers.reserve(static_cast<std::size_t>(threads));
            for (int i = 0; i < threads; ++i) {
                readers.emplace_back([this] { work(); });
            }
        }
        elapsed_ = std::chrono::duration<double>(ReadClock::now() - start).count();
    }

    bool hasRead() const { return bytes_ > 0; }

    std::string line() const {
        char text[320];
        std::snprintf(text, sizeof text,
                      "read files %lld bytes %lld seconds %.6f speed %.3f MB/s cached %lld unknown %lld "
                      "unreadable %lld of %zu",
                      static_cast<long long>(whole_), static_cast<long long>(bytes_), elapsed_,
                      static_cast<double>(bytes_) / elapsed_ / 1e6, static_cast<long long>(cached_),
                      static_cast<long long>(unknown_), static_cast<long long>(unreadable_), files_.size());
        return text;
    }

private:
    void work() {
        std::vector<char> chunk(chunkBytes);
        for (std::size_t i = next_++; i < files_.size() && ReadClock::now() < until_; i = next_++) {
            readFile(files_[i], chunk);
        }
    }

    void readFile(const std::string& path, std::vector<char>& chunk) {
        // Does not wait for what is no file by now.
        const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        if (!file) {
            ++unreadable_;
            return;
        }
        const Cached cached = dropFromCache(file.get());
        ssize_t got = 0;
        std::int64_t bytes = 0;
        while ((got = ::read(file.get(), chunk.data(), chunk.size())) > 0) {
            bytes += got;
            if (ReadClock::now() >= until_) {
                break;
            }
        }
        bytes_ += bytes;
        if (got < 0) {
            ++unreadable_;
            return;
        }
        whole_ += got == 0 ? 1 : 0;
        cached_ += bytes > 0 && cached == Cached::Yes ? 1 : 0;
        unknown_ += bytes > 0 && cached == Cached::Unknown ? 1 : 0;
    }

    std::vector<std::string> files_;
    ReadClock::time_point until_;
    double elapsed_ = 0;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::int64_t> whole_ = 0;  // files read to their end
    std::atomic<std::int64_t> bytes_ = 0;
    std::atomic<std::int64_t> cached_ = 0;
    std::atomic<std::int64_t> unknown_ = 0;
    std::atomic<std::int64_t> unreadable_ = 0;
};

std::string imagesLine(const Options& options, const World& world, double limit) {
    const std::unique_ptr<DataSource> source = makeDataSource(options, world, ImageWork{});
    (void)source->next();  // threads have begun, and the folder is known
    const auto start = ReadClock::now();
    long images = 0;
    double elapsed = 0;
    do {
        (void)source->next();
        images += options.batchSize;
        elapsed = std::chrono::duration<double>(ReadClock::now() - start).count();
    } while (elapsed < limit);
    char text[160];
    std::snprintf(text, sizeof text, "images %ld seconds %.6f speed %.3f images/s", images, elapsed,
                  static_cast<double>(images) / elapsed);
    return text;
}

}  // namespace

void measureData(const Options& options, const World& world) {
    if (world.size > 1) {
        throw Failure(ExitCode::Usage,
                      "--measure data is for one process alone; these are " + std::to_string(world.size));
    }
    std::vector<std::string> files = filesBelow(options.data);
    Random({options.seed, 0xF11E5}).shuffle(files);
    Options own = options;
    own.workers = options.workers.value_or(1);
    Log log;
    log.header(programVersion(), {{"measure", "data"},
                                  {"folder", options.data},
                                  {"workers", std::to_string(*own.workers)},
                                  {"image_size", std::to_string(options.imageSize)}});
    FileReader reader(std::move(files), ReadClock::now() + std::chrono::seconds(options.seconds));
    reader.read(*own.workers);
    if (!reader.hasRead()) {
        throw Failure(ExitCode::Data, "no file below " + options.data + " could be read");
    }
    log.line(reader.line());
    try {
        log.line(imagesLine(own, world, options.seconds / 2.0));
    } catch (const Failure& failure) {  // it need not be a folder of images
        if (failure.code() != ExitCode::Data && failure.code() != ExitCode::Backend) {
            throw;
        }
        log.fact(std::string("no images: ") + failure.what());
    }
}

}  // namespace dlperf::worker
