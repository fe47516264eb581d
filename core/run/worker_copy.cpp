// SPDX-License-Identifier: Apache-2.0
#include "core/run/worker_copy.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/run/worker_trouble.h"

namespace dlperf::run {
namespace {

using namespace std::chrono_literals;

constexpr const char* cudaLibrary = "libdlperf_worker_cuda.so";
constexpr std::uintmax_t mostBytes = 256U << 20U;   // it passes through memory
constexpr remote::Milliseconds tryDeadline = 5min;  // a setup may take its time

Result<NodeFile> readPart(const std::filesystem::path& path, const std::string& name, unsigned mode) {
    auto bytes = readFile(path, mostBytes);
    if (!bytes) {
        return fail(fmt::format("there is no {} to bring to the nodes: {}", name, reasonOf(bytes.error())),
                    path.string(), workerRemedy);
    }
    return nodeFile(name, std::move(*bytes), mode);
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

// The folder's name is made of all the sums: a campaign that brings another worker changes nothing under
// those that run, and a program never meets another one's CUDA backend.
Result<std::string> bringWorker(const NodeRun& node, const WorkerFiles& worker, const std::stop_token& stop) {
    constexpr std::size_t enough = 16;  // digits of a sum
    const auto digits = [](const NodeFile& file) { return file.sha256.substr(0, enough); };
    const std::string place = "bin/" + join(mapped(worker.files, digits), "-");
    return bringFiles(node, place, worker.files, "dlperf-worker", stop);
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
