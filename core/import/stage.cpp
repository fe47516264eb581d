// SPDX-License-Identifier: Apache-2.0
#include "core/import/stage.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace dlperf::imports {

const char* toString(Stage stage) {
    constexpr std::array names{"unpacking", "reading", "saving", "waiting"};
    return names.at(static_cast<std::size_t>(stage));
}

int percentOf(const Progress& progress) {
    if (progress.of == 0) {
        return 0;
    }
    const double part = static_cast<double>(progress.done) / static_cast<double>(progress.of);
    return static_cast<int>(std::min(1.0, part) * 100);
}

Failure diskRefuses(const std::filesystem::path& file, int error) {
    return fail(std::string("the log cannot be written: ") + std::strerror(error), file.string(),
                "Check the permissions and the free space.", ErrorKind::Work);
}

Failure cancelled(const std::string& where) {
    return fail("the import was cancelled", where, {}, ErrorKind::Work);
}

}  // namespace dlperf::imports
