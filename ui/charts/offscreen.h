// SPDX-License-Identifier: Apache-2.0
// Drawing needs an application object. A program without a window gets one for the time of the drawing, on
// Qt's offscreen platform whatever the environment says, so that no display is asked for.
#pragma once

#include <QApplication>
#include <array>
#include <functional>
#include <memory>

#include "core/base/error.h"

namespace dlperf::ui {

class OffscreenApplication {
public:
    OffscreenApplication();

    // Runs the work on the application's thread and waits for it.
    [[nodiscard]] Result<void> run(const std::function<void()>& work);

private:
    // QApplication keeps references to these.
    int argc_ = 3;
    std::array<char*, 4> argv_;
    std::unique_ptr<QApplication> own_;
};

}  // namespace dlperf::ui
