// SPDX-License-Identifier: Apache-2.0
#include "net/initial_weights.h"

#include <cmath>

#include "base/random.h"

namespace dlperf::worker {

std::vector<float> initialValues(const Parameter& parameter, std::uint64_t seed, std::size_t index,
                                 int features) {
    using Kind = Parameter::Kind;
    std::vector<float> values(parameter.count(), 0.0F);
    Random random({seed, index});
    switch (parameter.kind) {
        case Kind::ConvWeight: {
            const std::size_t fanOut = parameter.shape[0] * parameter.shape[2] * parameter.shape[3];
            const auto deviation = static_cast<float>(std::sqrt(2.0 / static_cast<double>(fanOut)));
            for (float& value : values) {
                value = deviation * random.nearlyNormal();
            }
            break;
        }
        case Kind::NormScale:
            values.assign(values.size(), 1.0F);
            break;
        case Kind::NormShift:
            break;
        case Kind::LinearWeight:
        case Kind::LinearBias: {
            const double bound = 1.0 / std::sqrt(static_cast<double>(features));
            for (float& value : values) {
                value = static_cast<float>(random.between(-bound, bound));
            }
            break;
        }
    }
    return values;
}

}  // namespace dlperf::worker
