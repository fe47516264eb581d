// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan_cache.h"

#include <cuda_runtime_api.h>
#include <cudnn_graph.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "comm/socket.h"
#include "cuda/runtime/check.h"

namespace dlperf::worker::cuda::dnn {
namespace {

std::string driverText() {
    int version = 0;
    cuda::check(cudaDriverGetVersion(&version), "find its driver");
    std::string release;
    std::ifstream file("/sys/module/nvidia/version");
    std::getline(file, release);
    const std::string supported = "CUDA " + std::to_string(version);
    return release.empty() ? supported : release + ", " + supported;
}

}  // namespace

std::string thisMachine() {
    int device = 0;
    cuda::check(cudaGetDevice(&device), "tell the GPU in use");
    const auto properties = std::make_unique<cudaDeviceProp>();
    cuda::check(cudaGetDeviceProperties(properties.get(), device), "find the GPU");
    return std::string(properties->name) + "-cudnn-" + std::to_string(cudnnGetVersion()) + "-driver-" +
           driverText();
}

namespace {

namespace fs = std::filesystem;

// A file is: this line, then "key<tab>choice" for each plan. Other lines are passed over.
constexpr std::string_view firstLine = "dlperf-worker: plans of cuDNN, format 1";

std::string asText(const PlanTable& plans) {
    std::string text = std::string(firstLine) + "\n";
    for (const auto& [key, choice] : plans) {
        text += key + "\t" + choice.text() + "\n";
    }
    return text;
}

bool writeAll(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(file, text.data(), text.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

// Empty where the file is missing or of another format.
PlanTable readPlans(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    PlanTable plans;
    if (!std::getline(file, line) || line != firstLine) {
        return plans;
    }
    while (std::getline(file, line)) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos) {
            continue;
        }
        if (auto choice = EngineChoice::parse(std::string_view(line).substr(tab + 1))) {
            plans.insert_or_assign(line.substr(0, tab), std::move(*choice));
        }
    }
    return plans;
}

// Replaces the file at once. False where it could not.
bool writePlans(const fs::path& path, const PlanTable& plans) {
    std::string temporary = path.string() + ".XXXXXX";
    const FileDescriptor file(::mkstemp(temporary.data()));
    if (!file) {
        return false;
    }
    const bool written = writeAll(file.get(), asText(plans)) && ::fsync(file.get()) == 0;
    if (written && ::rename(temporary.c_str(), path.c_str()) == 0) {
        return true;
    }
    ::unlink(temporary.c_str());
    return false;
}

// The text with all but letters, digits and points replaced.
std::string asFileName(const std::string& text) {
    std::string name;
    for (const char letter : text) {
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                           (letter >= '0' && letter <= '9') || letter == '.';
        name += plain ? letter : '-';
    }
    return name;
}

// An absolute path that a variable of the environment names.
std::optional<fs::path> folderFrom(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr || value[0] != '/') {
        return std::nullopt;
    }
    return fs::path(value);
}

}  // namespace

PlanCache::PlanCache(const fs::path& folder, const std::string& machine)
    : path_(folder / ("plans-" + asFileName(machine) + ".txt")), plans_(readPlans(path_)) {
    readTrials();
}

namespace {

// The paths of the trials of this machine's processes, dead or alive.
std::vector<fs::path> trialsBeside(const fs::path& path) {
    std::vector<fs::path> trials;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path(), error)) {
        if (entry.path().filename().string().starts_with(path.filename().string() + ".trial.")) {
            trials.push_back(entry.path());
        }
    }
    return trials;
}

// The path of this process's trial, for forgetTrial(); null: there is none.
std::atomic<const char*> trialToForget = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);

// One that takes longer hangs, and whoever ends the run ends it for that.
constexpr std::time_t longestTrial = 20;  // seconds
std::atomic<std::time_t> trialBegan = 0;
static_assert(std::atomic<std::time_t>::is_always_lock_free);

std::time_t secondsNow() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

// Whoever cancels a run ends it with one of these, which says nothing about the plan under trial.
constexpr int cancelling[] = {SIGTERM, SIGINT, SIGHUP};

void setHandlers(void (*before)(int), void (*after)(int)) {
    for (const int signal : cancelling) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == before) {
            action.sa_handler = after;
            action.sa_flags = static_cast<int>(SA_RESETHAND);
            ::sigaction(signal, &action, nullptr);
        }
    }
}

// Then the signal does what it would have done.
void forgetTrial(int signal) {
    const char* const path = trialToForget;
    if (path != nullptr && secondsNow() - trialBegan < longestTrial) {
        ::unlink(path);
    }
    ::raise(signal);
}

}  // namespace

PlanCache::~PlanCache() {
    if (trial_ && trialToForget == trialPath_.c_str()) {
        setHandlers(forgetTrial, SIG_DFL);
        trialToForget = nullptr;
    }
    if (trial_ && !isTrying_) {
        ::unlink(trialPath_.c_str());
    }
}

// A trial whose file nobody locks ended its process, unless the file is empty. It stays: as long as it does,
// the plan is not tried again.
void PlanCache::readTrials() {
    for (const fs::path& path : trialsBeside(path_)) {
        // Writable, as else NFS locks it for no one: it makes a lock of fcntl()'s of flock()'s.
        const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
        if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
            continue;
        }
        std::ifstream text(path);
        if (std::string line; std::getline(text, line)) {
            failed_.insert(std::move(line));
        } else {
            ::unlink(path.c_str());
        }
    }
}

bool PlanCache::beginTrial(const std::string& key, const EngineChoice& choice) {
    const std::string trial = key + "\t" + choice.text();
    if (failed_.contains(trial)) {
        return false;
    }
    if (!trial_) {
        std::error_code error;
        fs::create_directories(path_.parent_path(), error);
        trialPath_ = path_.string() + ".trial.XXXXXX";
        trial_ = FileDescriptor(::mkostemp(trialPath_.data(), O_CLOEXEC));
        if (trial_) {
            ::flock(trial_.get(), LOCK_EX);
            trialToForget = trialPath_.c_str();
            setHandlers(SIG_DFL, forgetTrial);
        }
    }
    isTrying_ = true;
    trialBegan = secondsNow();
    if (trial_) {
        writeAll(trial_.get(), trial + "\n");
    }
    return true;
}

void PlanCache::endTrial() {
    isTrying_ = false;
    if (trial_ && ::ftruncate(trial_.get(), 0) == 0) {
        ::lseek(trial_.get(), 0, SEEK_SET);
    }
}

fs::path PlanCache::defaultFolder() {
    if (const auto cache = folderFrom("XDG_CACHE_HOME")) {
        return *cache / "dlperf-worker";
    }
    if (const auto home = folderFrom("HOME")) {
        return *home / ".cache" / "dlperf-worker";
    }
    std::error_code error;
    return fs::temp_directory_path(error) / "dlperf-worker";
}

std::optional<EngineChoice> PlanCache::find(const std::string& key) const {
    const auto found = plans_.find(key);
    return found == plans_.end() ? std::nullopt : std::optional(found->second);
}

void PlanCache::remember(const std::string& key, const EngineChoice& choice) {
    plans_.insert_or_assign(key, choice);
    isChanged_ = true;
}

bool PlanCache::save() {
    if (isChanged_) {
        std::error_code error;
        fs::create_directories(path_.parent_path(), error);
        isChanged_ = !writePlans(path_, plans_);
    }
    return !isChanged_;
}

}  // namespace dlperf::worker::cuda::dnn
