// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/language.h"

#include <QFile>
#include <QSettings>

namespace dlperf::ui {
namespace {

QString languageKey() {
    return QStringLiteral("language");
}

}  // namespace

QString storedLanguage() {
    const QString language = QSettings().value(languageKey()).toString();
    // A later version may know more of them.
    return language == QLatin1String("en") || (language == QLatin1String("zh_CN") && hasChinese())
               ? language
               : QString();
}

void storeLanguage(const QString& language) {
    QSettings().setValue(languageKey(), language);
}

bool hasChinese() {
    return QFile::exists(chineseTexts());
}

QString chineseTexts() {
    return QStringLiteral(":/i18n/dlperf_zh_CN.qm");
}

}  // namespace dlperf::ui
