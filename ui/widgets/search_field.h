// SPDX-License-Identifier: Apache-2.0
// A search field with the number of hits and a switch for regular expressions inside.
#pragma once

#include <QLineEdit>

class QLabel;
class QToolButton;

namespace dlperf::ui {

class SearchField final : public QLineEdit {
    Q_OBJECT

public:
    explicit SearchField(QWidget* parent = nullptr);

    // "2 of 14"; empty: nothing.
    void setCount(const QString& text);
    [[nodiscard]] QString count() const;
    [[nodiscard]] bool isPattern() const;
    // Why nothing is searched, for who cannot see; empty: it is.
    void setProblem(const QString& text);
    [[nodiscard]] QString problem() const;

signals:
    void patternToggled();
    // Esc: nothing is to be searched for any more.
    void givenUp();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void arrange();

    QLabel* count_;
    QToolButton* pattern_;
};

}  // namespace dlperf::ui
