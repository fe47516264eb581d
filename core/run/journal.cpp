// SPDX-License-Identifier: Apache-2.0
#include "core/run/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/model/case.h"

namespace dlperf::run {
namespace {

Failure cannotWrite(const std::filesystem::path& path, int number) {
    return fail(fmt::format("the journal cannot be written: {}", std::strerror(number)), path.string(),
                "Make room or mend the disk, then `dlperf resume`.", ErrorKind::Work);
}

// Cuts a last line that has no newline: its event never happened.
int removeTornLine(int fd) {
    off_t size = ::lseek(fd, 0, SEEK_END);
    const off_t before = size;
    char last = '\n';
    while (size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n') {
        --size;
    }
    return size != before && ::ftruncate(fd, size) != 0 ? errno : 0;
}

}  // namespace

Result<Journal> Journal::open(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) {
        return cannotWrite(path, errno);
    }
    Journal journal(fd, path);
    if (const int error = removeTornLine(fd); error != 0) {
        return cannotWrite(path, error);
    }
    return journal;
}

Journal::~Journal() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

Journal::Journal(Journal&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

Journal& Journal::operator=(Journal&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(path_, other.path_);
    return *this;
}

Result<void> Journal::write(Json event) {
    event["time"] = toIso8601(now());
    const std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t written = ::write(fd_, line.data() + done, line.size() - done);
        if (written < 0 && errno != EINTR) {
            const int error = errno;
            removeTornLine(fd_);
            return cannotWrite(path_, error);
        }
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    return ::fdatasync(fd_) == 0 ? Result<void>() : cannotWrite(path_, errno);
}

std::vector<Json> readJournal(const std::filesystem::path& path) {
    std::vector<Json> events;
    std::ifstream stream(path, std::ios::binary);
    std::string line;
    while (std::getline(stream, line) && !stream.eof()) {  // eof: no newline, a torn line
        Json event = Json::parse(line, nullptr, false);
        if (event.is_object()) {
            events.push_back(std::move(event));
        }
    }
    return events;
}

}  // namespace dlperf::run
