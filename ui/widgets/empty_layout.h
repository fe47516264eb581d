// SPDX-License-Identifier: Apache-2.0
// What a layout shows is made anew: everything in it goes first. Layouts within it are not looked into.
#pragma once

class QLayout;

namespace dlperf::ui {

void emptyLayout(QLayout* layout);
// The same where one of its own widgets may have asked for it: they are hidden now and deleted when its click
// is over.
void emptyLayoutAfterClick(QLayout* layout);

}  // namespace dlperf::ui
