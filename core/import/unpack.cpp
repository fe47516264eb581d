// SPDX-License-Identifier: Apache-2.0
#include "core/import/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/import/log_kind.h"

namespace dlperf::imports {
namespace {

// libarchive behind values: entries one after the other, their bytes in pieces, errors with a place.
struct ArchiveEntry {
    std::string name;  // any bytes; empty if it cannot be read
    enum class Kind { File, Folder, Link, Other } kind = Kind::Other;
    bool encrypted = false;
};

constexpr std::size_t blockBytes = 128U << 10U;

ArchiveEntry::Kind entryKind(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr) {
        return ArchiveEntry::Kind::Link;
    }
    switch (archive_entry_filetype(entry)) {
        case AE_IFREG:
            return ArchiveEntry::Kind::File;
        case AE_IFDIR:
            return ArchiveEntry::Kind::Folder;
        case AE_IFLNK:
            return ArchiveEntry::Kind::Link;
        default:
            return ArchiveEntry::Kind::Other;
    }
}

class ArchiveReader {
public:
    // An Input error for what is no archive of a known kind.
    [[nodiscard]] static Result<ArchiveReader> open(const std::filesystem::path& file) {
        ArchiveReader reader(std::unique_ptr<::archive, Free>(archive_read_new()), file);
        ::archive* handle = reader.handle_.get();
        archive_read_support_filter_gzip(handle);
        archive_read_support_filter_zstd(handle);
        archive_read_support_filter_xz(handle);
        archive_read_support_filter_bzip2(handle);
        archive_read_support_format_tar(handle);
        archive_read_support_format_zip(handle);
        archive_read_support_format_raw(handle);  // a single file that was packed
        // Names as the bytes that they are: the program's locale has nothing to do with them.
        archive_read_set_options(handle, "hdrcharset=BINARY");
        if (archive_read_open_filename(handle, file.c_str(), blockBytes) != ARCHIVE_OK) {
            return reader.broken();
        }
        return reader;
    }

    // Nothing at the end; an Input error where the archive is broken.
    [[nodiscard]] Result<std::optional<ArchiveEntry>> next() {
        archive_entry* entry = nullptr;
        const int result = archive_read_next_header(handle_.get(), &entry);
        if (result == ARCHIVE_EOF) {
            return std::nullopt;
        }
        if (result < ARCHIVE_WARN) {
            return broken();
        }
        if (isPlainFile()) {
            return fail("is no archive that can be read", file_.string(),
                        "Give a .tar (.gz, .xz, .bz2, .zst), a .zip or a packed log, or a folder.");
        }
        ArchiveEntry found{nameOf(entry), entryKind(entry), archive_entry_is_encrypted(entry) != 0};
        entry_ = firstLine(found.name);
        return found;
    }

    // The bytes of the entry that next() gave, holes as zeros. An error of `onBytes` ends it.
    [[nodiscard]] Result<void> read(const std::function<Result<void>(std::string_view)>& onBytes) {
        std::string block(blockBytes, '\0');
        while (true) {
            const la_ssize_t count = archive_read_data(handle_.get(), block.data(), block.size());
            if (count == 0) {
                return {};
            }
            if (count < 0) {  // a warning here is a checksum that is wrong
                return broken();
            }
            TRY(onBytes(std::string_view(block).substr(0, static_cast<std::size_t>(count))));
        }
    }

    // Bytes of the archive that went in so far.
    [[nodiscard]] std::uint64_t bytesIn() const {
        return static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(handle_.get(), -1)));
    }

private:
    struct Free {
        void operator()(::archive* handle) const { archive_read_free(handle); }
    };
    ArchiveReader(std::unique_ptr<::archive, Free> handle, std::filesystem::path file)
        : handle_(std::move(handle)), file_(std::move(file)) {}

    [[nodiscard]] std::string place() const {
        return entry_.empty() ? file_.string() : file_.string() + ", " + entry_;
    }

    [[nodiscard]] Failure broken() const {
        const char* words = archive_error_string(handle_.get());
        return fail(
            "the archive is broken or cut off: " + firstLine(words != nullptr ? words : "unknown error"),
            place(), "Copy or pack it again.");
    }

    // Anything at all is a "raw" archive to libarchive.
    [[nodiscard]] bool isPlainFile() const {
        return archive_format(handle_.get()) == ARCHIVE_FORMAT_RAW &&
               archive_filter_code(handle_.get(), 0) == ARCHIVE_FILTER_NONE;
    }

    [[nodiscard]] std::string nameOf(::archive_entry* entry) const {
        if (archive_format(handle_.get()) == ARCHIVE_FORMAT_RAW) {  // the packed file's own name
            const std::string name = file_.stem().string();
            return lower(name).ends_with(".log") || lower(name).ends_with(".mem") ? name : name + ".log";
        }
        const char* name = archive_entry_pathname(entry);
        name = name != nullptr ? name : archive_entry_pathname_utf8(entry);
        return name != nullptr ? name : "";
    }

    std::unique_ptr<::archive, Free> handle_;
    std::filesystem::path file_;
    std::string entry_;  // the one being read, for messages
};

namespace fs = std::filesystem;
using Bytes = std::string_view;

