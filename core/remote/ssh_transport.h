// SPDX-License-Identifier: Apache-2.0
// A node that is reached over SSH.
#pragma once

#include "core/remote/ssh_connection.h"

namespace dlperf::remote {

class SshTransport : public Transport {
public:
    explicit SshTransport(cluster::Node node, std::shared_ptr<SshAnswers> answers = {})
        : name_(node.name), connection_(std::move(node), std::move(answers)) {}

    Result<CommandResult> run(const Command& command, const Limits& limits) override;
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const Limits& limits) override;
    Result<FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                           const Limits& limits) override;
    const std::string& name() const override { return name_; }

private:
    std::string name_;
    SshConnection connection_;
};

}  // namespace dlperf::remote
