// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme_control.h"

#include <QApplication>
#include <QEvent>
#include <QSettings>
#include <QWidget>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

const QString settingName = QStringLiteral("theme");
const QString fontSettingName = QStringLiteral("fontPercent");

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

// As long as this lives no widget is told that its style changed, so none lays itself out again: that is most
// of the time of a change between light and dark, which have the same sizes. Colours are told as a palette's
// change.
class SizesStay final : public QObject {
public:
    explicit SizesStay(QApplication* application) {
        if (application != nullptr) {
            application->installEventFilter(this);
        }
    }

protected:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        return event->type() == QEvent::StyleChange;
    }
};

}  // namespace

ThemeControl::ThemeControl(QApplication& application)
    : QObject(&application), application_(application), systemIsDark_(isDark(QApplication::palette())) {}

ThemeChoice ThemeControl::stored() {
    return parseThemeChoice(QSettings().value(settingName).toString());
}

void ThemeControl::prepare(ThemeChoice choice) {
    choice_ = choice;
    applyColors(application_, choice, systemIsDark_);
}

void ThemeControl::start(ThemeChoice choice) {
    choice_ = choice;
    {
        const SizesStay scope(fontPercent() == sheetPercent_ ? &application_ : nullptr);
        applyColors(application_, choice, systemIsDark_);
        sheet_ = styleSheetOf(choice, systemIsDark_);
        for (QWidget* window : QApplication::topLevelWidgets()) {
            if (window->parentWidget() == nullptr) {
                window->setStyleSheet(sheet_);
            }
        }
    }
    if (sheetPercent_ == 0) {
        application_.installEventFilter(this);
    }
    sheetPercent_ = fontPercent();
    emit changed();
}

// A window that is made later.
bool ThemeControl::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish && watched->isWidgetType()) {
        auto* widget = static_cast<QWidget*>(watched);
        if (widget->isWindow() && widget->parentWidget() == nullptr && widget->styleSheet() != sheet_) {
            widget->setStyleSheet(sheet_);
        }
    }
    return QObject::eventFilter(watched, event);
}

void ThemeControl::choose(ThemeChoice choice) {
    QSettings().setValue(settingName, toString(choice));
    start(choice);
}

int ThemeControl::storedFontPercent() {
    return QSettings().value(fontSettingName, 100).toInt();
}

void ThemeControl::chooseFontPercent(int percent) {
    QSettings().setValue(fontSettingName, percent);
    setFontPercent(percent);
    start(choice_);
}

void ThemeControl::toggle() {
    choose(currentTheme().dark ? ThemeChoice::Light : ThemeChoice::Dark);
}

}  // namespace dlperf::ui
