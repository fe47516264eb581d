// SPDX-License-Identifier: Apache-2.0
#include "core/run/requests.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"

namespace dlperf::run {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<const char*, Request>, 5> words{{{"cancel", Request::Cancel},
                                                                {"cancel-run", Request::CancelRun},
                                                                {"keep-run", Request::KeepRun},
                                                                {"pause", Request::Pause},
                                                                {"continue", Request::Continue}}};

std::optional<TakenRequest> readRequest(const fs::path& file) {
    const auto json = readJsonFile(file);
    if (!json) {
        return std::nullopt;
    }
    JsonReader reader(*json, file.string());
    const std::string word = reader.text("request");
    const std::string runId = reader.text("run");
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const auto& w) { return word == w.first; });
    if (found == words.end() || reader.error() != nullptr) {
        return std::nullopt;
    }
    return TakenRequest{found->second, runId};
}

}  // namespace

Result<void> writeRequest(const store::Workspace& workspace, Request request, const std::string& runId) {
    TRY(makeFolders(workspace.requests()));
    const auto word =
        std::find_if(words.begin(), words.end(), [&](const auto& w) { return request == w.second; })->first;
    // The name orders requests by time; nanoseconds and pid keep it unique.
    const auto ticks = std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    const fs::path file = workspace.requests() / fmt::format("{:020}-{}.json", ticks, ::getpid());
    return writeFileAtomically(file, Json{{"request", word}, {"run", runId}}.dump() + "\n");
}

std::vector<TakenRequest> takeRequests(const store::Workspace& workspace) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(workspace.requests(), error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ".json") {  // others are still being written
            files.push_back(entry->path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<TakenRequest> requests;
    for (const fs::path& file : files) {
        if (const auto request = readRequest(file)) {
            requests.push_back(*request);
        }
        fs::remove(file, error);
    }
    return requests;
}

}  // namespace dlperf::run
