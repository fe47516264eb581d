// SPDX-License-Identifier: Apache-2.0
// Chips to choose from, and a last one, "Other", that takes a value typed in. One Tab stop; arrows move.
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QToolButton;

namespace dlperf::ui {

class FlowLayout;

class ChipRow final : public QWidget {
    Q_OBJECT

public:
    struct Chip {
        QString key;
        QString text;
        bool on = false;
        QString tip;
        friend bool operator==(const Chip&, const Chip&) = default;
    };
    using Judge = std::function<QString(const QString& text)>;

    // `hint` stands in the empty field; without a judge nothing can be typed.
    explicit ChipRow(const QString& name, const QString& hint = {}, Judge judge = {},
                     QWidget* parent = nullptr);

    // The same keys change in place, so that the keyboard's place stays.
    void setChips(const std::vector<Chip>& chips);
    // For a narrow row that is often switched: without its tick a chip's width stays.
    void hideTicks() { ticks_ = false; }
    // As a click on "Other"; only with a judge, as the three below.
    void openField();
    void focusOther();
    // What stands in place of "Other"; and the width of the field at 100 %, in px.
    void setOther(const QString& text, int fieldWidth = 0);
    // All that takes the keyboard, in order.
    [[nodiscard]] std::vector<QWidget*> tabStops() const;

signals:
    void toggled(const QString& key, bool on);
    void typed(const QString& text);  // judged to be right

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void buildOther();
    void closeField();
    void judgeTyped();
    void takeTyped();
    void moveFocus(QObject* from, int step);
    void refresh();

    QString name_;
    QString hint_;
    Judge judge_;
    bool ticks_ = true;
    std::vector<Chip> chips_;
    std::vector<QToolButton*> buttons_;
    QWidget* host_;
    FlowLayout* flow_;
    QToolButton* other_ = nullptr;
    QLineEdit* field_ = nullptr;
    QLabel* problem_ = nullptr;
};

}  // namespace dlperf::ui
