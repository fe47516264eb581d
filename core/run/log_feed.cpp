// SPDX-License-Identifier: Apache-2.0
#include "core/run/log_feed.h"

#include <array>

namespace dlperf::run {
namespace {

constexpr std::streamoff mostAtOnce = 16 << 20;

}  // namespace

LogFeed::LogFeed(const std::filesystem::path& log, const analysis::Format& format, analysis::RunShape shape,
                 Window window)
    : log_(log), analyzer_(format, shape, window) {}

bool LogFeed::advance() {
    std::ifstream stream(log_, std::ios::binary);
    stream.seekg(read_);
    std::array<char, 65536> buffer{};
    const std::streamoff end = read_ + mostAtOnce;
    while (stream && read_ < end) {
        stream.read(buffer.data(), buffer.size());
        const std::streamsize got = stream.gcount();
        read_ += got;
        analyzer_.feed(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
        if (auto found = analyzer_.takeIterations(); !found.empty()) {
            latest_ = found.back();
            fresh_ = std::move(found);
        }
    }
    return read_ >= end;
}

analysis::RunFigure LogFeed::finish() {
    while (advance()) {
    }
    analyzer_.finish();
    return analyzer_.figure();
}

}  // namespace dlperf::run
