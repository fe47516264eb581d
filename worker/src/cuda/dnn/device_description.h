// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace dlperf::worker::cuda::dnn {

// What cuDNN wants to know of a GPU to make plans for it where there is none: the same numbers as CUDA's
// device attributes. They decide which engines fit; times cannot be told from them. Plans for a described
// device are for tests, and only those of precompiled engines can be made: others compile at run time and
// load what they compiled, for which a driver has to be there.
struct DeviceDescription {
    std::string name;
    int computeCapability = 0;  // 100 * major + 10 * minor: 900 is sm_90
    int driverVersion = 13000;  // as cudaDriverGetVersion() says it
    int multiprocessors = 0;
    std::int64_t memoryBytes = 0;
    int cacheBytes = 0;              // of the second level
    int sharedBytesPerBlock = 0;     // the most that a block can ask for
    int reservedSharedBytes = 1024;  // of each block, by the driver
    int multiprocessorKilohertz = 0;
    int memoryKilohertz = 0;

    // In the form that CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION takes; all 23 keys are required.
    std::string json() const;
};

// NVIDIA H200, sm_90. From data sheets, not read off a device.
DeviceDescription describedH200();
// NVIDIA A100 with 80 GB, sm_80. From data sheets, not read off a device.
DeviceDescription describedA100();

}  // namespace dlperf::worker::cuda::dnn
