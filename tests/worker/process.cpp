// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "comm/socket.h"

namespace dlperf::worker::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds processLimit{60};
constexpr std::chrono::milliseconds reapPause{5};

void redirect(const std::string& path, int target) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, target) < 0) {
        std::_Exit(127);
    }
    close(fd);
}

[[noreturn]] void become(const std::vector<std::string>& command, const Process::Variables& variables,
                         const std::string& folder) {
    setpgid(0, 0);
    redirect(folder + "/out", STDOUT_FILENO);
    redirect(folder + "/err", STDERR_FILENO);
    for (const char* name :
         {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "DLPERF_INTERFACE"}) {
        unsetenv(name);
    }
    for (const auto& [name, value] : variables) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    std::_Exit(127);
}

// State and parent from /proc; the name between may hold anything, so what follows the last bracket is read.
bool readStat(pid_t pid, char& state, pid_t& parent) {
    const std::string text = readFile("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t close = text.rfind(')');
    if (close == std::string::npos) {
        return false;
    }
    std::istringstream rest(text.substr(close + 1));
    return static_cast<bool>(rest >> state >> parent);
}

}  // namespace

std::string readFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool isAlive(pid_t pid) {
    char state = 0;
    pid_t parent = 0;
    return readStat(pid, state, parent) && state != 'Z' && state != 'X';
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "dlperf-worker-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make a folder in " + name);
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

Process::Process(const std::vector<std::string>& command, const Variables& variables) {
    pid_ = fork();
    if (pid_ < 0) {
        throw std::runtime_error("cannot fork");
    }
    if (pid_ == 0) {
        become(command, variables, folder_.path());
    }
    setpgid(pid_, pid_);  // the child does it too; whoever is first
}

Process::~Process() {
    if (!ended_) {
        kill(-pid_, SIGKILL);
        wait();
    }
}

std::string Process::out() const {
    return readFile(folder_.path() + "/out");
}
std::string Process::err() const {
    return readFile(folder_.path() + "/err");
}
void Process::signal(int number) const {
    kill(pid_, number);
}

bool Process::poll() {
    int status = 0;
    if (!ended_ && waitpid(pid_, &status, WNOHANG) == pid_) {
        ended_ = true;
        code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return ended_;
}

bool Process::waitForOutput(const std::string& text) {
    for (const auto limit = Clock::now() + processLimit; Clock::now() < limit;
         std::this_thread::sleep_for(reapPause)) {
        const bool ended = poll();
        if (out().find(text) != std::string::npos) {
            return true;
        }
        if (ended) {
            return false;
        }
    }
    return false;
}

int Process::wait() {
    for (const auto limit = Clock::now() + processLimit; Clock::now() < limit;
         std::this_thread::sleep_for(reapPause)) {
        if (poll()) {
            return code_;
        }
    }
    return -1;
}

std::vector<pid_t> Process::children() const {
    std::vector<pid_t> result;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        char state = 0;
        pid_t parent = 0;
        if (pid > 0 && readStat(pid, state, parent) && parent == pid_ && state != 'Z') {
            result.push_back(pid);
        }
    }
    return result;
}

Ended run(const std::vector<std::string>& command, const Process::Variables& variables) {
    Process process(command, variables);
    const int code = process.wait();
    return {code, process.out(), process.err()};
}

std::string freePort() {
    return std::to_string(portOf(listenAt("127.0.0.1", 0)));
}

Process::Variables rankOf(int rank, int size, const std::string& port) {
    return {{"RANK", std::to_string(rank)},
            {"WORLD_SIZE", std::to_string(size)},
            {"MASTER_ADDR", "127.0.0.1"},
            {"MASTER_PORT", port}};
}

TwoRanks startRanks(const std::vector<std::string>& zero, const std::vector<std::string>& one) {
    const std::string port = freePort();
    return {{zero, rankOf(0, 2, port)}, {one, rankOf(1, 2, port)}};
}

}  // namespace dlperf::worker::test
