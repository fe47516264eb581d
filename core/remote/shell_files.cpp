// SPDX-License-Identifier: Apache-2.0
#include "core/remote/shell_files.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "core/base/text.h"

namespace dlperf::remote {
namespace {

// Says that a file is missing, apart from every exit code of the tools and of a container program.
constexpr int missingFile = 44;

// Process numbers are no names for temporary files: nodes that share a disk have the same.
std::string temporaryName(const std::string& path) {
    std::random_device random;
    return fmt::format("{}.{:08x}{:08x}", path, random(), random());
}

}  // namespace

Result<void> uploadByShell(Transport& transport, std::string_view bytes, const std::string& path,
                           unsigned mode, const Limits& limits, const std::string& remedy) {
    // A connection that is lost ends the input as well: only what came whole gets the name.
    const std::string script = fmt::format(
        "t={1}; (umask 077; cat >\"$t\") && [ \"$(wc -c <\"$t\")\" -eq {2} ] && "
        "chmod {3:o} \"$t\" && mv -f \"$t\" {0} || {{ rm -f \"$t\"; exit 1; }}",
        shellQuote(path), shellQuote(temporaryName(path)), bytes.size(), mode);
    const auto result = transport.run(Command{script, std::string(bytes)}, limits);
    if (!result) {
        return Failure(result.error());
    }
    if (result->exitCode != 0) {
        return fail("cannot be written: " + firstLine(result->errors), transport.name() + ":" + path, remedy,
                    ErrorKind::Work);
    }
    return {};
}

Result<FileChunk> readByShell(Transport& transport, const std::string& path, std::uint64_t offset,
                              std::size_t maxBytes, const Limits& limits, const std::string& remedy) {
    const std::string script = fmt::format("test -e {0} || exit {1}; tail -c +{2} {0} | head -c {3}",
                                           shellQuote(path), missingFile, offset + 1, maxBytes);
    auto result = transport.run(Command{script, {}, maxBytes}, limits);
    if (!result) {
        return Failure(result.error());
    }
    if (result->exitCode == missingFile) {
        return FileChunk{{}, true};
    }
    if (result->exitCode != 0) {
        return fail("cannot be read: " + firstLine(result->errors), transport.name() + ":" + path, remedy,
                    ErrorKind::Passing);
    }
    return FileChunk{std::move(result->output), false};
}

}  // namespace dlperf::remote
