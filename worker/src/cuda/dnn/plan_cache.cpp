// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan_cache.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "comm/socket.h"

namespace dlperf::worker::cuda::dnn {
namespace {

namespace fs = std::filesystem;

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

std::string fileNameOf(const Machine& machine) {
    return "plans-" + asFileName(machine.gpu) + "-cudnn-" + asFileName(machine.cudnn) + "-driver-" +
           asFileName(machine.driver) + ".txt";
}

// An absolute path that a variable of the environment names.
std::optional<fs::path> folderFrom(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr || value[0] != '/') {
        return std::nullopt;
    }
    return fs::path(value);
}

// Held until it is destroyed. Where the file system knows no locks nothing is held: then of two processes
// that write at once one may lose its plans, and will choose them again.
FileDescriptor lockBeside(const fs::path& path) {
    const std::string name = path.string() + ".lock";
    FileDescriptor lock(::open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
    if (lock) {
        ::flock(lock.get(), LOCK_EX);
    }
    return lock;
}

}  // namespace

PlanCache::PlanCache(const fs::path& folder, const Machine& machine)
    : path_(folder / fileNameOf(machine)), machine_(machine.text()) {
    PlanFile file = readPlans(path_, machine_);
    plans_ = std::move(file.plans);
    ignored_ = std::move(file.ignored);
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
    if (found == plans_.end()) {
        return std::nullopt;
    }
    return found->second;
}

void PlanCache::remember(const std::string& key, const EngineChoice& choice) {
    plans_.insert_or_assign(key, choice);
    changed_.insert_or_assign(key, choice);
}

void PlanCache::forget(const std::string& key) {
    const auto found = plans_.find(key);
    if (found == plans_.end()) {
        return;
    }
    forgotten_.insert_or_assign(key, found->second);
    changed_.erase(key);
    plans_.erase(found);
}

// What the file holds now, less what was forgotten, unless another process chose anew, with what changed
// here.
PlanTable PlanCache::merged() const {
    PlanTable result = readPlans(path_, machine_).plans;
    for (const auto& [key, choice] : forgotten_) {
        const auto found = result.find(key);
        if (found != result.end() && found->second == choice) {
            result.erase(found);
        }
    }
    for (const auto& [key, choice] : changed_) {
        result.insert_or_assign(key, choice);
    }
    return result;
}

std::string PlanCache::save() {
    if (changed_.empty() && forgotten_.empty()) {
        return "";
    }
    std::error_code error;
    fs::create_directories(path_.parent_path(), error);
    if (error) {
        return "cannot make the folder " + path_.parent_path().string() + ": " + error.message();
    }
    const FileDescriptor lock = lockBeside(path_);
    PlanTable table = merged();
    std::string reason = writePlans(path_, machine_, table);
    if (!reason.empty()) {
        return reason;
    }
    plans_ = std::move(table);
    changed_.clear();
    forgotten_.clear();
    return "";
}

}  // namespace dlperf::worker::cuda::dnn
