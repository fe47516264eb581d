// SPDX-License-Identifier: Apache-2.0
// A node that is reached over SSH.
#pragma once

#include "core/remote/ssh_connection.h"
#include "core/remote/ssh_program.h"

namespace dlperf::remote {

class SshTransport : public Transport {
public:
    enum class Way { Automatic, Program };

    // Automatic: by libssh2, and from then on by the ssh program where that can do what libssh2 cannot.
    explicit SshTransport(const cluster::Node& node, const std::shared_ptr<SshAnswers>& answers = {},
                          Way way = Way::Automatic)
        : name_(node.name),
          connection_(node, answers),
          program_(node, answers),
          usesProgram_(way == Way::Program) {}

    Result<CommandResult> run(const Command& command, const Limits& limits) override;
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const Limits& limits) override;
    Result<FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                           const Limits& limits) override;
    const std::string& name() const override { return name_; }
    cluster::Route route() const override { return usesProgram_ ? program_.route() : connection_.route(); }

private:
    std::string name_;
    SshConnection connection_;
    SshProgram program_;
    std::atomic<bool> usesProgram_;
};

}  // namespace dlperf::remote
