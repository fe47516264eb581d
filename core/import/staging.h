// SPDX-License-Identifier: Apache-2.0
// Where an import lies until it is whole.
#pragma once

#include <filesystem>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"

namespace dlperf::imports {

// A folder of this import alone, in the workspace, so that what is ready gets its place by a rename; gone
// with all that is in it at the end. What a killed import left is removed by the next one.
class Staging {
public:
    // A Work error if the folder cannot be made.
    [[nodiscard]] static Result<Staging> make(const std::filesystem::path& workspace);
    ~Staging();
    Staging(Staging&& other) noexcept
        : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
    Staging& operator=(Staging&& other) noexcept;

    std::filesystem::path unpacked() const { return path_ / "unpacked"; }
    std::filesystem::path ready() const { return path_ / "ready"; }

private:
    Staging(std::filesystem::path path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
    std::filesystem::path path_;  // empty once moved from
    Descriptor lock_;             // of the folder: held while its import lives
};

}  // namespace dlperf::imports
