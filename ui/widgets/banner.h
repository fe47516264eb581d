// SPDX-License-Identifier: Apache-2.0
// What happened, why, and what to do, at the place it concerns.
#pragma once

#include <QFrame>
#include <QWidget>
#include <vector>

#include "core/base/error.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace dlperf::ui {

class Banner : public QFrame {
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    // state: "info", "warn", "fail", "ok". An empty remedy or action is not shown.
    void showMessage(const char* state, const QString& what, const QString& why, const QString& remedy = {},
                     const QString& action = {});
    void showError(const Error& error);
    void setClosable(bool closable);

signals:
    void actionTriggered();
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QHBoxLayout* row_;
    QLabel* icon_ = nullptr;
    QLabel* text_;
    QLabel* remedyWord_;
    QLabel* remedy_;  // a command
    QLabel* advice_;  // a sentence
    QPushButton* copy_;
    QPushButton* action_;
    QToolButton* close_;
};

// Holds the banners of the whole window: with its margins it takes no room while none of them is shown.
class BannerArea final : public QWidget {
    Q_OBJECT

public:
    explicit BannerArea(QWidget* parent = nullptr);

    [[nodiscard]] Banner* add(const QString& objectName);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::vector<Banner*> banners_;
};

}  // namespace dlperf::ui
