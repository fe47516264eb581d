// SPDX-License-Identifier: Apache-2.0
#include "core/run/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

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
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!file.open()) {
        return cannotWrite(path, errno);
    }
    if (const int error = removeTornLine(file.get()); error != 0) {
        return cannotWrite(path, error);
    }
    return Journal(std::move(file), path);
}

Result<void> Journal::write(const Event& event) {
    const std::string line = toJson(event).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (const int error = writeAll(file_.get(), line); error != 0) {
        removeTornLine(file_.get());
        return cannotWrite(path_, error);
    }
    return ::fdatasync(file_.get()) == 0 ? Result<void>() : cannotWrite(path_, errno);
}

Result<std::vector<Event>> readJournal(const std::filesystem::path& path) {
    std::vector<Event> events;
    std::ifstream stream(path, std::ios::binary);
    std::string line;
    for (int number = 1; std::getline(stream, line) && !stream.eof(); ++number) {  // eof: a torn line
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) {
            continue;
        }
        auto event = eventFromJson(json, fmt::format("{}, line {}", path.string(), number));
        if (!event) {
            return fail("the journal is damaged: " + event.error().what, event.error().where,
                        "Remove this line, then `dlperf resume`.", ErrorKind::Work);
        }
        if (*event) {
            events.push_back(std::move(**event));
        }
    }
    return events;
}

Result<void> checkJournal(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string line;
    for (int number = 1; std::getline(stream, line) && !stream.eof(); ++number) {  // eof: a torn line
        if (!Json::parse(line, nullptr, false).is_object()) {
            return fail(fmt::format("line {} of the journal is damaged", number), path.string(),
                        "Restore the file from a backup.");
        }
    }
    return {};
}

}  // namespace dlperf::run
