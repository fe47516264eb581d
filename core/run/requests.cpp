// SPDX-License-Identifier: Apache-2.0
#include "core/run/requests.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <optional>
#include <thread>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto takenWithin = 3s;  // by a runner on another host, which looks several times a second
constexpr auto checkEvery = 100ms;

// As Request counts.
constexpr std::array words{"cancel", "cancel-run", "keep-run", "pause", "continue"};

// Of each run that the file names.
std::vector<TakenRequest> readRequest(const fs::path& file) {
    const auto json = readJsonFile(file);
    if (!json) {
        return {};
    }
    JsonReader reader(*json, file.string());
    const auto request = enumNamed<Request>(words, reader.text("request"));
    std::vector<std::string> runIds = reader.texts("others");
    runIds.insert(runIds.begin(), reader.text("run"));
    if (!request || reader.error() != nullptr) {
        return {};
    }
    return mapped(runIds, [&request](const std::string& runId) { return TakenRequest{*request, runId}; });
}

Result<fs::path> writeFile(const store::Workspace& workspace, Request request, const std::string& runId,
                           const std::vector<std::string>& others = {}) {
    TRY(makeFolder(workspace.requests()));
    const char* const word = words.at(static_cast<std::size_t>(request));
    // The name orders requests by time; nanoseconds and pid keep it unique.
    const auto ticks = std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    fs::path file = workspace.requests() / fmt::format("{:020}-{}.json", ticks, ::getpid());
    Json json{{"request", word}, {"run", runId}};
    if (!others.empty()) {
        json["others"] = others;
    }
    TRY(writeFileAtomically(file, json.dump() + "\n"));
    return file;
}

}  // namespace

Result<void> writeRequest(const store::Workspace& workspace, Request request, const std::string& runId,
                          const std::vector<std::string>& others) {
    TRY(writeFile(workspace, request, runId, others));
    return {};
}

Result<void> askRunner(const store::Workspace& workspace, const LockOwner& owner, Request request,
                       const std::string& runId) {
    const fs::path file = TRY(writeFile(workspace, request, runId));
    if (!isElsewhere(owner)) {
        return {};
    }
    const auto until = std::chrono::steady_clock::now() + takenWithin;
    for (std::error_code error; fs::exists(file, error); std::this_thread::sleep_for(checkEvery)) {
        if (std::chrono::steady_clock::now() >= until) {
            return fail("the runner has not taken the request yet: " + nameOf(owner),
                        workspace.root().string(), remedyElsewhere(workspace), ErrorKind::Work);
        }
    }
    return {};
}

TakenRequests takeRequests(const store::Workspace& workspace) {
    TakenRequests taken;
    for (const fs::path& file : entriesOf(workspace.requests())) {
        if (file.extension() != ".json") {
            continue;  // still being written
        }
        const auto requests = readRequest(file);
        std::error_code error;
        const bool removed = fs::remove(file, error);
        if (removed) {
            taken.requests.insert(taken.requests.end(), requests.begin(), requests.end());
        } else if (error) {  // else it would be obeyed for ever
            taken.stuck = Error{"the request cannot be removed", file.string(),
                                "Remove it; until then it is ignored.", ErrorKind::Work, error.message()};
        }
    }
    return taken;
}

}  // namespace dlperf::run
