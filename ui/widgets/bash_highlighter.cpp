// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/bash_highlighter.h"

#include <QRegularExpression>

namespace dlperf::ui {

BashHighlighter::BashHighlighter(QTextDocument* document, const Theme& theme)
    : QSyntaxHighlighter(document), theme_(&theme) {}

void BashHighlighter::setTheme(const Theme& theme) {
    theme_ = &theme;
    rehighlight();
}

void BashHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression words(
        QStringLiteral("\\b(set|exec|export|if|then|else|elif|fi|for|do|done|while|case|esac|in|local|"
                       "readonly|exit|cd|source)\\b"));
    static const QRegularExpression strings(QStringLiteral("\"[^\"]*\"|'[^']*'"));
    static const QRegularExpression variables(QStringLiteral("\\$\\{[^}]*\\}|\\$[A-Za-z_][A-Za-z0-9_]*"));
    static const QRegularExpression comment(QStringLiteral("(^|\\s)#.*$"));
    const auto paint = [&](const QRegularExpression& pattern, const QColor& color) {
        auto matches = pattern.globalMatch(text);
        while (matches.hasNext()) {
            const auto match = matches.next();
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                      color);
        }
    };
    paint(words, theme_->link);
    paint(strings, theme_->ok.text);
    paint(variables, theme_->dark ? QColor("#C9A0DC") : QColor("#7B1FA2"));
    paint(comment, theme_->text3);
}

}  // namespace dlperf::ui
