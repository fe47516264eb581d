// SPDX-License-Identifier: Apache-2.0
#include "core/run/requests.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <optional>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

// As Request counts.
constexpr std::array words{"cancel", "cancel-run", "keep-run", "pause", "continue"};

std::optional<TakenRequest> readRequest(const fs::path& file) {
    const auto json = readJsonFile(file);
    if (!json) {
        return std::nullopt;
    }
    JsonReader reader(*json, file.string());
    const auto request = enumNamed<Request>(words, reader.text("request"));
    const std::string runId = reader.text("run");
    if (!request || reader.error() != nullptr) {
        return std::nullopt;
    }
    return TakenRequest{*request, runId};
}

}  // namespace

Result<void> writeRequest(const store::Workspace& workspace, Request request, const std::string& runId) {
    TRY(makeFolder(workspace.requests()));
    const char* const word = words.at(static_cast<std::size_t>(request));
    // The name orders requests by time; nanoseconds and pid keep it unique.
    const auto ticks = std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    const fs::path file = workspace.requests() / fmt::format("{:020}-{}.json", ticks, ::getpid());
    return writeFileAtomically(file, Json{{"request", word}, {"run", runId}}.dump() + "\n");
}

std::vector<TakenRequest> takeRequests(const store::Workspace& workspace) {
    std::vector<TakenRequest> requests;
    for (const fs::path& file : entriesOf(workspace.requests())) {
        if (file.extension() != ".json") {
            continue;  // still being written
        }
        if (const auto request = readRequest(file)) {
            requests.push_back(*request);
        }
        std::error_code ignored;
        fs::remove(file, ignored);
    }
    return requests;
}

}  // namespace dlperf::run
