// SPDX-License-Identifier: Apache-2.0
// measured COMMAND...: runs it without its output and prints its seconds, its peak memory in MiB (mapped
// pages of files included) and its page faults. Exits as it did.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace {

double secondsOf(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: measured COMMAND...\n");
        return 2;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (posix_spawnp(&child, argv[1], &actions, nullptr, argv + 1, environ) != 0) {
        fmt::print(stderr, "measured: cannot start {}\n", argv[1]);
        return 127;
    }
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, 0, &usage) < 0) {  // a signal
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("{:.4f} {:.1f} {} {:.3f}\n", seconds.count(), static_cast<double>(usage.ru_maxrss) / 1024,
               usage.ru_minflt + usage.ru_majflt, secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
