// SPDX-License-Identifier: Apache-2.0
// What happened, why, and what to do, at the place it concerns.
#pragma once

#include <QDeadlineTimer>
#include <QFrame>
#include <QTimer>
#include <QWidget>
#include <chrono>
#include <functional>
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

    // Primary: the page's next step.
    enum class ActionKind { Plain, Primary };
    // state: "info", "warn", "fail", "ok". An empty remedy or action is not shown. It can be closed.
    void showMessage(const char* state, const QString& what, const QString& why, const QString& remedy = {},
                     const QString& action = {}, ActionKind kind = ActionKind::Plain);
    void showError(const Error& error);
    void setClosable(bool closable);
    // spoken: else as it is written.
    void setAction(const QString& action, const QString& spoken = {});

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
    QHBoxLayout* remedyRow_;
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
    void add(Banner* banner);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::vector<Banner*> banners_;
};

// Says what was just done, and takes it back.
class UndoBanner final : public Banner {
    Q_OBJECT

public:
    // Ctrl+Z within `page` takes back, too.
    explicit UndoBanner(QWidget* page);

    // `undo` may be empty.
    void say(const QString& what, const QString& why, const std::function<void()>& undo);
    // The same of something that is done on other pages, too: see forgetShared().
    void sayShared(const QString& what, const QString& why, const std::function<void()>& undo);
    // The same of what can be undone for this long only, which the button counts down.
    void sayFor(const QString& what, const QString& why, const std::function<void()>& undo,
                std::chrono::milliseconds time);
    // Of something that is under way: lookAgain() hides it once that is over.
    void sayUntil(const QString& what, const QString& why, const std::function<bool()>& isOver);
    void lookAgain();
    void takeBack();
    [[nodiscard]] bool canTakeBack() const { return undo_ != nullptr; }
    // What takeBack() takes back, for a menu: "localhost was removed from the list".
    [[nodiscard]] QString what() const;
    // Somebody did it anew: the undo would take that back with it.
    void forgetShared();
    // Of another window's page, which goes: its shared undo can be had here. The texts were in its language.
    void takeOver(const UndoBanner& other);

protected:
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void keepPlace();
    void countDown();

    QString what_;
    std::function<void()> undo_;
    std::function<bool()> isOver_;
    bool shared_ = false;
    bool isHidingLater_ = false;  // when the pointer has left
    QTimer second_;
    QDeadlineTimer until_;
};

}  // namespace dlperf::ui
