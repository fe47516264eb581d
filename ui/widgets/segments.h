// SPDX-License-Identifier: Apache-2.0
// A row of which one is chosen, or a box where they are too many. One Tab stop; arrows move.
#pragma once

#include <QStringList>
#include <QWidget>
#include <map>
#include <optional>

class QButtonGroup;
class QComboBox;
class QHBoxLayout;

namespace dlperf::ui {

class Segments final : public QWidget {
    Q_OBJECT

public:
    static constexpr int mostInARow = 7;

    // name: what is chosen here, as a screen reader says it.
    explicit Segments(const QString& name, const QStringList& texts = {}, QWidget* parent = nullptr);

    void setTexts(const QStringList& texts, int current);
    // How many may stand in a row; where room is short none.
    void setMost(int most);
    [[nodiscard]] bool isBox() const { return texts_.size() > most_; }
    [[nodiscard]] int current() const;
    void setCurrent(int index);
    void setAvailable(int index, bool available, const QString& reason);
    [[nodiscard]] const QStringList& texts() const { return texts_; }
    // Why this one cannot be chosen; nothing where it can.
    [[nodiscard]] std::optional<QString> whyNot(int index) const;
    void choose(int index);  // as a click does

signals:
    void changed(int index);

private:
    void setButtons(const QStringList& texts);
    void showAvailable();

    QHBoxLayout* row_;
    QButtonGroup* group_;
    QComboBox* box_;
    QStringList texts_;
    std::map<int, QString> unavailable_;  // with the reason
    int most_ = mostInARow;
};

}  // namespace dlperf::ui
