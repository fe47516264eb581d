// SPDX-License-Identifier: Apache-2.0
#include "core/import/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <string>

#include "core/base/text.h"

namespace dlperf::imports {
namespace {

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

}  // namespace

void ArchiveReader::Free::operator()(::archive* handle) const {
    archive_read_free(handle);
}

Result<ArchiveReader> ArchiveReader::open(const std::filesystem::path& file) {
    ArchiveReader reader(std::unique_ptr<::archive, Free>(archive_read_new()), file);
    ::archive* handle = reader.handle_.get();
    archive_read_support_filter_gzip(handle);
    archive_read_support_filter_zstd(handle);
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

std::string ArchiveReader::place() const {
    return entry_.empty() ? file_.string() : file_.string() + ", " + entry_;
}

Failure ArchiveReader::broken() const {
    const char* words = archive_error_string(handle_.get());
    return fail("the archive is broken or cut off: " + firstLine(words != nullptr ? words : "unknown error"),
                place(), "Copy or pack it again.");
}

// Anything at all is a "raw" archive to libarchive.
bool ArchiveReader::isPlainFile() const {
    return archive_format(handle_.get()) == ARCHIVE_FORMAT_RAW &&
           archive_filter_code(handle_.get(), 0) == ARCHIVE_FILTER_NONE;
}

std::string ArchiveReader::nameOf(archive_entry* entry) const {
    if (archive_format(handle_.get()) == ARCHIVE_FORMAT_RAW) {  // the packed file's own name
        const std::string name = file_.stem().string();
        return lower(name).ends_with(".log") || lower(name).ends_with(".mem") ? name : name + ".log";
    }
    const char* name = archive_entry_pathname(entry);
    name = name != nullptr ? name : archive_entry_pathname_utf8(entry);
    return name != nullptr ? name : "";
}

Result<std::optional<ArchiveEntry>> ArchiveReader::next() {
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
                    "Give a .tar, .tar.gz, .tar.zst, .zip, .gz or .zst file, or a folder.");
    }
    ArchiveEntry found{nameOf(entry), entryKind(entry), archive_entry_is_encrypted(entry) != 0};
    entry_ = firstLine(found.name);
    return found;
}

Result<void> ArchiveReader::read(const std::function<Result<void>(std::string_view)>& onBytes) {
    std::string block(blockBytes, '\0');
    while (true) {
        const la_ssize_t count = archive_read_data(handle_.get(), block.data(), block.size());
        if (count == 0) {
            return {};
        }
        if (count < 0) {  // a warning here is a checksum that is wrong
            return broken();
        }
        if (auto taken = onBytes(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
            !taken) {
            return taken;
        }
    }
}

std::uint64_t ArchiveReader::bytesIn() const {
    return static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(handle_.get(), -1)));
}

}  // namespace dlperf::imports
