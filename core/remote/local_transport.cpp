// SPDX-License-Identifier: Apache-2.0
#include "core/remote/local_transport.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/text.h"

extern char** environ;

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;

// How long a loop sleeps at most before it looks at the child, the deadline and the stop token again.
constexpr Milliseconds longestNap{20};
constexpr Milliseconds killNap{2};
constexpr Milliseconds killTime{1000};  // from SIGKILL to the end of what can be killed

struct Pipe {
    Descriptor reader;
    Descriptor writer;
};

Result<Pipe> makePipe(const std::string& where) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return fail(fmt::format("no pipe can be made: {}", std::strerror(errno)), where, {},
                    ErrorKind::Transient);
    }
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// What a surrounding run, launcher or Slurm step says of its own processes. A trainer would take it for its
// place in the world.
bool isOfSurroundingRun(std::string_view variable) {
    constexpr std::array<std::string_view, 8> families{
        "DLPERF_", "OMPI_", "PMI_", "PMIX_", "MV2_", "TORCHELASTIC_", "PADDLE_TRAINER_", "HOROVOD_RANK"};
    constexpr std::array<std::string_view, 17> names{
        "RANK",         "LOCAL_RANK",    "WORLD_SIZE",       "LOCAL_WORLD_SIZE", "NODE_RANK",   "GROUP_RANK",
        "ROLE_RANK",    "ROLE_NAME",     "GROUP_WORLD_SIZE", "ROLE_WORLD_SIZE",  "MASTER_ADDR", "MASTER_PORT",
        "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID",     "SLURM_STEP_ID",    "SLURM_GTIDS"};
    const std::string_view name = variable.substr(0, variable.find('='));
    return std::find(names.begin(), names.end(), name) != names.end() ||
           std::any_of(families.begin(), families.end(),
                       [&](std::string_view family) { return name.starts_with(family); });
}

// The environment a command starts with: this process's, less what a surrounding run may have put there.
std::vector<char*> environmentForChild() {
    std::vector<char*> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (!isOfSurroundingRun(*entry)) {
            variables.push_back(*entry);
        }
    }
    variables.push_back(nullptr);
    return variables;
}

// write(2), but a closed reader is an error number only: SIGPIPE is held back and taken in this thread.
ssize_t writeWithoutSignal(int fd, std::string_view bytes) {
    sigset_t pipeSignal;
    sigset_t before;
    sigemptyset(&pipeSignal);
    sigaddset(&pipeSignal, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    const int error = errno;
    if (written < 0 && error == EPIPE) {
        const timespec now{};
        ::sigtimedwait(&pipeSignal, nullptr, &now);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return written;
}

// The command with all of its session: timeout(1) puts what it runs into a group of its own. Looks more than
// once, for a process may have started another meanwhile.
void killSession(pid_t leader) {
    constexpr int mostLooks = 3;
    ::kill(-leader, SIGKILL);
    bool found = true;
    for (int look = 0; found && look < mostLooks; ++look) {
        found = false;
        for (const auto& entry : entriesOf("/proc")) {
            const auto pid = toInt(entry.filename().string());
            const bool isOther = pid && *pid != leader && ::getsid(*pid) == leader;
            found = (isOther && ::kill(*pid, SIGKILL) == 0) || found;
        }
    }
}

class Child {
public:
    Child(pid_t pid, Pipe input, Pipe output, Pipe errors)
        : pid_(pid),
          input_(std::move(input.writer)),
          output_(std::move(output.reader)),
          errors_(std::move(errors.reader)) {
        for (const Descriptor* end : {&input_, &output_, &errors_}) {
            ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
        }
    }
    ~Child() {
        if (!ended()) {
            killSession(pid_);
        }
        // One that hangs in the kernel is left to the end of this process: no wait without an end.
        const auto until = Clock::now() + killTime;
        while (!ended() && Clock::now() < until) {
            std::this_thread::sleep_for(killNap);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // True once the command has ended; what it left in the background does not count.
    bool ended() {
        int status = 0;
        if (!status_ && !lost_) {
            const pid_t reaped = ::waitpid(pid_, &status, WNOHANG);
            if (reaped == pid_) {
                status_ = status;
            }
            lost_ = reaped < 0 && errno != EINTR;
        }
        return status_ || lost_;
    }

    // It ended, and somebody else took its exit code.
    bool lost() const { return lost_; }
    int exitCode() const { return WIFSIGNALED(*status_) ? 128 + WTERMSIG(*status_) : WEXITSTATUS(*status_); }

    // Moves what can be moved now, sleeping for at most `nap` when nothing can. False where nothing came.
    bool exchange(std::string_view& toSend, const ChildListener& listener, Milliseconds nap) {
        if (toSend.empty()) {
            input_.close();
        }
        std::array<pollfd, 3> ends{pollfd{input_.get(), POLLOUT, 0}, pollfd{output_.get(), POLLIN, 0},
                                   pollfd{errors_.get(), POLLIN, 0}};
        ::poll(ends.data(), ends.size(), static_cast<int>(nap.count()));
        if (ends[0].revents != 0) {
            send(toSend);
        }
        const bool said = ends[1].revents != 0 && receive(output_, listener.output);
        return (ends[2].revents != 0 && receive(errors_, listener.errors)) || said;
    }

private:
    void send(std::string_view& bytes) {
        const ssize_t written = writeWithoutSignal(input_.get(), bytes);
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
            bytes = {};  // the command does not read its input: its right
        }
    }

    static bool receive(Descriptor& end, const std::function<void(std::string_view)>& take) {
        std::array<char, 65536> buffer{};
        const ssize_t got = ::read(end.get(), buffer.data(), buffer.size());
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            end.close();
        }
        if (got > 0) {
            take({buffer.data(), static_cast<std::size_t>(got)});
        }
        return got > 0;
    }

    pid_t pid_;
    Descriptor input_;
    Descriptor output_;
    Descriptor errors_;
    std::optional<int> status_;
    bool lost_ = false;
};

Failure cannotRead(const std::string& node, const std::string& path, int number) {
    return fail(fmt::format("cannot be read: {}", std::strerror(number)), node + ":" + path, {},
                ErrorKind::Work);
}

}  // namespace

Result<pid_t> startShell(std::string script, const std::array<int, 3>& streams, const std::string& where) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_adddup2(&actions, streams[static_cast<std::size_t>(stream)], stream);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXFSZ, SIGCHLD}) {
        sigaddset(&signals, number);
    }
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    std::vector<char*> variables = environmentForChild();
    std::array<char*, 4> arguments{const_cast<char*>("sh"), const_cast<char*>("-c"), script.data(), nullptr};
    pid_t pid = 0;
    const int error =
        ::posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        const ErrorKind kind = error == EAGAIN || error == ENOMEM ? ErrorKind::Transient : ErrorKind::Work;
        return fail(fmt::format("no shell can be started: {}", std::strerror(error)), where, {}, kind);
    }
    return pid;
}

