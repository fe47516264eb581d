// SPDX-License-Identifier: Apache-2.0
// A campaign of toy trainers run inside the test's own process, so that a test can stand between the runner
// and its nodes.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/remote/local_transport.h"
#include "core/run/control.h"
#include "core/run/runner.h"
#include "tests/support/folder.h"

namespace dlperf::run {

// This machine as a node, with a test in between: it sees each command before it runs and its result after.
class Watched : public remote::Transport {
public:
    using Before = std::function<std::optional<Error>(const remote::Command&)>;
    using After = std::function<void(const remote::Command&, remote::CommandResult&)>;

    explicit Watched(std::string name) : here_(std::move(name)) {}

    using Read =
        std::function<std::optional<remote::FileChunk>(const std::string& path, std::size_t maxBytes)>;

    Before before;
    After after;
    Read reading;                             // instead of the file
    std::optional<remote::Withdrawal> taken;  // by who lends it
    std::atomic<bool> away = false;           // as if the machine were gone

    Result<remote::CommandResult> run(const remote::Command& command, const remote::Limits& limits) override {
        if (away) {
            return gone();
        }
        if (before) {
            if (auto error = before(command)) {
                return Failure(*error);
            }
        }
        auto result = here_.run(command, limits);
        if (result && after) {
            after(command, *result);
        }
        return result;
    }
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const remote::Limits& limits) override {
        return away ? gone() : here_.upload(bytes, path, mode, limits);
    }
    Result<remote::FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                                   const remote::Limits& limits) override {
        if (away) {
            return gone();
        }
        if (auto chunk = reading ? reading(path, maxBytes) : std::nullopt) {
            return std::move(*chunk);
        }
        return here_.read(path, offset, maxBytes, limits);
    }
    const std::string& name() const override { return here_.name(); }
    std::optional<remote::Withdrawal> withdrawn() override { return taken; }

private:
    [[nodiscard]] Failure gone() const {
        return fail("it is gone", "node " + name(), {}, ErrorKind::Transient);
    }

    remote::LocalTransport here_;
};

class Bench {
public:
    // Nodes a, b, … on this machine; `changes` go into the plan.
    explicit Bench(int nodes = 1, const Json& changes = Json::object(),
                   const std::map<std::string, std::string>& options = {});

    test::Folder folder;
    store::Workspace workspace;
    CampaignInputs inputs;
    launch::PreparedPlan prepared;
    Settings settings;
    std::map<std::string, std::shared_ptr<Watched>> transports;  // by node
    std::function<void(const RunState&)> told;                   // sees each change of a run

    [[nodiscard]] Campaign create();
    // Runs the campaign to its end.
    [[nodiscard]] Result<CampaignEnd> run(const Campaign& campaign);
    [[nodiscard]] std::filesystem::path lockOf(const std::string& node) const {
        return folder.path() / "nodes/locks" / node;
    }
};

}  // namespace dlperf::run
