// SPDX-License-Identifier: Apache-2.0
// The language that was chosen for the window's texts. It takes effect when the program starts.
#pragma once

#include <QString>

namespace dlperf::ui {

// "en", "zh_CN", or empty for the desktop's.
[[nodiscard]] QString storedLanguage();
void storeLanguage(const QString& language);
// Whether this build has the Chinese texts.
[[nodiscard]] bool hasChinese();
[[nodiscard]] QString chineseTexts();

}  // namespace dlperf::ui
