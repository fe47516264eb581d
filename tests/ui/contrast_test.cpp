// SPDX-License-Identifier: Apache-2.0
// What is written can be read on what lies behind it: 4.5:1 for texts, 3:1 for what marks a control, for each
// pair of tokens that the window uses, in both themes. The style sheet is asked which tokens those are.
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

#include "color_difference.h"
#include "tests/ui/watchdog.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr double readable = 4.49;  // 4.5 but for rounding
constexpr double visible = 3.0;

struct Use {
    const char* token;
    QStringList grounds;
};

// Where each text stands.
std::vector<Use> texts() {
    const QStringList everywhere{"window", "page", "panel", "header", "hover", "press", "sel", "field"};
    const QStringList plain{"window", "page", "panel", "header", "hover", "sel"};
    return {{"text", everywhere + QStringList{"mark", "ok-ground", "warn-ground", "fail-ground",
                                              "info-ground", "idle-ground"}},
            {"text2", everywhere + QStringList{"idle-ground"}},
            {"text3", everywhere},
            {"link", {"window", "page", "panel", "header", "hover"}},
            {"tiptext", {"tip"}},
            {"ok-text", {"page", "panel", "ok-ground"}},
            {"warn-text", {"page", "panel", "warn-ground"}},
            {"fail-text", {"page", "panel", "hover", "fail-ground"}},
            {"info-text", {"page", "panel", "info-ground"}},
            {"idle-text", {"page", "panel", "idle-ground"}},
            {"#FFFFFF", {"accent", "accent-hover"}}};
}

// What shows where a control is, what it is about or that it has the focus.
std::vector<Use> marks() {
    return {{"focus", {"window", "page", "panel", "header", "hover", "field"}},
            {"fieldborder", {"panel", "field"}},
            {"accent", {"page", "panel", "field"}},
            {"link", {"panel"}},            // the border of a chosen chip
            {"ok-text", {"sel", "hover"}},  // icons of states in selected rows
            {"warn-text", {"sel", "hover"}},
            {"fail-text", {"sel", "hover"}},
            {"info-text", {"sel", "hover"}},
            {"idle-text", {"sel", "hover"}}};
}

QColor colorOf(const Theme& theme, const QString& token) {
    for (const auto& [name, value] : tokensOf(theme)) {
        if (name == token) {
            return QColor(value);
        }
    }
    return QColor(token);
}

void check(const Theme& theme, const std::vector<Use>& uses, double least) {
    for (const Use& use : uses) {
        const QColor ink = colorOf(theme, QLatin1String(use.token));
        QVERIFY2(ink.isValid(), use.token);
        for (const QString& name : use.grounds) {
            const QColor ground = colorOf(theme, name);
            QVERIFY2(ground.isValid(), qPrintable(name));
            const double contrast = test::contrast(ink, ground);
            QVERIFY2(contrast >= least, qPrintable(QStringLiteral("%1 on %2: %3 : 1")
                                                       .arg(QLatin1String(use.token), name)
                                                       .arg(contrast, 0, 'f', 2)));
        }
    }
}

}  // namespace

class ContrastTest : public QObject {
    Q_OBJECT

private slots:
    void textsCanBeRead() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
            check(*theme, texts(), readable);
        }
    }

    void marksCanBeSeen() {
        for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
            check(*theme, marks(), visible);
            QVERIFY(test::contrast(theme->ideal, theme->panel) >= visible);
        }
    }

    // A text colour that is new in the style sheet has to be added above.
    void everyTextColorIsChecked() {
        QSet<QString> checked{QStringLiteral("disabled")};  // needs none
        for (const Use& use : texts()) {
            checked << QLatin1String(use.token);
        }
        const QStringList found =
            matches(QStringLiteral("[^-]color:\\s*(?:\\{\\{([a-z0-9-]+)\\}\\}|(#[0-9A-F]{6}))"));
        QVERIFY(found.size() > 20);
        for (const QString& token : found) {
            // The report's page is white in both themes, its ink is light's text.
            QVERIFY2(checked.contains(token) || token == lightTheme().text.name().toUpper(),
                     qPrintable(token));
        }
    }

    void everyGroundIsChecked() {
        QSet<QString> checked{QStringLiteral("tip"), QStringLiteral("paper"), QStringLiteral("#FFFFFF")};
        QSet<QString> noText{QStringLiteral("border"), QStringLiteral("border2"),
                             QStringLiteral("fieldborder"), QStringLiteral("accent"),
                             QStringLiteral("accent-hover")};
        for (const Use& use : texts()) {
            for (const QString& ground : use.grounds) {
                checked << ground;
            }
        }
        const QStringList found =
            matches(QStringLiteral("background(?:-color)?:\\s*(?:\\{\\{([a-z0-9-]+)\\}\\}|(#[0-9A-F]{6}))"));
        QVERIFY(found.size() > 20);
        for (const QString& token : found) {
            QVERIFY2(checked.contains(token) || noText.contains(token), qPrintable(token));
        }
    }

private:
    static QStringList matches(const QString& pattern) {
        QFile sheet(QStringLiteral(":/dlperf/theme/dashboard.qss"));
        if (!sheet.open(QIODevice::ReadOnly)) {
            return {};
        }
        const QRegularExpression expression(pattern);
        QStringList found;
        auto each = expression.globalMatch(QString::fromUtf8(sheet.readAll()));
        while (each.hasNext()) {
            const auto match = each.next();
            found << (match.captured(1).isEmpty() ? match.captured(2) : match.captured(1));
        }
        return found;
    }
};

DLPERF_UI_TEST(ContrastTest);

}  // namespace dlperf::ui
#include "contrast_test.moc"
