// SPDX-License-Identifier: Apache-2.0
#include "net/tensor_shapes.h"

namespace dlperf::worker {
namespace {

std::size_t asSize(int value) {
    return static_cast<std::size_t>(value);
}

}  // namespace

Pooling stemPooling(const ResNet50& net, int batchSize) {
    return {asSize(batchSize), asSize(net.convs.front().outSize), asSize(net.pooledSize),
            asSize(net.convs.front().outChannels)};
}

Pooling lastPooling(const ResNet50& net, int batchSize) {
    return {asSize(batchSize), asSize(net.convs.back().outSize), 1, asSize(net.features)};
}

}  // namespace dlperf::worker
