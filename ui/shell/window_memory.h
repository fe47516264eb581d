// SPDX-License-Identifier: Apache-2.0
// How a workspace's window was left: size, place, splitters, sorted columns. Pages need not know of it.
#pragma once

#include <QString>

class QMainWindow;
class QWidget;

namespace dlperf::ui {

class WindowMemory {
public:
    // `group` is the workspace's in the settings.
    WindowMemory(QString group, QMainWindow& window);

    void save(int place) const;
    // Puts the window back, and returns the place that was left; negative: none is kept.
    [[nodiscard]] int restore() const;

    // Splitters and sorted columns of the page at this place.
    void savePage(const QWidget& page, int place) const;
    void restorePage(const QWidget& page, int place) const;

private:
    QString group_;
    QMainWindow& window_;
};

}  // namespace dlperf::ui
