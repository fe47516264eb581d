// SPDX-License-Identifier: Apache-2.0
// A node that is reached over SSH.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "core/remote/shell_transport.h"
#include "core/remote/ssh_connection.h"
#include "core/remote/ssh_program.h"

namespace dlperf::remote {

class SshTransport : public ShellTransport {
public:
    enum class Way { Automatic, Program };

    // Automatic: by libssh2, and from then on by the ssh program where that can do what libssh2 cannot.
    explicit SshTransport(const cluster::Node& node, const std::shared_ptr<CredentialCache>& cache = {},
                          Way way = Way::Automatic)
        : ShellTransport("Check the permissions there"),
          node_(node),
          cache_(cache),
          connection_(node, cache),
          program_(node, cache),
          usesProgram_(way == Way::Program) {}

    Result<CommandResult> run(const Command& command, const Limits& limits) override;
    Result<FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                           const Limits& limits) override;
    const std::string& name() const override { return node_.name; }
    cluster::Route route() const override { return usesProgram_ ? program_.route() : connection_.route(); }

private:
    // The second connection where it is its turn to read, else null.
    [[nodiscard]] SshConnection* helperInTurn();

    cluster::Node node_;
    std::shared_ptr<CredentialCache> cache_;
    SshConnection connection_;
    SshProgram program_;
    std::atomic<bool> usesProgram_;

    std::atomic<bool> mayHaveHelper_ = true;
    std::atomic<unsigned> turn_ = 0;
    std::mutex mutex_;
    std::unique_ptr<SshConnection> helper_;  // made under the mutex when first wanted, kept then
};

}  // namespace dlperf::remote
