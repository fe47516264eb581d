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
    // The same of something that is done on other pages, too: see forgetShared().
    void sayShared(const QString& what, const QString& why, const std::function<void()>& undo);
    void takeBack();
    // Somebody did it anew: the undo would take that back with it.
    void forgetShared();

private:
    std::function<void()> undo_;
    bool shared_ = false;
};

}  // namespace dlperf::ui
