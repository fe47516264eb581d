// SPDX-License-Identifier: Apache-2.0
#include "core/run/checksum.h"

#include "core/base/text.h"
#include "core/remote/local_transport.h"

namespace dlperf::run {

using namespace std::chrono_literals;

Result<std::string> checksumHere(const std::filesystem::path& file) {
    remote::LocalTransport here("this machine");
    const auto result = here.run({"exec sha256sum <" + shellQuote(file.string()), {}}, {30min, {}});
    if (!result || result->exitCode != 0) {
        return fail("its checksum cannot be made", file.string(), {}, ErrorKind::Work);
    }
    return result->output.substr(0, 64);
}

}  // namespace dlperf::run
