// SPDX-License-Identifier: Apache-2.0
#include "data/source.h"

#include "base/failure.h"
#include "data/synthetic.h"
#ifdef DLPERF_WITH_JPEG
#include "data/image_folder.h"
#endif

namespace dlperf::worker {

std::unique_ptr<DataSource> makeDataSource(const Options& options, const World& world,
                                           [[maybe_unused]] bool backendMirrors) {
    if (options.data.empty()) {
        return std::make_unique<SyntheticSource>(options, world);
    }
#ifdef DLPERF_WITH_JPEG
    return makeImageFolderSource(options, world, backendMirrors);
#else
    throw Failure(ExitCode::Data, "--data needs libjpeg-turbo, which this build was configured without");
#endif
}

}  // namespace dlperf::worker
