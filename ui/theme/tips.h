// SPDX-License-Identifier: Apache-2.0
// Tool tips guess whether a text is markup. What comes from logs, plans and recipes is shown as it is.
#pragma once

#include <QString>

namespace dlperf::ui {

// In lines of a readable width: Qt would break every tip of markup to a narrow column. Empty for no text.
[[nodiscard]] QString plainTip(const QString& text);

}  // namespace dlperf::ui
