// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_folder.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/file.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

Failure failed(const std::string& what, const fs::path& path, const std::error_code& error) {
    return fail(what + ": " + error.message(), path.string(), "Check the workspace's permissions and space.",
                ErrorKind::Work);
}

// A hard link where the file system has them, else a copy that appears whole.
Result<void> giveLogItsName(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (fs::exists(to, error)) {  // an earlier runner did it
        return {};
    }
    fs::create_hard_link(from, to, error);
    if (!error) {
        return {};
    }
    const fs::path temporary = to.string() + ".part";
    fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, error);
    if (!error) {
        fs::rename(temporary, to, error);
    }
    return error ? Result<void>(failed("the log cannot be named", to, error)) : Result<void>();
}

}  // namespace

RunFolder chooseRunFolder(const store::Workspace& workspace, const Case& benchmarkCase, int repetition) {
    const fs::path parent = workspace.caseFolder(benchmarkCase);
    const std::string name = store::runName(benchmarkCase.configuration, repetition);
    std::error_code error;
    if (fs::exists(parent / name, error) || fs::exists(parent / (name + ".log"), error)) {
        repetition = workspace.freeRepetitions(benchmarkCase, 1).front();
    }
    const fs::path folder = parent / store::runName(benchmarkCase.configuration, repetition);
    return {repetition, folder.lexically_relative(workspace.root())};
}

fs::path attemptFolder(const store::Workspace& workspace, const fs::path& folder) {
    std::error_code error;
    for (int k = 1;; ++k) {
        fs::path attempt = fmt::format("{}.attempt{}", folder.string(), k);
        if (!fs::exists(workspace.root() / attempt, error)) {
            return attempt;
        }
    }
}

Result<void> settleNames(const store::Workspace& workspace, const fs::path& folder, const fs::path& settled,
                         Outcome outcome) {
    const fs::path path = workspace.root() / folder;
    if (outcome == Outcome::Ok) {
        return giveLogItsName(path / "node0.log", path.string() + ".log");
    }
    std::error_code error;
    if (!fs::exists(path, error)) {  // an earlier runner did it
        return {};
    }
    fs::rename(path, workspace.root() / settled, error);
    return error ? Result<void>(failed("the run's folder cannot be renamed", path, error)) : Result<void>();
}

}  // namespace dlperf::run
