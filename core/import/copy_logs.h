// SPDX-License-Identifier: Apache-2.0
// Writing the logs of an import, each with its figure, where nobody sees them yet.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/diagnosis/diagnose.h"
#include "core/import/proposal.h"
#include "core/import/stage.h"
#include "core/store/workspace.h"

namespace dlperf::imports {

// Where an import lies until it is whole.
// A folder of this import alone, in the workspace, so that what is ready gets its place by a rename; gone
// with all that is in it at the end. What a killed import left is removed by the next one.
class Staging {
public:
    // A Work error if the folder cannot be made.
    [[nodiscard]] static Result<Staging> make(const std::filesystem::path& workspace);
    ~Staging();
    Staging(Staging&& other) noexcept
        : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
    Staging& operator=(Staging&& other) noexcept;

    std::filesystem::path unpacked() const { return path_ / "unpacked"; }
    std::filesystem::path ready() const { return path_ / "ready"; }

private:
    Staging(std::filesystem::path path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
    std::filesystem::path path_;  // empty once moved from
    Descriptor lock_;             // of the folder: held while its import lives
};

struct SavedLog {
    std::size_t proposal = 0;  // index
    RunResult result;
    std::optional<double> figure;          // in result.unit; a throughput or a latency
    std::string checksum;                  // sha256 of the log
    std::vector<diagnosis::Hint> hints{};  // what ended its trainer, where it has no figure
};

struct SavedLogs {
    std::vector<SavedLog> logs;
    std::vector<Error> problems;  // logs that could not be read to their end and were skipped
};

// Copies the new ones of `proposals`, whose places are set, below `staging` and writes their run.json there:
// the tree that publish() (publish.h) then gives its place. A log that another one of its repetition
// replaces is marked as excluded. A Work error when
// the disk refuses or `stop` asks.
[[nodiscard]] Result<SavedLogs> copyLogs(const std::vector<Proposal>& proposals, const std::string& name,
                                         const store::Workspace& workspace,
                                         const std::filesystem::path& staging, const std::stop_token& stop,
                                         const OnProgress& onProgress);

}  // namespace dlperf::imports
