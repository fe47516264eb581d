// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_splitter.h"

namespace dlperf::analysis {

void LineSplitter::takeSlowly(std::string_view bytes) {
    const std::size_t room = maxBytes - kept_.size();
    if (bytes.size() > room) {
        cut_ = true;
        bytes = bytes.substr(0, room);
    }
    if (kept_.empty()) {
        direct_ = bytes;
    } else {
        kept_.append(bytes);
    }
}

void LineSplitter::keep() {
    kept_.append(direct_);
    direct_ = {};
}

}  // namespace dlperf::analysis
