// SPDX-License-Identifier: Apache-2.0
// F6: from one region of the window to the next, and back.
#pragma once

#include <QList>

class QWidget;

namespace dlperf::ui {

// What of the region takes the focus: its focus proxy, else the first in the order of Tab; or nothing.
[[nodiscard]] QWidget* entryOf(QWidget& region);
// Puts the focus into the region after (step 1) or before (-1) the one that has it, past those that can take
// none. From outside of all regions it goes to the first or last one.
void focusRegion(const QList<QWidget*>& regions, int step);

}  // namespace dlperf::ui
