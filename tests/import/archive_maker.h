// SPDX-License-Identifier: Apache-2.0
// Archives as anybody may make them: nothing about their names is checked here.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct archive;

namespace dlperf::test {

enum class ArchiveKind { Tar, TarGz, TarZst, TarXz, TarBz2, Zip, EncryptedZip, Gz, Zst };

class ArchiveMaker {
public:
    ArchiveMaker(const std::filesystem::path& file, ArchiveKind kind);

    void file(const std::string& name, std::string_view bytes);
    void sameBytes(const std::string& name, std::uint64_t bytes);
    void symbolicLink(const std::string& name, const std::string& target);
    void hardLink(const std::string& name, const std::string& target);
    void device(const std::string& name);
    void close() { handle_.reset(); }  // also at the end

private:
    struct Close {
        void operator()(::archive* handle) const;
    };
    void begin(const std::string& name, unsigned type, std::uint64_t bytes, const std::string& target = {},
               bool hard = false);
    std::unique_ptr<::archive, Close> handle_;
};

}  // namespace dlperf::test
