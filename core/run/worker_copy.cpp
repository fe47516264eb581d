// SPDX-License-Identifier: Apache-2.0
#include "core/run/worker_copy.h"

#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/run/checksum.h"
#include "core/run/node_scripts.h"
#include "core/run/worker_trouble.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;

constexpr std::uintmax_t mostBytes = 256U << 20U;    // it passes through memory
constexpr std::uintmax_t slowestBytes = 32U << 10U;  // a second, of a network that is worth waiting for
constexpr remote::Milliseconds tryDeadline = 5min;   // a setup may take its time

remote::Limits uploadLimits(std::size_t bytes, const std::stop_token& stop) {
    return {remote::Limits{}.deadline + std::chrono::seconds(bytes / slowestBytes), stop};
}

Failure cannotBePut(const NodeRun& node, const std::string& why) {
    return fail("dlperf-worker cannot be put there: " + why, "node " + node.name(),
                "Check the node's work_dir, its permissions and its free space.", ErrorKind::Work);
}

struct Place {
    std::string folder;
    bool same = false;  // the worker is there
};

Result<Place> look(const NodeRun& node, const WorkerFile& worker, const std::stop_token& stop) {
    const auto result = node.transport().run({workerScript(node.workDir(), worker.sha256), {}},
                                             {remote::Limits{}.deadline, stop});
    if (!result) {
        return Failure(result.error());
    }
    if (result->exitCode != 0) {
        return cannotBePut(node, firstLine(result->errors));
    }
    return Place{lineOf(result->output, "folder"), !linesOf(result->output, "same").empty()};
}

}  // namespace

Result<WorkerFile> readWorker(const std::filesystem::path& path) {
    auto bytes = readFile(path, mostBytes);
    if (!bytes) {
        return fail("there is no dlperf-worker to bring to the nodes: " + bytes.error().what, path.string(),
                    "Install the program whole, with dlperf-worker beside dlperf.");
    }
    auto sha256 = checksumHere(path);
    return sha256 ? Result<WorkerFile>(WorkerFile{std::move(*bytes), std::move(*sha256)})
                  : Failure(sha256.error());
}

Result<std::string> bringWorker(const NodeRun& node, const WorkerFile& worker, const std::stop_token& stop) {
    auto place = look(node, worker, stop);
    if (!place) {
        return Failure(place.error());
    }
    if (place->same) {
        return place->folder;
    }
    // By rename: one that runs from this very place keeps its file.
    if (const auto put = node.transport().upload(worker.bytes, place->folder + "/dlperf-worker", 0755,
                                                 uploadLimits(worker.bytes.size(), stop));
        !put) {
        return Failure(put.error());
    }
    place = look(node, worker, stop);
    if (!place) {
        return Failure(place.error());
    }
    return place->same ? Result<std::string>(place->folder) : cannotBePut(node, "it arrives changed");
}

Result<void> tryWorker(const NodeRun& node, const WorkerFile& worker, const std::stop_token& stop) {
    const auto result = node.transport().run({tryWorkerScript(node.folder()), {}}, {tryDeadline, stop});
    if (!result) {
        return Failure(result.error());
    }
    const auto code = toInt(lineOf(result->output, "exit"));
    if (code == 0) {
        return {};
    }
    const WorkerTry tried{code.value_or(result->exitCode), lineOf(result->output, "machine"),
                          linesOf(result->output, "missing"), join(linesOf(result->output, "said"), "\n")};
    return Failure(workerTrouble(tried, machineOf(worker.bytes), "node " + node.name()));
}

}  // namespace dlperf::run
