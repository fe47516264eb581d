// SPDX-License-Identifier: Apache-2.0
// Why there is no session, and whether the system's ssh program may do better than libssh2.
#pragma once

#include "core/base/error.h"

namespace dlperf::remote {

struct SshFailure {
    Error error;
    bool beyondLibrary = false;  // the host or the key wants what libssh2 cannot do
    bool hungUp = false;         // before it greeted, as a host does that has too many logins under way
};

template <class T>
using SshResult = tl::expected<T, SshFailure>;

[[nodiscard]] inline tl::unexpected<SshFailure> refuse(Error error, bool beyondLibrary = false) {
    return tl::unexpected<SshFailure>(SshFailure{std::move(error), beyondLibrary});
}

}  // namespace dlperf::remote
