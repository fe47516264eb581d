// SPDX-License-Identifier: Apache-2.0
// libFuzzer on all that reads an archive of anybody: unpacking, names, heads of logs, places. Run by
// tests/fuzz/run.sh.
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "core/base/file.h"
#include "core/import/import_logs.h"

namespace {

namespace fs = std::filesystem;

// Nothing may ever appear beside the archive and the workspace, nor a link inside it.
void demandOrder(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const bool known = entry.path().parent_path() != folder || entry.path().filename() == "a.zip" ||
                           entry.path().filename() == "w";
        if (!known || entry.is_symlink()) {
            std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const dlperf::TemporaryFolder folder = dlperf::TemporaryFolder::make("fuzz-import").value();
    static const auto vocabulary =
        dlperf::Vocabulary::fromFile(fs::path(DLPERF_SOURCE_DIR) / "resources/vocabulary.json").value();
    const fs::path archive = folder.path() / "a.zip";
    std::ofstream(archive, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    const auto workspace = dlperf::store::Workspace::open(folder.path() / "w").value();
    dlperf::imports::ImportOptions options;
    options.limits = {1U << 20U, 1U << 19U, 256, 50, 1U << 16U};
    options.corrections.topology = dlperf::Topology{1, 1};
    options.corrections.batchSize = 1;
    {
        auto plan = dlperf::imports::planImport(archive, workspace, vocabulary, options);
        if (plan) {
            (void)dlperf::imports::saveImport(*plan, workspace, vocabulary);
        }
        demandOrder(folder.path());
    }
    fs::remove_all(folder.path() / "w" / "logs");
    return 0;
}
