// SPDX-License-Identifier: Apache-2.0
// To the administrator no folder is closed: while this lives the test is somebody else.
#pragma once

#include <unistd.h>

namespace dlperf::test {

class AsNobody {
public:
    AsNobody() : ok_(::geteuid() != 0 || ::seteuid(nobody) == 0) {}
    ~AsNobody() { ok_ = ::seteuid(::getuid()) == 0; }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;

    [[nodiscard]] bool ok() const { return ok_; }

private:
    static constexpr ::uid_t nobody = 65'534;
    bool ok_;
};

}  // namespace dlperf::test
