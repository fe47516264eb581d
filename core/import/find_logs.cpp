// SPDX-License-Identifier: Apache-2.0
#include "core/import/find_logs.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/import/readable.h"
#include "core/store/manifest.h"

namespace dlperf::imports {
namespace {

namespace fs = std::filesystem;
using Parts = std::vector<std::string>;

Parts folderOf(const Parts& parts) {
    return {parts.begin(), std::prev(parts.end())};
}

// "2n8g/r50_b128_fp32_1.log" without its ending: what its memory file and its run's folder are called, too.
Parts stem(Parts parts) {
    parts.back() = fs::path(parts.back()).stem().string();
    return parts;
}

constexpr std::size_t namesAbove = 4;  // of what is imported, that are read

// What lies somewhere, before it is known what is to be looked at.
using Pile = std::vector<UnpackedFile>;

// What lies beside a log, by its name without an ending.
struct Besides {
    std::map<Parts, fs::path> memories;
    std::map<Parts, fs::path> records;         // run.json
    std::map<Parts, std::string> checksums{};  // by the whole name, as a manifest has it
};

// An Input error for a manifest that cannot be read: nobody could say then what was changed.
Result<void> takeManifest(const UnpackedFile& file, Besides& besides) {
    const Json json = TRY(readJsonFile(file.file));
    const auto manifest = TRY(store::manifestFromJson(json, file.parts.back()));
    for (const auto& [name, checksum] : manifest.files) {
        if (const auto below = partsOf(name)) {
            Parts parts = folderOf(file.parts);
            parts.insert(parts.end(), below->begin(), below->end());
            besides.checksums.emplace(std::move(parts), checksum);
        }
    }
    return {};
}

Result<Besides> besidesIn(const Pile& pile) {
    Besides besides;
    for (const UnpackedFile& file : pile) {
        const FileKind kind = kindOf(file.parts.back());
        if (kind == FileKind::Memory) {
            besides.memories.emplace(stem(file.parts), file.file);
        } else if (kind == FileKind::RunFacts) {
            besides.records.emplace(folderOf(file.parts), file.file);
        } else if (kind == FileKind::Manifest) {
            TRY(takeManifest(file, besides));
        }
    }
    return besides;
}

template <class Value>
Value valueAt(const std::map<Parts, Value>& values, const Parts& name) {
    const auto found = values.find(name);
    return found == values.end() ? Value() : found->second;
}

// A part of a log whose newest part lies beside it is no run of its own.
bool isOlderPart(const Parts& parts, const std::set<Parts>& names) {
    Parts newest = parts;
    newest.back() = rotatedLog(parts.back());
    return !newest.back().empty() && names.contains(newest);
}

// Elsewhere than beside a folder logs/ a file of this name may be anything.
bool areFormats(const UnpackedFile& file, const std::set<Parts>& names) {
    Parts logs = folderOf(file.parts);
    logs.emplace_back("logs");
    const auto below = names.lower_bound(logs);
    return kindOf(file.parts.back()) == FileKind::Formats && below != names.end() &&
           below->size() > logs.size() && std::equal(logs.begin(), logs.end(), below->begin());
}

// A bundle's manifest lists them, so none can be laid into one later.
Result<FoundFormats> readFormats(const UnpackedFile& file, const std::string& checksum, bool isPublished) {
    FoundFormats found{join(file.parts, "/"), TRY(readFile(file.file)), isPublished};
    Sha256 sum;
    sum.add(found.text);
    if (isPublished && sum.digits() != checksum) {
        return fail("is not what was published: its checksum is another one", found.name,
                    "Get the bundle once more, or ask whoever published it.");
    }
    return found;
}

// The logs of a pile, each with what lies beside it, and the formats that they may be of.
Result<void> pick(const Pile& pile, FoundLogs& found) {
    const Besides besides = TRY(besidesIn(pile));
    std::set<Parts> names;
    for (const UnpackedFile& file : pile) {
        names.insert(file.parts);
    }
    for (const UnpackedFile& file : pile) {
        if (areFormats(file, names)) {
            Parts manifest = folderOf(file.parts);
            manifest.emplace_back(store::manifestName);
            found.formats.push_back(
                TRY(readFormats(file, valueAt(besides.checksums, file.parts), names.contains(manifest))));
        }
        const FileKind kind = kindOf(file.parts.back());
        if (!mayBeLog(kind) || (file.parts.size() > 1 && besides.records.contains(folderOf(file.parts)))) {
            continue;
        }
        if (isOlderPart(file.parts, names)) {
            found.remarks.add("an older part of a log that was rotated was left out", join(file.parts, "/"));
            continue;
        }
        found.logs.push_back({file.file, valueAt(besides.memories, stem(file.parts)), file.parts, kind,
                              valueAt(besides.records, stem(file.parts)),
                              valueAt(besides.checksums, file.parts)});
    }
    std::stable_sort(found.logs.begin(), found.logs.end(),
                     [](const FoundLog& a, const FoundLog& b) { return a.parts < b.parts; });
    return {};
}

// In the trash of a workspace, see core/run/trash.h.
bool isDeleted(const fs::path& folder) {
    std::error_code none;
    return folder.parent_path().filename() == "trash" && fs::exists(folder / "deleted.json", none);
}

class FolderWalk {
public:
    FolderWalk(fs::path folder, std::stop_token stop) : folder_(std::move(folder)), stop_(std::move(stop)) {}

