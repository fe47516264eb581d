// SPDX-License-Identifier: Apache-2.0
// Nodes that have nothing but commands: files are written and read by the shell on the other side.
#pragma once

#include <vector>

#include "core/remote/transport.h"

namespace dlperf::remote {

class ShellTransport : public Transport {
public:
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const Limits& limits) override;
    Result<FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                           const Limits& limits) override;

protected:
    // What messages tell the user to check when the shell there can do nothing.
    explicit ShellTransport(std::string check) : check_(std::move(check)) {}

private:
    std::string check_;
};

// A container on a node: everything goes through its command prefix ("docker exec -i pt"), or the script that
// starts one of the node's image, so scripts, files and process numbers are those inside.
class ContainerTransport : public ShellTransport {
public:
    ContainerTransport(std::shared_ptr<Transport> host, const std::vector<std::string>& prefix);
    // Of a node that names an image. While that is fetched a command waits, beyond its deadline, until it is
    // stopped.
    ContainerTransport(std::shared_ptr<Transport> host, const cluster::Node& node);

    Result<CommandResult> run(const Command& command, const Limits& limits) override;
    const std::string& name() const override { return host_->name(); }
    Result<CommandResult> runOutside(const Command& command, const Limits& limits) override {
        return host_->run(command, limits);
    }
    cluster::Route route() const override { return host_->route(); }
    std::optional<Withdrawal> withdrawn() override { return host_->withdrawn(); }

private:
    std::shared_ptr<Transport> host_;
    std::string before_ = "exec ";  // the words "/bin/sh -c COMMAND", for the host's shell
    std::string after_;
};

}  // namespace dlperf::remote
