// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/plan_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "comm/socket.h"

namespace dlperf::worker::cuda::dnn {
namespace {

// A file is: this line, the machine's, then "key<tab>choice" for each plan, then the last line.
constexpr std::string_view firstLine = "dlperf-worker: plans of cuDNN, format 1";
constexpr std::string_view lastLine = "end";

std::string asText(const std::string& machine, const PlanTable& plans) {
    std::string text = std::string(firstLine) + "\n" + machine + "\n";
    for (const auto& [key, choice] : plans) {
        text += key + "\t" + choice.text() + "\n";
    }
    return text + std::string(lastLine) + "\n";
}

std::optional<std::pair<std::string, EngineChoice>> parsePlan(const std::string& line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || tab == 0) {
        return std::nullopt;
    }
    std::optional<EngineChoice> choice = EngineChoice::parse(std::string_view(line).substr(tab + 1));
    if (!choice) {
        return std::nullopt;
    }
    return std::pair(line.substr(0, tab), std::move(*choice));
}

PlanFile ignored(const std::filesystem::path& path, const std::string& reason) {
    return {{}, path.string() + " is ignored: " + reason};
}

std::string systemError(const std::string& what) {
    return what + ": " + std::strerror(errno);
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

}  // namespace

PlanFile readPlans(const std::filesystem::path& path, const std::string& machine) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return {};
    }
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) {
        return ignored(path, "it cannot be read");
    }
    if (line != firstLine) {
        return ignored(path, "it is not a file of plans of this version");
    }
    if (!std::getline(file, line) || line != machine) {
        return ignored(path, "it is of another machine");
    }
    PlanFile result;
    while (std::getline(file, line)) {
        if (line == lastLine) {
            break;
        }
        auto plan = parsePlan(line);
        if (!plan) {
            return ignored(path, "it is broken");
        }
        result.plans.insert_or_assign(std::move(plan->first), std::move(plan->second));
    }
    if (!file || line != lastLine) {
        return ignored(path, "its end is missing");
    }
    if (std::getline(file, line)) {
        return ignored(path, "something follows its end");
    }
    return result;
}

std::string writePlans(const std::filesystem::path& path, const std::string& machine,
                       const PlanTable& plans) {
    std::string temporary = path.string() + ".XXXXXX";
    const FileDescriptor file(::mkstemp(temporary.data()));
    if (!file) {
        return systemError("cannot make a file beside " + path.string());
    }
    const bool written = writeAll(file.get(), asText(machine, plans)) && ::fsync(file.get()) == 0;
    if (written && ::rename(temporary.c_str(), path.c_str()) == 0) {
        return "";
    }
    std::string reason = systemError("cannot write " + path.string());
    ::unlink(temporary.c_str());
    return reason;
}

}  // namespace dlperf::worker::cuda::dnn
