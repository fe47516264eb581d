// SPDX-License-Identifier: Apache-2.0
// How a workspace's window was left: size, place, splitters, sorted columns. Pages need not know of it.
#pragma once

#include <QString>
#include <vector>

class QMainWindow;
class QWidget;

namespace dlperf::ui {

class WindowMemory {
public:
    // `group` is the workspace's in the settings. `pages` in the order of the places.
    WindowMemory(QString group, QMainWindow& window, std::vector<QWidget*> pages);

    void save(int place) const;
    // Puts everything but the place back, which it returns; negative: none is kept.
    [[nodiscard]] int restore() const;

private:
    QString group_;
    QMainWindow& window_;
    std::vector<QWidget*> pages_;
};

}  // namespace dlperf::ui
