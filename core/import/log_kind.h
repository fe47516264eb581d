// SPDX-License-Identifier: Apache-2.0
// Which files an import looks at, by their names alone; the same for folders and archives.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlperf::imports {

// Folders above a file that are looked into.
inline constexpr std::size_t deepest = 16;

enum class FileKind {
    Log,       // *.log: told about even if no format knows it
    Capture,   // *.out, *.txt, *.err, *_log, workerlog.0, job.o123: may hold a trainer's output
    Memory,    // *.mem, which lies beside the logs of Wide & Deep
    Archive,   // is named, never opened inside another one
    RunFacts,  // run.json: the folder is a run of a workspace, and its node0.log lies beside it by its name
    Manifest,  // published.json: the folder is a bundle that somebody published
    Formats,   // formats.json: beside a folder logs/, the log formats of a workspace or a bundle
    Other,
};

[[nodiscard]] FileKind kindOf(std::string_view name);

// Whether a file of this kind is looked at for lines of training.
[[nodiscard]] bool mayBeLog(FileKind kind);

// The log that is packed in a file of this name: "train.log" of "train.log.gz". Empty for others, such as
// "logs.tar.gz".
[[nodiscard]] std::string packedLog(std::string_view name);

// The log that a file of this name is an older part of, if it is there: "train.log" of "train.log.1". Empty
// for others.
[[nodiscard]] std::string rotatedLog(std::string_view name);

// The parts of a file's name inside an archive, whatever system wrote it ("a\b.log" is "a", "b.log"). Nothing
// for one that leads out of its folder (absolute, "..", a drive), that no file can have (NUL, empty), or that
// lies too deep.
[[nodiscard]] std::optional<std::vector<std::string>> partsOf(std::string_view name);

// Whether a part starts with a dot: DLPerf's extractors pass such files by, and Macs put their own data
// there.
[[nodiscard]] bool isHidden(const std::vector<std::string>& parts);

}  // namespace dlperf::imports
