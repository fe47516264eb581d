// SPDX-License-Identifier: Apache-2.0
#include "core/publish/archive_writer.h"

#include <archive_entry.h>

#include "core/base/text.h"

namespace dlperf::publish {
namespace {

bool addFilter(::archive* handle, const std::string& ending) {
    return ending == ".zst"   ? archive_write_add_filter_zstd(handle) == ARCHIVE_OK
           : ending == ".gz"  ? archive_write_add_filter_gzip(handle) == ARCHIVE_OK
           : ending == ".xz"  ? archive_write_add_filter_xz(handle) == ARCHIVE_OK
           : ending == ".tar" ? archive_write_add_filter_none(handle) == ARCHIVE_OK
                              : false;
}

}  // namespace

Result<ArchiveWriter> ArchiveWriter::make(const std::filesystem::path& file) {
    const std::string ending = lower(file.extension().string());
    const bool isTar = ending == ".tar" || lower(file.stem().extension().string()) == ".tar";
    ArchiveWriter writer(std::unique_ptr<::archive, Free>(archive_write_new()), file);
    ::archive* handle = writer.handle_.get();
    if (!isTar || !addFilter(handle, ending)) {
        return fail("a bundle cannot be packed like this", file.string(),
                    "Name a file that ends in .tar.zst, .tar.gz, .tar.xz or .tar.");
    }
    archive_write_set_format_gnutar(handle);
    archive_write_set_options(handle, "gzip:!timestamp");
    if (archive_write_open_filename(handle, partOf(file).c_str()) != ARCHIVE_OK) {
        return writer.refused();
    }
    return writer;
}

Result<void> ArchiveWriter::add(const std::string& name, std::string_view bytes) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 0, 0);
    const bool written = archive_write_header(handle_.get(), entry.get()) == ARCHIVE_OK &&
                         archive_write_data(handle_.get(), bytes.data(), bytes.size()) ==
                             static_cast<la_ssize_t>(bytes.size());
    return written ? Result<void>() : refused();
}

std::filesystem::path ArchiveWriter::partOf(const std::filesystem::path& file) {
    return file.parent_path() / (".part-" + file.filename().string());
}

Result<void> ArchiveWriter::close() {
    if (archive_write_close(handle_.get()) != ARCHIVE_OK) {
        return refused();
    }
    std::error_code error;
    std::filesystem::rename(partOf(file_), file_, error);
    return error ? failBecause(error.message(), "the bundle cannot be written", file_.string(),
                               "Check the folder's permissions and the free space.", ErrorKind::Work)
                 : Result<void>();
}

Failure ArchiveWriter::refused() const {
    const char* why = archive_error_string(handle_.get());
    return failBecause(why != nullptr ? why : "", "the bundle cannot be written", file_.string(),
                       "Check the folder's permissions and the free space.", ErrorKind::Work);
}

}  // namespace dlperf::publish