    Result<void> run(Pile& pile, Remarks& remarks) {
        if (const std::string why = whyClosed(folder_); !why.empty()) {
            return unreadable(why);
        }
        std::error_code error;
        fs::recursive_directory_iterator entry(folder_, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            if (stop_.stop_requested()) {
                return cancelled(folder_.string());
            }
            if (entry->path().filename().native().starts_with('.') || isDeleted(entry->path())) {
                entry.disable_recursion_pending();
            } else if (isFolder(*entry)) {
                if (static_cast<std::size_t>(entry.depth()) + 1 >= deepest) {
                    entry.disable_recursion_pending();
                    remarks.add("a folder lies too deep and was not looked into", entry->path().string());
                } else if (const std::string why = whyClosed(entry->path()); !why.empty()) {
                    remarks.add("a folder cannot be read: " + why, entry->path().string());
                }
                ++folders_;
            } else {
                take(*entry, pile, remarks);
            }
            if (folders_ > mostFolders || logs_ > mostLogs) {
                return fail(fmt::format("holds more than {} folders or {} logs", mostFolders, mostLogs),
                            folder_.string(), "Choose the folder that holds the logs.");
            }
        }
        return error ? unreadable(error.message()) : Result<void>();
    }

    [[nodiscard]] const Pile& packed() const { return packed_; }

private:
    // The walk passes by what it may not enter, and says nothing.
    static std::string whyClosed(const fs::path& folder) {
        const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        return opened.open() ? std::string() : std::generic_category().message(errno);
    }

    Failure unreadable(const std::string& why) const {
        return fail("the folder cannot be read: " + why, folder_.string(),
                    "Check the name and the permissions.");
    }

    static bool isFolder(const fs::directory_entry& entry) {
        std::error_code ignored;
        return entry.symlink_status(ignored).type() == fs::file_type::directory;
    }

    void take(const fs::directory_entry& entry, Pile& pile, Remarks& remarks) {
        const fs::path below = entry.path().lexically_relative(folder_);
        Parts parts;
        std::transform(below.begin(), below.end(), std::back_inserter(parts),
                       [](const fs::path& part) { return part.string(); });
        const FileKind kind = kindOf(parts.back());
        std::error_code ignored;
        const std::string packed = packedLog(parts.back());
        if (kind == FileKind::Archive && packed.empty()) {
            remarks.add("an archive in the folder was not opened: import it by itself", below.string());
        } else if (kind == FileKind::Other) {
            return;
        } else if (entry.symlink_status(ignored).type() != fs::file_type::regular) {
            remarks.add("a link, or what is no file, was skipped", below.string());
        } else if (!packed.empty()) {
            ++logs_;
            parts.back() = packed;
            packed_.push_back({entry.path(), std::move(parts)});
        } else {
            logs_ += mayBeLog(kind) ? 1 : 0;
            pile.push_back({entry.path(), std::move(parts)});
        }
    }

