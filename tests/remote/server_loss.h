// SPDX-License-Identifier: Apache-2.0
// A server that goes in the middle of a command and comes back: what every way to reach it keeps.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "core/remote/ssh_transport.h"
#include "tests/support/sshd.h"

namespace dlperf::test {

// Whether the transport reaches its server again by itself, within 15 s.
inline bool comesBack(remote::SshTransport& transport) {
    using namespace std::chrono_literals;
    bool back = false;
    for (int tries = 0; tries < 300 && !back; ++tries) {
        back = transport.run({"true", {}}, {}).has_value();
        std::this_thread::sleep_for(50ms);
    }
    return back;
}

// Errors are transient while the server is away, and the transport reaches it again by itself.
inline void loseServerAndComeBack(remote::SshTransport& transport, Sshd& sshd) {
    using namespace std::chrono_literals;
    ASSERT_TRUE(transport.run({"true", {}}, {}));
    std::jthread breaker([&] {
        std::this_thread::sleep_for(300ms);
        sshd.stop();
    });
    const auto lost = transport.run({"sleep 60", {}}, {});
    breaker.join();
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().kind, ErrorKind::Transient) << describe(lost.error());
    const auto gone = transport.run({"true", {}}, {});
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().kind, ErrorKind::Transient) << describe(gone.error());
    sshd.start();
    EXPECT_TRUE(comesBack(transport));
}

// A host that starts anew or has lost its directory of users refuses for a while whom it let in before.
inline void refuseForAWhile(remote::SshTransport& transport, Sshd& sshd) {
    using namespace std::chrono_literals;
    ASSERT_TRUE(transport.run({"true", {}}, {}));
    const auto keys = sshd.folder().path() / "authorized_keys";
    const auto kept = sshd.folder().path() / "kept_keys";
    std::filesystem::rename(keys, kept);
    sshd.stop();
    sshd.start();
    std::string refused;
    for (int tries = 0; tries < 300 && refused.find("does not let") == std::string::npos; ++tries) {
        const auto result = transport.run({"true", {}}, {});
        ASSERT_FALSE(result);
        refused = result.error().what;
        EXPECT_EQ(result.error().kind, ErrorKind::Transient) << refused;
        std::this_thread::sleep_for(50ms);
    }
    EXPECT_NE(refused.find("does not let"), std::string::npos) << refused;
    std::filesystem::rename(kept, keys);
    EXPECT_TRUE(comesBack(transport));
}

}  // namespace dlperf::test