Result<CommandResult> runChild(const Command& command, const Limits& limits, const std::string& where) {
    CommandResult result;
    const auto keep = [&](std::string& kept) {
        return [&](std::string_view bytes) {
            const std::size_t room = command.maxOutput - std::min(command.maxOutput, kept.size());
            kept.append(bytes.substr(0, room));
            result.cut = result.cut || bytes.size() > room;
        };
    };
    const auto code = TRY(
        runChild(command, limits, where, {keep(result.output), keep(result.errors), [] { return false; }}));
    result.exitCode = code;
    return result;
}

Result<int> runChild(const Command& command, const Limits& limits, const std::string& where,
                     const ChildListener& listener) {
    auto input = makePipe(where);
    auto output = makePipe(where);
    auto errors = makePipe(where);
    for (const auto* pipe : {&input, &output, &errors}) {
        if (!*pipe) {
            return Failure(pipe->error());
        }
    }
    const auto pid =
        TRY(startShell("cd 2>/dev/null || cd /\n" + command.script,
                       {input->reader.get(), output->writer.get(), errors->writer.get()}, where));
    Child child(pid, std::move(*input), std::move(*output), std::move(*errors));
    std::string_view toSend = command.input;
    const auto end = Clock::now() + limits.deadline;
    while (!child.ended()) {
        child.exchange(toSend, listener, longestNap);
        if (listener.enough()) {
            return -1;
        }
        if (limits.stop.stop_requested()) {
            return fail("was asked to stop", where, {}, ErrorKind::Work);
        }
        if (Clock::now() >= end) {
            return fail(fmt::format("a command did not end within {} s", limits.deadline.count() / 1000),
                        where, "Look whether the machine or its file system hangs.", ErrorKind::Transient);
        }
    }
    while (child.exchange(toSend, listener, Milliseconds{0})) {
        // what the ended command left in the pipes
    }
    if (child.lost()) {
        return fail("a command ended and its exit code is lost", where,
                    "Start the program from a shell that does not ignore SIGCHLD.", ErrorKind::Work);
    }
    return child.exitCode();
}

Result<CommandResult> LocalTransport::run(const Command& command, const Limits& limits) {
    return runChild(command, limits, "node " + name_);
}

Result<void> LocalTransport::upload(std::string_view bytes, const std::string& path, unsigned mode,
                                    const Limits& /*limits*/) {
    return writeFileAtomically(path, bytes, mode);
}

Result<FileChunk> LocalTransport::read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                                       const Limits& /*limits*/) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.open()) {
        return errno == ENOENT || errno == ENOTDIR ? Result<FileChunk>(FileChunk{{}, true})
                                                   : cannotRead(name_, path, errno);
    }
    FileChunk chunk;
    chunk.bytes.resize(maxBytes);
    const ssize_t got = ::pread(file.get(), chunk.bytes.data(), maxBytes, static_cast<off_t>(offset));
    const int error = errno;
    if (got < 0 && error == ESRCH) {  // a process folder of /proc whose process went away
        return FileChunk{{}, true};
    }
    if (got < 0) {
        return cannotRead(name_, path, error);
    }
    chunk.bytes.resize(static_cast<std::size_t>(got));
    return chunk;
}

}  // namespace dlperf::remote
