// SPDX-License-Identifier: Apache-2.0
// This machine as a node.
#pragma once

#include "core/remote/transport.h"

namespace dlperf::remote {

class LocalTransport : public Transport {
public:
    explicit LocalTransport(std::string name) : name_(std::move(name)) {}

    Result<CommandResult> run(const Command& command, const Limits& limits) override;
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const Limits& limits) override;
    Result<FileChunk> read(const std::string& path, std::uint64_t offset, std::size_t maxBytes,
                           const Limits& limits) override;
    const std::string& name() const override { return name_; }

private:
    std::string name_;
};

}  // namespace dlperf::remote
