// SPDX-License-Identifier: Apache-2.0
// Files written and read by shell commands, for transports that have nothing but commands.
#pragma once

#include "core/remote/transport.h"

namespace dlperf::remote {

// As Transport::upload. `remedy` is said when the shell on the other side cannot write.
[[nodiscard]] Result<void> uploadByShell(Transport& transport, std::string_view bytes,
                                         const std::string& path, unsigned mode, const Limits& limits,
                                         const std::string& remedy);

// As Transport::read.
[[nodiscard]] Result<FileChunk> readByShell(Transport& transport, const std::string& path,
                                            std::uint64_t offset, std::size_t maxBytes, const Limits& limits,
                                            const std::string& remedy);

}  // namespace dlperf::remote
