// SPDX-License-Identifier: Apache-2.0
// The settings "System, Light, Dark" and font size: kept between starts, applied at once.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>

class QApplication;
class QWidget;

namespace dlperf::ui {

enum class ThemeChoice { System, Light, Dark };

[[nodiscard]] ThemeChoice parseThemeChoice(const QString& text);  // "light", "dark", else System
[[nodiscard]] QString toString(ThemeChoice choice);

class ThemeControl final : public QObject {
    Q_OBJECT

public:
    // Remembers the desktop's palette. A choice of the command line holds for this start only.
    explicit ThemeControl(QApplication& application);

    // Before the first window, so that none of its parts measures itself without the style sheet.
    void start(ThemeChoice choice);
    void choose(ThemeChoice choice);  // and keep it
    [[nodiscard]] ThemeChoice choice() const { return choice_; }
    [[nodiscard]] static ThemeChoice stored();
    [[nodiscard]] static QStringList titles();  // of the choices, in their order
    void chooseFontPercent(int percent);
    [[nodiscard]] static int storedFontPercent();
    void toggle();

    // To a part with a style sheet of its own; one a turn of the event loop, so that none holds the window.
    void applyTo(QWidget& part);

signals:
    void changed();
    void applied();  // to all parts

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void keep(QWidget& part);
    void applyInTime(QWidget& part);
    void setSheet(QWidget& part);
    void applyNext();
    void applyToWindow(QWidget& window);

    QApplication& application_;
    bool systemIsDark_;
    ThemeChoice choice_ = ThemeChoice::System;
    // On the parts, and on windows that have none. Not on the application: Qt 6.4 then goes through what
    // stands in a widget once for each widget above it, which takes ten times as long.
    QString sheet_;
    int sheetPercent_ = 0;  // size of the fonts in it; 0: there is none yet
    bool sizesStay_ = false;
    QList<QPointer<QWidget>> parts_;
    QList<QPointer<QWidget>> waiting_;
    QTimer next_;
};

}  // namespace dlperf::ui
