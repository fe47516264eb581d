// SPDX-License-Identifier: Apache-2.0
#include "core/model/node_name.h"

namespace dlperf {

std::string nodeTitle(const std::string& node) {
    return node == "this" ? "this machine" : node;
}

std::string nodeText(const std::string& node) {
    const std::string title = nodeTitle(node);
    return title == node ? "node " + node : title;
}

}  // namespace dlperf
