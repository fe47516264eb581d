// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <array>

#include "ui/shell/window_memory.h"

namespace dlperf::ui {
namespace {

// Qt's words on the buttons of dialogs, for translators: a machine need not have Qt's own translations.
[[maybe_unused]] constexpr std::array buttonWords{
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),      QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),   QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),     QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"), QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
};

}  // namespace

bool Language::use(const QString& language) {
    QCoreApplication::removeTranslator(&texts_);
    QCoreApplication::removeTranslator(&qtTexts_);
    const QString chosen = language.isEmpty() ? storedLanguage() : language;
    QLocale::setDefault(chosen.isEmpty() ? QLocale::system() : QLocale(chosen));
    if (QLocale().language() != QLocale::Chinese) {
        return true;
    }
    if (!texts_.load(chineseTexts())) {
        return language.isEmpty();
    }
    QCoreApplication::installTranslator(&texts_);
    if (qtTexts_.load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&qtTexts_);
    }
    return true;
}

}  // namespace dlperf::ui
