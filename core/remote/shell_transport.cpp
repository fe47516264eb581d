// SPDX-License-Identifier: Apache-2.0
#include "core/remote/shell_transport.h"

#include <fmt/format.h>

#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "core/base/node_script.h"
#include "core/base/text.h"

namespace dlperf::remote {
namespace {

using node_script::set;

// Says that a file is missing, apart from every exit code of the tools and of a container program.
constexpr int missingFile = 44;
// Of enter.sh, with "dlperf-image: " before what it says.
constexpr int beingFetched = 75;
constexpr int imageRefused = 76;
constexpr std::chrono::seconds fetchNap{2};

// Process numbers are no names for temporary files: nodes that share a disk have the same.
std::string temporaryName(const std::string& path) {
    std::random_device random;
    return fmt::format("{}.{:08x}{:08x}", path, random(), random());
}

}  // namespace

Result<void> ShellTransport::upload(std::string_view bytes, const std::string& path, unsigned mode,
                                    const Limits& limits) {
    const std::string script = set("path", path) + set("part", temporaryName(path)) +
                               set("bytes", std::to_string(bytes.size())) +
                               set("mode", fmt::format("{:o}", mode)) + std::string(node_script::upload);
    const auto result = TRY(run(Command{script, std::string(bytes)}, limits));
    if (result.exitCode != 0) {
        return fail("cannot be written: " + firstLine(result.errors), name() + ":" + path,
                    check_ + " and the free space.", ErrorKind::Work);
    }
    return {};
}

Result<FileChunk> ShellTransport::read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                                       const Limits& limits) {
    const std::string script = set("path", path) + set("first", std::to_string(offset + 1)) +
                               set("most", std::to_string(maxBytes)) +
                               set("missing", std::to_string(missingFile)) + std::string(node_script::read);
    auto result = TRY(run(Command{script, {}, maxBytes}, limits));
    if (result.exitCode == missingFile) {
        return FileChunk{{}, true};
    }
    if (result.exitCode != 0) {
        return fail("cannot be read: " + firstLine(result.errors), name() + ":" + path, check_ + ".",
                    ErrorKind::Transient);
    }
    return FileChunk{std::move(result.output), false};
}

ContainerTransport::ContainerTransport(std::shared_ptr<Transport> host,
                                       const std::vector<std::string>& prefix)
    : ShellTransport("Check that the container runs, its permissions"), host_(std::move(host)) {
    for (const std::string& word : prefix) {
        before_ += shellQuote(word) + " ";
    }
}

ContainerTransport::ContainerTransport(std::shared_ptr<Transport> host, const cluster::Node& node)
    : ShellTransport("Check that the container runs, its permissions"),
      host_(std::move(host)),
      before_(cluster::containerScript(node) + "set -- "),
      after_("\n" + std::string(node_script::enter)) {}

Result<CommandResult> ContainerTransport::run(const Command& command, const Limits& limits) {
    Command inside = command;
    inside.script =
        before_ + "/bin/sh -c " + shellQuote("cd 2>/dev/null || cd /\n" + command.script) + after_;
    for (;;) {
        auto result = TRY(host_->run(inside, limits));
        // The codes may be the command's own as well.
        const std::size_t said = result.errors.find("dlperf-image: ");
        if (said == std::string::npos ||
            (result.exitCode != beingFetched && result.exitCode != imageRefused)) {
            return result;
        }
        const std::string what = firstLine(result.errors.substr(result.errors.find(' ', said) + 1));
        if (result.exitCode == imageRefused) {
            return fail(what, "node " + name(), "Check the image's name and the runtime on that machine.",
                        ErrorKind::Work);
        }
        if (limits.stop.stop_requested()) {
            return fail(what, "node " + name(), "Wait for it.", ErrorKind::Transient);
        }
        std::this_thread::sleep_for(fetchNap);
    }
}

}  // namespace dlperf::remote
