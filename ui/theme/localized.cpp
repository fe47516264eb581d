// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/localized.h"

#include <QLocale>

namespace dlperf::ui {

const Translation& windowTranslation() {
    return Translation::to(QLocale().name().toStdString());
}

QString localized(const std::string& text) {
    return QString::fromStdString(windowTranslation()(text));
}

QString comma() {
    return QString::fromStdString(windowTranslation().joint(", "));
}

QString localizedPart(const std::string& text) {
    return QString::fromStdString(windowTranslation().part(text));
}

}  // namespace dlperf::ui
