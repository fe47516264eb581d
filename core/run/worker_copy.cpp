// SPDX-License-Identifier: Apache-2.0
#include "core/run/worker_copy.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/run/worker_trouble.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;

constexpr const char* cudaLibrary = "libdlperf_worker_cuda.so";
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
    std::vector<const WorkerFile*> missing;  // or damaged
};

Result<Place> look(const NodeRun& node, const WorkerFiles& worker, const std::stop_token& stop) {
    std::map<std::string, std::string> sums;
    for (const WorkerFile& file : worker.files) {
        sums[file.name] = file.sha256;
    }
    const auto result = TRY(
        node.transport().run({workerScript(node.workDir(), sums), {}}, {remote::Limits{}.deadline, stop}));
    if (result.exitCode != 0) {
        return cannotBePut(node, firstLine(result.errors));
    }
    const auto whole = linesOf(result.output, "same");
    Place place{lineOf(result.output, "folder"), {}};
    for (const WorkerFile& file : worker.files) {
        if (std::find(whole.begin(), whole.end(), file.name) == whole.end()) {
            place.missing.push_back(&file);
        }
    }
    return place;
}

Result<WorkerFile> readPart(const std::filesystem::path& path, const std::string& name, unsigned mode) {
    auto bytes = readFile(path, mostBytes);
    if (!bytes) {
        return fail(fmt::format("there is no {} to bring to the nodes: {}", name, reasonOf(bytes.error())),
                    path.string(), fmt::format("Install the program whole, with {} beside dlperf.", name));
    }
    Sha256 checksum;
    checksum.add(*bytes);
    return WorkerFile{name, mode, std::move(*bytes), checksum.digits()};
}

}  // namespace

Result<WorkerFiles> readWorker(const std::filesystem::path& path) {
    WorkerFiles worker;
    auto program = TRY(readPart(path, "dlperf-worker", 0755));
    worker.machine = machineOf(program.bytes);
    worker.files.push_back(std::move(program));
    const std::filesystem::path beside = path.parent_path() / cudaLibrary;
    if (std::error_code error; std::filesystem::exists(beside, error)) {
        auto library = TRY(readPart(beside, cudaLibrary, 0644));
        worker.files.push_back(std::move(library));
    }
    return worker;
}

Result<std::string> bringWorker(const NodeRun& node, const WorkerFiles& worker, const std::stop_token& stop) {
    auto place = TRY(look(node, worker, stop));
    if (place.missing.empty()) {
        return place.folder;
    }
    for (const WorkerFile* file : place.missing) {
        // By rename: one that runs from this very place keeps its file.
        TRY(node.transport().upload(file->bytes, place.folder + "/" + file->name, file->mode,
                                    uploadLimits(file->bytes.size(), stop)));
    }
    place = TRY(look(node, worker, stop));
    return place.missing.empty() ? Result<std::string>(place.folder)
                                 : cannotBePut(node, place.missing.front()->name + " arrives changed");
}

CudaUse cudaUseOf(const launch::NodeLaunch& launch) {
    const auto valueOf = [&](const char* variable) {
        const auto found = launch.environment.find(variable);
        return found == launch.environment.end() ? std::string() : found->second;
    };
    const std::string backend = valueOf("DLPERF_OPT_BACKEND");
    const std::string precision = valueOf("DLPERF_PRECISION");
    if (backend == "cuda" || (backend == "auto" && (precision == "tf32" || precision == "fp16"))) {
        return CudaUse::Must;
    }
    return backend == "auto" ? CudaUse::WhereGpus : CudaUse::No;
}

Result<void> tryWorker(const NodeRun& node, const std::string& machine, const std::stop_token& stop) {
    const auto result = TRY(node.transport().run(
        {tryWorkerScript(node.folder(), cudaUseOf(node.launch())), {}}, {tryDeadline, stop}));
    const auto code = toInt(lineOf(result.output, "exit"));
    const std::string noCuda = lineOf(result.output, "no-cuda");
    if (code == 0 && noCuda.empty()) {
        return {};
    }
    const WorkerTry tried{code.value_or(result.exitCode), lineOf(result.output, "machine"),
                          linesOf(result.output, "missing"),
                          code == 0 ? noCuda : join(linesOf(result.output, "said"), "\n")};
    const std::string where = "node " + node.name();
    return Failure(code == 0 ? cudaTrouble(tried, where) : workerTrouble(tried, machine, where));
}

}  // namespace dlperf::run
