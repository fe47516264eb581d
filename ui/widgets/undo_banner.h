// SPDX-License-Identifier: Apache-2.0
// Says what was just done, and takes it back.
#pragma once

#include <functional>

#include "ui/widgets/banner.h"

namespace dlperf::ui {

class UndoBanner final : public Banner {
    Q_OBJECT

public:
    // Ctrl+Z within `page` takes back, too.
    explicit UndoBanner(QWidget* page);

    // `undo` may be empty.
    void say(const QString& what, const QString& why, const std::function<void()>& undo);
    void takeBack();
    // What is newer would be taken back with it.
    void forget();

private:
    std::function<void()> undo_;
};

}  // namespace dlperf::ui
