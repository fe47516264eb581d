// SPDX-License-Identifier: Apache-2.0
// The language of the texts, and of numbers and dates.
#pragma once

#include <QString>
#include <QTranslator>

namespace dlperf::ui {

class Language {
public:
    // "en", "zh_CN"; empty: that of the settings, else the desktop's. Of what is made from here on. False
    // where this build does not have its texts, which are English then.
    [[nodiscard]] bool use(const QString& language);

private:
    QTranslator texts_;
    QTranslator qtTexts_;  // of Qt's own dialogs
};

}  // namespace dlperf::ui
