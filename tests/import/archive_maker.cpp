// SPDX-License-Identifier: Apache-2.0
#include "tests/import/archive_maker.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <stdexcept>

namespace dlperf::test {
namespace {

void demand(int result, ::archive* handle) {
    if (result < ARCHIVE_WARN) {
        throw std::runtime_error(archive_error_string(handle));
    }
}

void chooseKind(::archive* handle, ArchiveKind kind) {
    if (kind == ArchiveKind::TarGz || kind == ArchiveKind::Gz) {
        demand(archive_write_add_filter_gzip(handle), handle);
    }
    if (kind == ArchiveKind::TarZst || kind == ArchiveKind::Zst) {
        demand(archive_write_add_filter_zstd(handle), handle);
    }
    if (kind == ArchiveKind::TarXz) {
        demand(archive_write_add_filter_xz(handle), handle);
    }
    if (kind == ArchiveKind::TarBz2) {
        demand(archive_write_add_filter_bzip2(handle), handle);
    }
    if (kind == ArchiveKind::Zip || kind == ArchiveKind::EncryptedZip) {
        demand(archive_write_set_format_zip(handle), handle);
    } else if (kind == ArchiveKind::Gz || kind == ArchiveKind::Zst) {
        demand(archive_write_set_format_raw(handle), handle);
    } else {
        demand(archive_write_set_format_gnutar(handle), handle);
    }
    if (kind == ArchiveKind::EncryptedZip) {
        demand(archive_write_set_options(handle, "zip:encryption=traditional"), handle);
        demand(archive_write_set_passphrase(handle, "secret"), handle);
    }
}

}  // namespace

void ArchiveMaker::Close::operator()(::archive* handle) const {
    archive_write_free(handle);
}

ArchiveMaker::ArchiveMaker(const std::filesystem::path& file, ArchiveKind kind)
    : handle_(archive_write_new()) {
    chooseKind(handle_.get(), kind);
    demand(archive_write_set_bytes_in_last_block(handle_.get(), 1), handle_.get());
    demand(archive_write_open_filename(handle_.get(), file.c_str()), handle_.get());
}

void ArchiveMaker::begin(const std::string& name, unsigned type, std::uint64_t bytes,
                         const std::string& target, bool hard) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              &archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_filetype(entry.get(), type);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
    if (hard) {
        archive_entry_set_hardlink(entry.get(), target.c_str());
    } else if (!target.empty()) {
        archive_entry_set_symlink(entry.get(), target.c_str());
    }
    demand(archive_write_header(handle_.get(), entry.get()), handle_.get());
}

void ArchiveMaker::file(const std::string& name, std::string_view bytes) {
    begin(name, AE_IFREG, bytes.size());
    demand(static_cast<int>(
               std::min<la_ssize_t>(0, archive_write_data(handle_.get(), bytes.data(), bytes.size()))),
           handle_.get());
}

void ArchiveMaker::sameBytes(const std::string& name, std::uint64_t bytes) {
    begin(name, AE_IFREG, bytes);
    const std::string block(1U << 20U, 'x');
    while (bytes > 0) {
        const std::uint64_t part = std::min<std::uint64_t>(bytes, block.size());
        archive_write_data(handle_.get(), block.data(), part);
        bytes -= part;
    }
}

void ArchiveMaker::symbolicLink(const std::string& name, const std::string& target) {
    begin(name, AE_IFLNK, 0, target);
}

void ArchiveMaker::hardLink(const std::string& name, const std::string& target) {
    begin(name, AE_IFREG, 0, target, true);
}

void ArchiveMaker::device(const std::string& name) {
    begin(name, AE_IFCHR, 0);
}

}  // namespace dlperf::test
