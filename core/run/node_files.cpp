// SPDX-License-Identifier: Apache-2.0
#include "core/run/node_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/run/node_scripts.h"

namespace dlperf::run {
namespace {

constexpr std::uintmax_t slowestBytes = 32U << 10U;  // a second, of a network that is worth waiting for
constexpr std::size_t partBytes = 16U << 20U;        // of a large file; passes through memory

remote::Limits uploadLimits(std::size_t bytes, const std::stop_token& stop) {
    return {remote::Limits{}.deadline + std::chrono::seconds(bytes / slowestBytes), stop};
}

Failure cannotBePut(const NodeRun& node, const std::string& what, const std::string& why) {
    return fail(fmt::format("{} cannot be put there: {}", what, why), "node " + node.name(),
                "Check the node's work_dir, its permissions and its free space.", ErrorKind::Work);
}

struct Place {
    std::string folder;
    std::vector<std::string> whole;  // names of files that are there
};

Result<Place> look(const NodeRun& node, const std::string& place,
                   const std::map<std::string, std::string>& sums, const std::string& what,
                   const std::stop_token& stop) {
    const auto result =
        TRY(node.transport().run({filesScript(node.workDir(), place, sums), {}}, uploadLimits(0, stop)));
    if (result.exitCode != 0) {
        return cannotBePut(node, what, firstLine(result.errors));
    }
    return Place{lineOf(result.output, "folder"), linesOf(result.output, "same")};
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

std::string checksumOf(std::string_view bytes) {
    Sha256 checksum;
    checksum.add(bytes);
    return checksum.digits();
}

struct Part {
    std::string name;
    std::uintmax_t offset = 0;
    std::string sha256;
};

// One pass over the file for the sums of its parts and of all of it.
Result<std::pair<std::vector<Part>, std::string>> partsOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::vector<Part> parts;
    Sha256 all;
    std::string bytes(partBytes, '\0');
    for (std::uintmax_t offset = 0; stream; offset += partBytes) {
        stream.read(bytes.data(), static_cast<std::streamsize>(partBytes));
        const std::string_view got(bytes.data(), static_cast<std::size_t>(stream.gcount()));
        if (got.empty() && offset > 0) {
            break;
        }
        all.add(got);
        parts.push_back(
            {fmt::format("{}.part{}", file.filename().string(), parts.size()), offset, checksumOf(got)});
    }
    if (!stream.eof()) {
        return fail("cannot be read", file.string(), {}, ErrorKind::Work);
    }
    return std::pair(std::move(parts), all.digits());
}

Result<std::string> readPart(const std::filesystem::path& file, std::uintmax_t offset) {
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    std::string bytes(partBytes, '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(partBytes));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return stream.eof() || stream.good() ? Result<std::string>(std::move(bytes))
                                         : fail("cannot be read", file.string(), {}, ErrorKind::Work);
}

}  // namespace

NodeFile nodeFile(std::string name, std::string bytes, unsigned mode) {
    std::string sum = checksumOf(bytes);
    return {std::move(name), mode, std::move(bytes), std::move(sum)};
}

Result<std::string> bringFiles(const NodeRun& node, const std::string& place,
                               const std::vector<NodeFile>& files, const std::string& what,
                               const std::stop_token& stop) {
    std::map<std::string, std::string> sums;
    for (const NodeFile& file : files) {
        sums[file.name] = file.sha256;
    }
    Place there = TRY(look(node, place, sums, what, stop));
    if (there.whole.size() == files.size()) {
        return there.folder;
    }
    for (const NodeFile& file : files) {
        if (!holds(there.whole, file.name)) {
            // By rename: one that runs from this very place keeps its file.
            TRY(node.transport().upload(file.bytes, there.folder + "/" + file.name, file.mode,
                                        uploadLimits(file.bytes.size(), stop)));
        }
    }
    there = TRY(look(node, place, sums, what, stop));
    for (const NodeFile& file : files) {
        if (!holds(there.whole, file.name)) {
            return cannotBePut(node, what, file.name + " arrives changed");
        }
    }
    return there.folder;
}

Result<void> bringLargeFile(const NodeRun& node, const std::string& place, const std::filesystem::path& file,
                            const std::function<void(std::uintmax_t, std::uintmax_t)>& publish,
                            const std::stop_token& stop) {
    const std::string name = file.filename().string();
    const auto [parts, sum] = TRY(partsOf(file));
    std::map<std::string, std::string> sums{{name, sum}};
    for (const Part& part : parts) {
        sums[part.name] = part.sha256;
    }
    const Place there = TRY(look(node, place, sums, name, stop));
    if (holds(there.whole, name)) {
        return {};
    }
    std::error_code error;
    const std::uintmax_t all = std::filesystem::file_size(file, error);
    for (const Part& part : parts) {
        publish(part.offset, all);
        if (!holds(there.whole, part.name)) {
            const auto bytes = TRY(readPart(file, part.offset));
            TRY(node.transport().upload(bytes, there.folder + "/" + part.name, 0644,
                                        uploadLimits(bytes.size(), stop)));
        }
    }
    publish(all, all);
    const auto joined = TRY(node.transport().run(
        {joinScript(there.folder + "/" + name, parts.size(), sum), {}}, uploadLimits(all, stop)));
    return joined.exitCode == 0 ? Result<void>() : cannotBePut(node, name, firstLine(joined.errors));
}

}  // namespace dlperf::run
