// SPDX-License-Identifier: Apache-2.0
#include "tests/run/lab.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <thread>

#include "core/analysis/rank_prefix.h"
#include "core/base/text.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        list.push_back(text.data());
    }
    list.push_back(nullptr);
    return list;
}

}  // namespace

Turn::Turn(const std::string& name)
    : lock_(::open((fs::temp_directory_path() / ("dlperf_test_" + name + ".lock")).c_str(),
                   O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    EXPECT_EQ(::flock(lock_.get(), LOCK_EX), 0);
}

Lab::Lab() : home(root / "home"), workspace(*store::Workspace::open(root / "w")) {
    fs::create_directories(home);
}

Lab::~Lab() {
    for (const Started& program : started_) {  // only what this laboratory started
        ::kill(program.process, SIGKILL);
        ::waitpid(program.process, nullptr, 0);
    }
    for (const pid_t trainer : trainers()) {
        ADD_FAILURE() << "process " << trainer << " was left behind";
        ::kill(trainer, SIGKILL);
    }
}

fs::path Lab::plan(const std::map<std::string, std::string>& options, const Json& changes) {
    Json plan{{"name", "lab"}, {"recipes", {"toy"}}, {"topologies", {"1n1g"}}, {"batch_sizes", {8}},
              {"warmup", 2},   {"train", 20},        {"timeout_s", 120}};
    if (changes.is_object()) {
        plan.update(changes);
    }
    if (!options.empty()) {
        plan["options"][plan["recipes"][0].get<std::string>()] = options;
    }
    fs::path file = root / "plan.json";
    write(file, plan.dump());
    return file;
}

fs::path Lab::cluster(int nodes, const Json& changes) {
    Json cluster{{"name", "lab"}, {"nodes", Json::array()}};
    for (int i = 0; i < nodes; ++i) {
        Json node{{"name", std::string(1, static_cast<char>('a' + i))},
                  {"local", true},
                  {"devices", 2},
                  {"work_dir", (root / "nodes").string()}};
        if (changes.is_object()) {
            node.update(changes);
        }
        cluster["nodes"].push_back(node);
    }
    fs::path file = root / "cluster.json";
    write(file, cluster.dump());
    return file;
}

std::vector<std::string> Lab::runArguments(const fs::path& plan, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"run",         plan.string(),
                                       "--recipes",   std::string(DLPERF_SOURCE_DIR) + "/tests/run/recipes",
                                       "--workspace", workspace.root().string(),
                                       "--grace",     "0.5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

pid_t Lab::start(const std::vector<std::string>& arguments) {
    const std::string number = std::to_string(started_.size());
    Started program{0, root / ("out" + number), root / ("err" + number)};
    std::vector<std::string> words{DLPERF_BINARY_DIR "/bin/dlperf"};
    if (!ignoredSignals.empty()) {
        const std::string script = "trap '' " + ignoredSignals + "; exec \"$@\"";
        words.insert(words.begin(), {"/bin/sh", "-c", script, "sh"});
    }
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables{"HOME=" + home.string(), std::string("PATH=") + std::getenv("PATH")};
    for (const auto& [name, value] : environment) {
        variables.push_back(name);
        variables.back().append("=").append(value);
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, program.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&actions, 2, program.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawnattr_t attributes;  // whatever the tests themselves were started with
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
        sigaddset(&signals, signal);
    }
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error = ::posix_spawn(&program.process, words.front().c_str(), &actions, &attributes,
                                    pointers(words).data(), pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(error, 0) << words.front();
    started_.push_back(program);
    return program.process;
}

std::string Lab::printedBy(pid_t process) const {
    return slurp(std::ranges::find(started_, process, &Started::process)->output);
}

Ended Lab::wait(pid_t process) {
    int status = 0;
    const bool over = eventually([&] { return ::waitpid(process, &status, WNOHANG) != 0; });
    EXPECT_TRUE(over) << "dlperf did not end";
    const auto program = std::find_if(started_.begin(), started_.end(),
                                      [&](const Started& candidate) { return candidate.process == process; });
    Ended ended{WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), slurp(program->output),
                slurp(program->errors)};
    if (over) {
        program->process = -2;  // never signalled again
    }
    return ended;
}

std::vector<Campaign> Lab::status() const {
    WorkspaceStatus status = readStatus(workspace);
    for (const Error& problem : status.problems) {
        ADD_FAILURE() << describe(problem);
    }
    return std::move(status.campaigns);
}

std::vector<RunState> Lab::runs() const {
    const auto campaigns = status();
    return campaigns.empty() ? std::vector<RunState>{} : campaigns.back().runs;
}

bool Lab::waitForLog(std::size_t run, std::size_t bytes) const {
    return eventually([&] {
        const auto all = runs();
        return run < all.size() && all[run].phase == RunPhase::Running && log(all[run]).size() >= bytes;
    });
}

bool Lab::waitForFinish() const {
    return eventually([&] {
        const auto campaigns = status();
        return !campaigns.empty() && campaigns.back().finished() && !campaigns.back().runnerAlive;
    });
}

std::vector<pid_t> Lab::trainers() const {
    std::vector<pid_t> found;
    auto campaigns = readStatus(workspace).campaigns;
    for (const fs::path& inside : {workspace.linkRuns(), workspace.computeRuns(), workspace.dataRuns()}) {
        if (const auto measurements = store::Workspace::openExisting(inside)) {
            std::ranges::move(readStatus(*measurements).campaigns, std::back_inserter(campaigns));
        }
    }
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const auto pid = toInt(entry.path().filename().string());
        if (!pid) {
            continue;
        }
        const std::string variables = slurp(entry.path() / "environ");
        for (const Campaign& campaign : campaigns) {
            if (variables.find("DLPERF_RUN_ID=" + campaign.id + "/") != std::string::npos) {
                found.push_back(*pid);
            }
        }
    }
    return found;
}

std::string Lab::log(const RunState& run, int node) const {
    return slurp(run.path / ("node" + std::to_string(node) + ".log"));
}

std::vector<int> oneTo(int last) {
    std::vector<int> numbers(static_cast<std::size_t>(last));
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
}

bool eventually(const std::function<bool()>& holds) {
    const auto until = std::chrono::steady_clock::now() + bound;
    while (!holds()) {
        if (std::chrono::steady_clock::now() >= until) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}

std::string slurp(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();  // throws nothing where a process ends whose file of /proc this is
    return text.str();
}

std::vector<int> iterationsOf(const std::string& log) {
    std::vector<int> numbers;
    for (const std::string_view ranked : split(log, '\n')) {
        const std::string_view line = analysis::withoutRank(ranked).text;
        if (line.starts_with("iteration ")) {
            const auto rest = line.substr(10);
            numbers.push_back(toInt(rest.substr(0, rest.find(' '))).value_or(-1));
        }
    }
    return numbers;
}

}  // namespace dlperf::run