    fs::path folder_;
    std::stop_token stop_;
    Pile packed_;  // single logs, by their names without the packer's ending
    std::size_t folders_ = 0;
    std::size_t logs_ = 0;
};

// The last names of a path: who imports 4n8g/ or bz128/ means them too.
Parts lastNames(const fs::path& path, std::size_t most) {
    Parts names;
    for (const fs::path& part : path) {
        if (part.has_filename() && part != path.root_path()) {
            names.push_back(part.string());
        }
    }
    names.erase(names.begin(), names.end() - static_cast<std::ptrdiff_t>(std::min(most, names.size())));
    return names;
}

// One that is broken or too large leaves the others.
Result<void> unpackEach(const Pile& packed, ReadableLogs& readable, Pile& pile, Remarks& remarks) {
    for (const UnpackedFile& file : packed) {
        auto text = readable.unpacked(file.file);
        if (text) {
            pile.push_back({std::move(*text), file.parts});
        } else if (text.error().kind == ErrorKind::Work) {
            return Failure(text.error());
        } else {
            remarks.add("a packed log cannot be read: " + text.error().what,
                        fs::path(join(file.parts, "/")).replace_filename(file.file.filename()).string());
        }
    }
    return {};
}

Result<FoundLogs> inFolder(const fs::path& folder, const std::stop_token& stop, ReadableLogs& readable) {
    FoundLogs found;
    found.above = lastNames(folder, namesAbove);
    Pile pile;
    FolderWalk walk(folder, stop);
    TRY(walk.run(pile, found.remarks));
    TRY(unpackEach(walk.packed(), readable, pile, found.remarks));
    TRY(pick(pile, found));
    return found;
}

Result<FoundLogs> inArchive(const fs::path& archive, const fs::path& staging, const UnpackLimits& limits,
                            const std::stop_token& stop, const OnProgress& onProgress) {
    FoundLogs found;
    fs::path name = archive.filename();
    while (kindOf(name.string()) == FileKind::Archive) {
        name = name.stem();
    }
    // A packed log means the names of its folders, as one by itself does.
    const bool isOneLog = !packedLog(archive.filename().string()).empty();
    found.above = isOneLog ? lastNames(archive.parent_path(), namesAbove) : Parts{name.string()};
    auto unpacked = TRY(unpack(archive, staging, limits, stop, onProgress));
    found.remarks = std::move(unpacked.remarks);
    TRY(pick(unpacked.files, found));
    return found;
}

// One log that the user names; a link to it is the user's own word.
Result<FoundLogs> alone(const fs::path& file) {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    if (error) {
        return fail("there is no such log, folder or archive", file.string(), "Check the path.");
    }
    if (!fs::is_regular_file(real, error)) {
        return fail("is neither a log nor a folder nor an archive", file.string(), "Check the path.");
    }
    FoundLogs found;
    found.above = lastNames(real.parent_path(), namesAbove);
    fs::path memory = real;
    memory.replace_extension(".mem");
    found.logs.push_back({real,
                          fs::is_regular_file(memory, error) ? memory : fs::path(),
                          {real.filename().string()},
                          FileKind::Log,
                          {},
                          {}});
    return found;
}

}  // namespace

Result<FoundLogs> findLogs(const fs::path& path, const fs::path& staging, const UnpackLimits& limits,
                           const std::stop_token& stop, const OnProgress& onProgress) {
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    const bool archive = !folder && fs::is_regular_file(path, ignored) && isArchive(path);
    ReadableLogs readable(staging, limits, stop);
    auto found = folder    ? inFolder(path, stop, readable)
                 : archive ? inArchive(path, staging, limits, stop, onProgress)
                           : alone(path);
    if (!found) {
        return found;
    }
    found->name = path.filename().string();
    for (FoundLog& log : found->logs) {
        // What somebody published is what its manifest says, byte by byte.
        log.file = log.checksum.empty() ? TRY(readable.inUtf8(log.file)) : log.file;
    }
    return found;
}

}  // namespace dlperf::imports
