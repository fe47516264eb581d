// SPDX-License-Identifier: Apache-2.0
// The colours of a topology matrix, the same in both themes: blue is fast, orange slow, which colour-blind
// eyes tell apart too.
#pragma once

#include <QColor>

namespace dlperf::ui {

struct LinkStyle {
    QColor fill;
    QColor text;
};

// In the order of cluster::Link, which this room does not know: itself, NVLink, PIX, PXB, PHB, NODE, SYS,
// other. Several NVLinks are darker than one.
[[nodiscard]] LinkStyle linkStyle(int link, int nvLinks);

}  // namespace dlperf::ui
