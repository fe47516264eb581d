// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/log_pipeline.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/log_folder.h"
#include "core/analysis/scanned_piece.h"
#include "core/base/descriptor.h"
#include "core/base/parallel.h"

namespace dlperf::analysis {
namespace {

constexpr std::size_t pieceBytes = 128U << 10U;  // with its columns it fits the cache of a core

class Pipeline {
public:
    Pipeline(const Descriptor& file, std::uint64_t size, LogAnalyzer& analyzer, std::size_t threads,
             std::stop_token stop, const OnFed& onFed)
        : file_(&file),
          size_(size),
          pieces_((size + pieceBytes - 1) / pieceBytes),
          analyzer_(&analyzer),
          stop_(std::move(stop)),
          onFed_(&onFed),
          slots_(2 * threads) {}

    // 0, or the error number of the read that failed. The calling thread works too.
    int run(const std::shared_ptr<const LineScanner>& scanner, std::size_t threads) {
        inParallel(threads, threads, [&](std::size_t) { work(scanner); });
        return error_;
    }

private:
    struct Slot {
        std::unique_ptr<char[]> bytes;
        ScannedPiece piece;
        bool ready = false;
    };

    void work(const std::shared_ptr<const LineScanner>& scanner);
    std::optional<std::uint64_t> takeNext();
    int scan(std::uint64_t piece, LineReader& reader);
    void feedInOrder(std::unique_lock<std::mutex>& lock);
    Slot& slotOf(std::uint64_t piece) { return slots_[piece % slots_.size()]; }
    bool ended() const { return error_ != 0 || next_ == pieces_ || stop_.stop_requested(); }

    const Descriptor* file_;
    std::uint64_t size_;
    std::uint64_t pieces_;
    LogAnalyzer* analyzer_;  // of the thread that feeds
    std::stop_token stop_;
    const OnFed* onFed_;

    std::mutex mutex_;  // over all below; a slot belongs to its scanning thread until it is ready
    std::condition_variable roomy_;
    std::vector<Slot> slots_;
    std::uint64_t next_ = 0;  // piece to scan
    std::uint64_t fed_ = 0;
    bool feeding_ = false;
    int error_ = 0;
};

std::optional<std::uint64_t> Pipeline::takeNext() {
    std::unique_lock lock(mutex_);
    roomy_.wait(lock, [&] { return ended() || next_ < fed_ + slots_.size(); });
    return ended() ? std::nullopt : std::optional(next_++);
}

int Pipeline::scan(std::uint64_t piece, LineReader& reader) {
    Slot& slot = slotOf(piece);
    if (!slot.bytes) slot.bytes = std::make_unique_for_overwrite<char[]>(pieceBytes);
    const std::uint64_t start = piece * pieceBytes;
    const std::size_t wanted = std::min<std::uint64_t>(pieceBytes, size_ - start);
    std::size_t got = 0;
    while (got < wanted) {
        const ssize_t count =
            ::pread(file_->get(), slot.bytes.get() + got, wanted - got, static_cast<off_t>(start + got));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        if (count == 0) break;  // somebody has cut the file: this is its end
        got += static_cast<std::size_t>(count);
    }
    slot.piece.scan({slot.bytes.get(), got}, reader);
    return 0;
}

void Pipeline::feedInOrder(std::unique_lock<std::mutex>& lock) {
    if (feeding_) return;
    feeding_ = true;
    while (slotOf(fed_).ready) {
        lock.unlock();
        analyzer_->feed(slotOf(fed_).piece);
        if (*onFed_) (*onFed_)(std::min<std::uint64_t>(pieceBytes, size_ - fed_ * pieceBytes));
        lock.lock();
        slotOf(fed_).ready = false;
        ++fed_;
        roomy_.notify_all();
    }
    feeding_ = false;
}

void Pipeline::work(const std::shared_ptr<const LineScanner>& scanner) {
    LineReader reader(scanner, false);
    while (const auto piece = takeNext()) {
        const int error = scan(*piece, reader);
        std::unique_lock lock(mutex_);
        if (error != 0) {
            error_ = error;
            roomy_.notify_all();
            return;
        }
        slotOf(*piece).ready = true;
        feedInOrder(lock);
    }
}

// For a short log it is not worth the memory, and threads that share it wait more than they work.
constexpr std::uint64_t shortBytes = 8 * pieceBytes;

}  // namespace

Result<void> feedFile(const std::filesystem::path& file, LogAnalyzer& analyzer,
                      const std::shared_ptr<const LineScanner>& scanner, std::size_t threads,
                      const std::stop_token& stop, const OnFed& onFed) {
    const auto opened = openLog(file);
    if (!opened) return Failure(opened.error());
    struct stat status {};
    const bool isLong =
        ::fstat(opened->get(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) >= shortBytes;
    if (!isLong) {
        return readInPieces(file, *opened, [&](std::string_view bytes) {
            analyzer.feed(bytes);
            if (onFed) onFed(bytes.size());
            return !stop.stop_requested();
        });
    }
    Pipeline pipeline(*opened, static_cast<std::uint64_t>(status.st_size), analyzer, threads, stop, onFed);
    const int error = pipeline.run(scanner, threads);
    return error == 0 ? Result<void>() : cannotReadOn(file, error);
}

}  // namespace dlperf::analysis