class Unpacker {
public:
    Unpacker(ArchiveReader reader, fs::path archive, fs::path target, const UnpackLimits& limits,
             std::stop_token stop, const OnProgress& onProgress)
        : reader_(std::move(reader)),
          archive_(std::move(archive)),
          target_(std::move(target)),
          limits_(limits),
          stop_(std::move(stop)),
          onProgress_(onProgress) {
        std::error_code unknown;
        archiveBytes_ = fs::file_size(archive_, unknown);
    }

    Result<Unpacked> run() {
        for (std::size_t entries = 0;; ++entries) {
            auto entry = TRY(reader_.next());
            if (!entry) {
                return std::move(unpacked_);
            }
            if (entries == limits_.entries) {
                return tooLarge(fmt::format("holds more than {} files and folders", limits_.entries));
            }
            TRY(take(*entry));
        }
    }

private:
    [[nodiscard]] Failure tooLarge(const std::string& what) const {
        return fail("the archive " + what, archive_.string(),
                    "Unpack it yourself and import the folder of the logs.");
    }

    Result<void> take(const ArchiveEntry& entry) {
        if (stop_.stop_requested()) {
            return cancelled(archive_.string());
        }
        if (entry.encrypted) {
            return fail("the archive is encrypted", archive_.string() + ", " + entry.name,
                        "Unpack it with its password and import the folder.");
        }
        if (entry.kind == ArchiveEntry::Kind::Folder) {
            return {};
        }
        const auto parts = partsOf(entry.name);
        if (const std::string_view reason = refusal(entry, parts.has_value()); !reason.empty()) {
            unpacked_.remarks.add(reason, entry.name);
            return passOver();
        }
        if (isHidden(*parts)) {
            return passOver();
        }
        switch (kindOf(parts->back())) {
            case FileKind::Archive:
                unpacked_.remarks.add("an archive inside the archive was not opened", entry.name);
                return passOver();
            case FileKind::Other:
                return passOver();
            default:
                return keep(*parts);
        }
    }

    static std::string_view refusal(const ArchiveEntry& entry, bool named) {
        if (entry.kind == ArchiveEntry::Kind::Link) {
            return "a link was skipped";
        }
        if (entry.kind == ArchiveEntry::Kind::Other) {
            return "what is no file was skipped";
        }
        return named ? std::string_view() : "a name that leads out of the archive was skipped";
    }

    // Its bytes must be read all the same, where they are packed together with those of the next entry.
    Result<void> passOver() {
        return reader_.read([this](Bytes bytes) { return account(bytes); });
    }

    Result<void> keep(std::vector<std::string> parts) {
        const fs::path file = target_ / std::to_string(unpacked_.files.size());
        const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!out.open()) {
            return diskRefuses(file, errno);
        }
        std::uint64_t written = 0;
        auto copied = reader_.read([&](Bytes bytes) -> Result<void> {
            written += bytes.size();
            kept_ += bytes.size();
            if (written > limits_.fileBytes || kept_ > limits_.bytes) {
                return tooLarge(
                    fmt::format("holds more than {} MiB of logs",
                                (written > limits_.fileBytes ? limits_.fileBytes : limits_.bytes) >> 20U));
            }
            if (const int error = writeAll(out.get(), bytes); error != 0) {
                return diskRefuses(file, error);
            }
            return account(bytes);
        });
        unpacked_.files.push_back({file, std::move(parts)});
        return copied;
    }

    // What came out, kept or not.
    Result<void> account(Bytes bytes) {
        if (stop_.stop_requested()) {
            return cancelled(archive_.string());
        }
        out_ += bytes.size();
        const std::uint64_t in = std::max<std::uint64_t>(1, reader_.bytesIn());
        if (out_ > limits_.ratioFrom && out_ / in > limits_.ratio) {
            return tooLarge(
                fmt::format("unpacks to more than {} times its size, as no logs do", limits_.ratio));
        }
        if (onProgress_) {
            onProgress_({Stage::Unpacking, in, archiveBytes_});
        }
        return {};
    }

    ArchiveReader reader_;
    fs::path archive_;
    fs::path target_;
    UnpackLimits limits_;
    std::stop_token stop_;
    const OnProgress& onProgress_;
    std::uint64_t archiveBytes_ = 0;
    std::uint64_t kept_ = 0;  // bytes
    std::uint64_t out_ = 0;   // bytes
    Unpacked unpacked_;
};

}  // namespace

bool isArchive(const fs::path& file) {
    const FileKind kind = kindOf(file.filename().string());
    if (kind != FileKind::Other && kind != FileKind::Capture) {
        return kind == FileKind::Archive;
    }
    using namespace std::string_view_literals;
    std::array<char, 262> head{};
    std::ifstream(file, std::ios::binary).read(head.data(), head.size());
    const Bytes bytes(head.data(), head.size());
    return bytes.starts_with("PK\x03\x04"sv) || bytes.starts_with("\x1F\x8B"sv) ||
           bytes.starts_with("\x28\xB5\x2F\xFD"sv) || bytes.starts_with("\xFD\x37zXZ"sv) ||
           bytes.starts_with("BZh"sv) || bytes.substr(257) == "ustar"sv;
}

Result<Unpacked> unpack(const fs::path& archive, const fs::path& target, const UnpackLimits& limits,
                        const std::stop_token& stop, const OnProgress& onProgress) {
    auto reader = TRY(ArchiveReader::open(archive));
    return Unpacker(std::move(reader), archive, target, limits, stop, onProgress).run();
}

}  // namespace dlperf::imports
