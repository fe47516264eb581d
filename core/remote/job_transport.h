// SPDX-License-Identifier: Apache-2.0
// A node that a Slurm job holds. Its commands go over the shared file system to the agent that the job runs
// there; files in the work folder are read and written on the login node. When the job has ended, what it
// left in the work folder is all there is: from then on the login node answers for it, and begins nothing.
#pragma once

#include <atomic>
#include <memory>

#include "core/remote/shell_transport.h"

namespace dlperf::remote {

class JobTransport : public ShellTransport {
public:
    JobTransport(std::string name, std::shared_ptr<Transport> login, cluster::JobSeat seat);

    Result<CommandResult> run(const Command& command, const Limits& limits) override;
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const Limits& limits) override;
    Result<FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                           const Limits& limits) override;
    const std::string& name() const override { return name_; }
    cluster::Route route() const override;
    std::optional<Withdrawal> withdrawn() override;

private:
    [[nodiscard]] Result<CommandResult> runAfterItsEnd(const Command& command, const Limits& limits);
    [[nodiscard]] bool isShared(const std::string& path) const { return path.starts_with(workFolder_); }

    std::string name_;
    std::shared_ptr<Transport> login_;
    cluster::JobSeat seat_;
    std::string workFolder_;  // with a slash behind it
    std::atomic<bool> over_ = false;
};

}  // namespace dlperf::remote
