// SPDX-License-Identifier: Apache-2.0
#include "program/log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "base/failure.h"

namespace dlperf::worker {
namespace {

// In one write, so that processes do not mix their lines.
int complain(const std::string& who, const std::string& message, ExitCode code) {
    const std::string line = who + message + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    return static_cast<int>(code);
}

}  // namespace

void Log::header(const std::string& program, const std::vector<std::pair<std::string, std::string>>& facts) {
    fact(program);
    for (const auto& [key, value] : facts) {
        fact(std::string(key).append(": ").append(value));
    }
}

void Log::line(const std::string& text) {
    if (std::fprintf(stdout, "%s\n", text.c_str()) < 0 || std::fflush(stdout) != 0) {
        throw Failure(ExitCode::Output, std::string("cannot write the log: ") + std::strerror(errno));
    }
}

int exitCodeOf(const std::string& who, const std::function<int()>& body) {
    try {
        return body();
    } catch (const Failure& failure) {
        return complain(who, failure.what(), failure.code());
    } catch (const std::bad_alloc&) {
        return complain(who, "out of memory; use a smaller --batch-size or --image-size", ExitCode::Memory);
    } catch (const std::exception& error) {
        return complain(who, std::string("unexpected error: ") + error.what(), ExitCode::Internal);
    }
}

}  // namespace dlperf::worker
