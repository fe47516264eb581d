// SPDX-License-Identifier: Apache-2.0
#include "core/import/unpack.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <utility>

#include "core/base/descriptor.h"
#include "core/import/archive_reader.h"
#include "core/import/log_kind.h"

namespace dlperf::imports {
namespace {

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
            auto entry = reader_.next();
            if (!entry) {
                return Failure(entry.error());
            }
            if (!*entry) {
                return std::move(unpacked_);
            }
            if (entries == limits_.entries) {
                return tooLarge(fmt::format("holds more than {} files and folders", limits_.entries));
            }
            if (auto taken = take(**entry); !taken) {
                return Failure(taken.error());
            }
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
            case FileKind::RunFacts:
                unpacked_.runFolders.emplace(parts->begin(), std::prev(parts->end()));
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
    if (kind != FileKind::Other) {
        return kind == FileKind::Archive;
    }
    using namespace std::string_view_literals;
    std::array<char, 262> head{};
    std::ifstream(file, std::ios::binary).read(head.data(), head.size());
    const Bytes bytes(head.data(), head.size());
    return bytes.starts_with("PK\x03\x04"sv) || bytes.starts_with("\x1F\x8B"sv) ||
           bytes.starts_with("\x28\xB5\x2F\xFD"sv) || bytes.substr(257) == "ustar"sv;
}

Result<Unpacked> unpack(const fs::path& archive, const fs::path& target, const UnpackLimits& limits,
                        const std::stop_token& stop, const OnProgress& onProgress) {
    auto reader = ArchiveReader::open(archive);
    if (!reader) {
        return Failure(reader.error());
    }
    return Unpacker(std::move(*reader), archive, target, limits, stop, onProgress).run();
}

}  // namespace dlperf::imports
