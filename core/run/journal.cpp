// SPDX-License-Identifier: Apache-2.0
#include "core/run/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/regular_file.h"

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

// All but what stands behind the last newline; nothing of a missing file.
Result<std::string> wholeLinesOf(const std::filesystem::path& path) {
    constexpr std::uintmax_t mostBytes = 1U << 30U;
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
        return std::string();
    }
    std::string text = TRY(readFile(path, mostBytes, Links::Refuse));
    text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
    return text;
}

// Calls back with each whole line and its number, until one is an error.
Result<void> forEachLine(const std::filesystem::path& path,
                         const std::function<Result<void>(std::string_view, int)>& onLine) {
    const std::string text = TRY(wholeLinesOf(path));
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        TRY(onLine(std::string_view(text).substr(begin, end - begin), ++number));
        begin = end + 1;
    }
    return {};
}

}  // namespace

Result<Journal> Journal::open(const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644));
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
    TRY(forEachLine(path, [&](std::string_view line, int number) -> Result<void> {
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) {
            return {};
        }
        auto event = eventFromJson(json, fmt::format("{}, line {}", path.string(), number));
        if (!event) {
            return fail("the journal is damaged: " + event.error().what, event.error().where,
                        "Remove this line, then `dlperf resume`.", ErrorKind::Work);
        }
        if (*event) {
            events.push_back(std::move(**event));
        }
        return {};
    }));
    return events;
}

Result<void> checkJournal(const std::filesystem::path& path) {
    return forEachLine(path, [&](std::string_view line, int number) -> Result<void> {
        if (!Json::parse(line, nullptr, false).is_object()) {
            return fail(fmt::format("line {} of the journal is damaged", number), path.string(),
                        "Restore the file from a backup, or move the campaign's folder away.");
        }
        return {};
    });
}

}  // namespace dlperf::run
