// SPDX-License-Identifier: Apache-2.0
#include "core/run/worker_trouble.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Libraries whose packages are not called after them.
constexpr std::array<Pair, 8> oddPackages{{{"libc.so.6", "libc6"},
                                           {"libm.so.6", "libc6"},
                                           {"libcudnn.so.9", "libcudnn9-cuda-13"},
                                           {"libcublas.so.13", "libcublas-13-0"},
                                           {"libcublasLt.so.13", "libcublas-13-0"},
                                           {"libOpenCL.so.1", "ocl-icd-libopencl1"},
                                           {"libjpeg.so.62", "libjpeg62-turbo"},
                                           {"libjpeg.so.8", "libjpeg-turbo8"}}};

constexpr std::string_view ownBuild =
    "Build dlperf-worker on such a machine (cmake -S worker -B build), and let the node's setup say where it "
    "is: export DLPERF_BIN_DIR=FOLDER.";

std::string missingLibraries(const WorkerTry& tried) {
    constexpr std::string_view loader = "error while loading shared libraries: ";
    if (const std::size_t at = tried.words.find(loader); tried.missing.empty() && at != std::string::npos) {
        const std::string_view rest = std::string_view(tried.words).substr(at + loader.size());
        return firstLine(rest.substr(0, rest.find(':')));
    }
    return firstLine(join(tried.missing, " "));
}

std::string installRemedy(const std::string& libraries, const std::string& from = "Debian, Ubuntu") {
    std::vector<std::string> packages;
    for (const std::string_view library : split(libraries, ' ')) {
        std::string package = packageOf(library);
        if (!package.empty() && std::find(packages.begin(), packages.end(), package) == packages.end()) {
            packages.push_back(std::move(package));
        }
    }
    return fmt::format(
        "Install them there ({}: apt install {}), or let the node's setup say where they are "
        "(LD_LIBRARY_PATH).",
        from, join(packages, " "));
}

// "GLIBC_2.38" of "version `GLIBC_2.38' not found"; empty if that is not what was said.
std::string missingVersion(const std::string& said) {
    constexpr std::string_view before = "version `";
    const std::size_t at = said.find(before);
    const std::size_t end = at == std::string::npos ? at : said.find("' not found", at);
    return end == std::string::npos ? std::string()
                                    : firstLine(said.substr(at + before.size(), end - at - before.size()));
}

}  // namespace

std::string machineOf(std::string_view program) {
    constexpr std::size_t machineAt = 18;
    constexpr std::array<std::pair<int, const char*>, 4> machines{
        {{62, "x86_64"}, {183, "aarch64"}, {243, "riscv64"}, {21, "ppc64le"}}};
    if (!program.starts_with("\x7F"
                             "ELF") ||
        program.size() < machineAt + 2) {
        return {};
    }
    const int number = static_cast<unsigned char>(program[machineAt]) +
                       256 * static_cast<unsigned char>(program[machineAt + 1]);
    const auto* const found = std::find_if(machines.begin(), machines.end(),
                                           [&](const auto& machine) { return machine.first == number; });
    return found == machines.end() ? std::string() : found->second;
}

std::string packageOf(std::string_view library) {
    for (const auto& [name, package] : oddPackages) {
        if (name == library) {
            return std::string(package);
        }
    }
    const std::size_t end = library.find(".so.");
    if (!library.starts_with("lib") || end == std::string_view::npos) {
        return {};
    }
    // Debian's rule: the name, a dash where it ends in a digit, and the version that programs ask for.
    std::string package(library.substr(0, end));
    package += package.back() >= '0' && package.back() <= '9' ? "-" : "";
    package += library.substr(end + 4);
    std::replace(package.begin(), package.end(), '_', '-');
    return lower(package);
}

Error cudaTrouble(const WorkerTry& tried, const std::string& where) {
    const auto says = [&](std::string_view part) { return tried.words.find(part) != std::string::npos; };
    std::string remedy =
        "Build dlperf-worker where nvcc and cuDNN are, or let the node's setup say where such a build is: "
        "export DLPERF_BIN_DIR=FOLDER.";
    std::string what = firstLine(tried.words);
    if (!tried.missing.empty()) {
        const std::string libraries = firstLine(join(tried.missing, " "));
        what = "the CUDA backend cannot be loaded: the machine has no " + libraries;
        remedy = installRemedy(libraries, "NVIDIA's packages for Debian and Ubuntu");
    } else if (!missingVersion(tried.words).empty()) {
        remedy = ownBuild;
    } else if (says("was built of other sources")) {
        remedy =
            "Build both again, or remove the library: a program loads only the one that it was built with.";
    }
    return {"dlperf-worker cannot use a GPU: " + what, where,
            remedy + " Or train on the processors: backend cpu, precision fp32 or bf16.", ErrorKind::Work};
}

Error workerTrouble(const WorkerTry& tried, const std::string& builtFor, const std::string& where) {
    const auto error = [&](std::string what, std::string remedy) {
        return Error{std::move(what), where, std::move(remedy), ErrorKind::Work};
    };
    const std::string machine = firstLine(tried.machine);
    if (!builtFor.empty() && machine != builtFor) {
        return error(fmt::format("dlperf-worker is built for {}, the machine is {}", builtFor, machine),
                     std::string(ownBuild));
    }
    if (const std::string version = missingVersion(tried.words); !version.empty()) {
        return error(fmt::format("dlperf-worker needs {}, the system there is older", version),
                     std::string(ownBuild));
    }
    if (const std::string libraries = missingLibraries(tried); !libraries.empty()) {
        return error("dlperf-worker does not start: the machine has no " + libraries,
                     installRemedy(libraries));
    }
    constexpr int noProgram = 127;  // of env(1) and timeout(1); a missing library gives it too
    if (tried.exitCode == noProgram) {
        return error("there is no dlperf-worker: " + firstLine(tried.words), workerRemedy);
    }
    if (tried.words.find("Permission denied") != std::string::npos) {
        return error("dlperf-worker may not be run from where it was put",
                     "Choose a work_dir on a disk that is not mounted noexec.");
    }
    return error(
        fmt::format("dlperf-worker does not start, exit code {}: {}", tried.exitCode, firstLine(tried.words)),
        std::string(ownBuild));
}

}  // namespace dlperf::run
