// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme_control.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QSettings>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>
#include <algorithm>
#include <array>
#include <chrono>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr std::chrono::milliseconds betweenParts{1};  // for what the user does meanwhile
const std::array choiceNames{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
const QString settingName = QStringLiteral("theme");
const QString fontSettingName = QStringLiteral("fontPercent");

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

// While it lives, no widget gets a StyleChange event, so none lays itself out again: that is most
// of the time of a change between light and dark, which have the same sizes. Colours come as a palette's
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

const Theme& themeFor(ThemeChoice choice, bool systemIsDark) {
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    return dark ? darkTheme() : lightTheme();
}

void applyColors(QApplication& application, const Theme& theme) {
    // Each of these polishes every widget anew.
    const QString fusion = QStringLiteral("fusion");
    if (application.styleSheet().isEmpty() && QApplication::style()->name() != fusion) {
        application.setStyle(QStyleFactory::create(fusion));
    }
    application.setPalette(paletteOf(theme));
    if (QApplication::font() != textFont()) {
        application.setFont(textFont());
    }
}

QString styleSheetOf(const Theme& theme) {
    QFile sheet(QStringLiteral(":/dlperf/theme/dashboard.qss"));
    return sheet.open(QIODevice::ReadOnly)
               ? withScaledFonts(withTokens(QString::fromUtf8(sheet.readAll()), theme))
               : QString();
}

}  // namespace

ThemeChoice parseThemeChoice(const QString& text) {
    const auto found = std::ranges::find(choiceNames, text);
    return found == choiceNames.end() ? ThemeChoice::System
                                      : static_cast<ThemeChoice>(found - choiceNames.begin());
}

QString toString(ThemeChoice choice) {
    return choiceNames.at(static_cast<std::size_t>(choice));
}

ThemeControl::ThemeControl(QApplication& application)
    : QObject(&application), application_(application), systemIsDark_(isDark(QApplication::palette())) {
    next_.setSingleShot(true);
    next_.setInterval(betweenParts);
    connect(&next_, &QTimer::timeout, this, &ThemeControl::applyNext);
    application_.installEventFilter(this);
}

QStringList ThemeControl::titles() {
    return {tr("System"), tr("Light"), tr("Dark")};
}

ThemeChoice ThemeControl::stored() {
    return parseThemeChoice(QSettings().value(settingName).toString());
}

void ThemeControl::start(ThemeChoice choice) {
    choice_ = choice;
    sizesStay_ = fontPercent() == sheetPercent_;
    sheetPercent_ = fontPercent();
    const Theme& theme = themeFor(choice, systemIsDark_);
    sheet_ = styleSheetOf(theme);
    applyColors(application_, theme);
    waiting_ = parts_;
    // What is seen goes first, and is shown when all of it is done.
    std::stable_partition(waiting_.begin(), waiting_.end(),
                          [](const auto& part) { return part && part->isVisible(); });
    next_.start();
    emit changed();
}

void ThemeControl::applyTo(QWidget& part) {
    keep(part);
    if (sheetPercent_ != 0) {
        applyInTime(part);
    }
}

void ThemeControl::keep(QWidget& part) {
    parts_.removeAll(nullptr);
    parts_.append(&part);
}

// What is hidden gets its style sheet later, or when it is shown (see eventFilter).
void ThemeControl::applyInTime(QWidget& part) {
    if (part.isHidden()) {
        waiting_.append(&part);
        next_.start();
        return;
    }
    setSheet(part);
}

void ThemeControl::setSheet(QWidget& part) {
    // Not with a part's first sheet: some widgets (tab bars, legends) have measured themselves before.
    const bool sameSizes = sizesStay_ && !part.styleSheet().isEmpty();
    const SizesStay scope(sameSizes ? &application_ : nullptr);
    part.setStyleSheet(sheet_);
}

void ThemeControl::applyNext() {
    if (waiting_.isEmpty()) {
        return;
    }
    if (const QPointer<QWidget> part = waiting_.takeFirst()) {
        part->window()->setUpdatesEnabled(!part->isVisible());
        setSheet(*part);
    }
    const bool seen = !waiting_.isEmpty() && waiting_.front() && waiting_.front()->isVisible();
    if (!seen) {
        for (QWidget* window : QApplication::topLevelWidgets()) {
            window->setUpdatesEnabled(true);
        }
    }
    if (!waiting_.isEmpty()) {
        next_.start();
    } else {
        emit applied();
    }
}

// A dialog or a menu without a style sheet, about to be seen.
void ThemeControl::applyToWindow(QWidget& window) {
    const auto stands = [&window](const auto& part) { return part && part->window() == &window; };
    for (const QWidget* above = &window; above != nullptr; above = above->parentWidget()) {
        if (!above->styleSheet().isEmpty()) {
            return;
        }
    }
    if (std::ranges::none_of(parts_, stands)) {
        keep(window);
        if (sheetPercent_ != 0) {
            setSheet(window);
        }
    }
}

bool ThemeControl::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish && watched->isWidgetType()) {
        auto* widget = static_cast<QWidget*>(watched);
        if (widget->isWindow()) {
            applyToWindow(*widget);
        } else if (waiting_.removeOne(widget)) {
            setSheet(*widget);
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
