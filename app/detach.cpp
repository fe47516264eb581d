// SPDX-License-Identifier: Apache-2.0
#include "app/detach.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "core/base/descriptor.h"
#include "core/base/json.h"

namespace dlperf::app {
namespace {

// A parent that is gone needs no answer.
void sendAll(int fd, const std::string& text) {
    (void)writeAll(fd, text);
}

std::string receiveAll(int fd) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            return text;
        }
    }
}

void redirect(const std::string& logFile) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int log = ::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(log < 0 ? nothing : log, STDOUT_FILENO);
    ::dup2(log < 0 ? nothing : log, STDERR_FILENO);
    ::close(nothing);
    ::close(log);
}

[[noreturn]] void runChild(int fd, const std::function<Result<int>(const Begun&)>& work) {
    ::setsid();
    bool begun = false;
    const auto code = work([&](const std::string& text, const std::string& logFile) {
        if (!begun) {
            begun = true;
            redirect(logFile);
            sendAll(fd, Json{{"text", text}}.dump());
            ::close(fd);
        }
    });
    if (!begun && code && *code != 0) {  // what was wrong is told already
        sendAll(fd, Json{{"what", "nothing was begun"},
                         {"where", ""},
                         {"remedy", ""},
                         {"details", ""},
                         {"input", false}}
                        .dump());
    } else if (!begun && code) {  // there was nothing to do
        sendAll(fd, Json{{"text", ""}}.dump());
    } else if (!begun) {
        const Error& error = code.error();
        sendAll(fd, Json{{"what", error.what},
                         {"where", error.where},
                         {"remedy", error.remedy},
                         {"details", error.details},
                         {"input", error.kind == ErrorKind::Input}}
                        .dump(-1, ' ', false, Json::error_handler_t::replace));
    } else if (!code) {
        std::cerr << "dlperf: " << describe(code.error()) << '\n';
    }
    std::cout.flush();
    std::exit(code ? *code : exitCode(code.error()));
}

}  // namespace

Result<std::string> detach(const std::function<Result<int>(const Begun&)>& work) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return failBecause(std::strerror(errno), "no pipe can be made", {}, {}, ErrorKind::Work);
    }
    std::cout.flush();
    const pid_t child = ::fork();
    if (child < 0) {
        return failBecause(std::strerror(errno), "no process can be started", {}, {}, ErrorKind::Work);
    }
    if (child == 0) {
        ::close(ends[0]);
        runChild(ends[1], work);
    }
    ::close(ends[1]);
    const Json said = Json::parse(receiveAll(ends[0]), nullptr, false);
    ::close(ends[0]);
    if (said.is_object() && said.contains("text")) {
        return said["text"].get<std::string>();
    }
    if (!said.is_object()) {
        return fail("the runner ended before it began", {}, {}, ErrorKind::Work);
    }
    return failBecause(textOf(said, "details"), textOf(said, "what"), textOf(said, "where"),
                       textOf(said, "remedy"),
                       said["input"].get<bool>() ? ErrorKind::Input : ErrorKind::Work);
}

}  // namespace dlperf::app
