// SPDX-License-Identifier: Apache-2.0
// The head of the log: whose it is, the search, warnings and errors, and how it is shown.
#pragma once

#include <QObject>
#include <QStringList>

#include "core/log/line_level.h"
#include "ui/log/log_search.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace dlperf::ui {

class SearchField;
class Segments;

class LogTools final : public QObject {
    Q_OBJECT

public:
    // Adds its parts to the row.
    LogTools(QHBoxLayout* row, QWidget* panel);

    // All nodes come first where there are several.
    void setNodes(const QStringList& nodes);
    // As if the user had; nodeChosen() follows.
    void chooseAll();
    [[nodiscard]] LogQuery query() const;
    [[nodiscard]] SearchField& search() { return *search_; }
    void setCounts(std::uint64_t warnings, std::uint64_t errors);
    void setFollowing(bool following);
    // Takes less room where the panel is narrow: a box in place of the segments, switches without words.
    void setRoom(int width);

signals:
    void nodeChosen(int index);
    void queryChanged();
    void hitRequested(bool forward);
    void filterToggled(bool filtered);
    void levelRequested(log::Level level);
    void wrapToggled(bool wrapped);
    void followToggled(bool follow);

private:
    void arrange();
    void addNodes(QHBoxLayout* row);
    void addSearch(QHBoxLayout* row, QWidget* panel);
    void addLevels(QHBoxLayout* row);
    void addSwitches(QHBoxLayout* row);
    static void showCount(QPushButton* button, const QString& iconName, std::uint64_t count,
                          const QString& words, log::Level level);

    QStringList texts_;  // of the choice of nodes
    int room_ = 0;       // px
    bool following_ = true;
    Segments* few_;
    QComboBox* many_;  // nodes, where there are too many for a row of buttons
    SearchField* search_;
    QPushButton* warnings_;
    QPushButton* errors_;
    QCheckBox* wrap_;
    QCheckBox* follow_;
};

}  // namespace dlperf::ui
