// SPDX-License-Identifier: Apache-2.0
// Colours of a start script: comments, strings, variables, words of the shell.
#pragma once

#include <QSyntaxHighlighter>

#include "ui/theme/theme.h"

namespace dlperf::ui {

class BashHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT

public:
    BashHighlighter(QTextDocument* document, const Theme& theme);
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& text) override;

private:
    const Theme* theme_;
};

}  // namespace dlperf::ui
