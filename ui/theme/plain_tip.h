// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace dlperf::ui {

// Tool tips guess whether a text is markup. What comes from logs, plans and recipes is shown as it is.
[[nodiscard]] inline QString plainTip(const QString& text) {
    return text.isEmpty()
               ? QString()
               : QStringLiteral("<div style=\"white-space: pre-wrap\">%1</div>").arg(text.toHtmlEscaped());
}

}  // namespace dlperf::ui
