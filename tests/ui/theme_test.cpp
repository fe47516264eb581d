// SPDX-License-Identifier: Apache-2.0
// The tokens keep what they promise: readable texts, series that stay apart also for colour-blind readers,
// icons that exist and take the theme's colours.
#include <QDirIterator>
#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QtTest>

#include "color_difference.h"
#include "tests/ui/watchdog.h"
#include "ui/theme/icons.h"
#include "ui/theme/numbers.h"
#include "ui/theme/series_style.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {

using test::Vision;

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void differenceIsCiede2000();
    void textsAreReadable_data();
    void textsAreReadable();
    void seriesStayApart();
    void seriesOfAFrameworkStayApart();
    void styleSheetKnowsItsTokens();
    void iconsFollowTheTheme();
    void paletteNamesItsTheme();
    void figuresAreWrittenAsInReports();
    void tipsAreLinesAndNoColumn();
};

namespace {

double smallestDifference(const Theme& theme, Vision vision) {
    double smallest = 1e9;
    // The eighth colour is for any other framework and its marker tells it apart.
    for (std::size_t i = 0; i < theme.series.size(); ++i) {
        for (std::size_t j = i + 1; j < theme.series.size(); ++j) {
            smallest = std::min(smallest, test::difference(theme.series[i], theme.series[j], vision));
        }
    }
    return smallest;
}

constexpr QRect pictureBox(0, 0, 12, 12);

QImage pictured(const Theme& theme, const SeriesStyle& style, bool asBar) {
    QImage picture(pictureBox.size(), QImage::Format_RGB32);
    picture.fill(asBar ? barFill(theme, style) : theme.panel);
    QPainter painter(&picture);
    if (asBar) {
        drawHatch(painter, pictureBox, style);
        if (style.fill != Fill::Full) {  // as in charts
            painter.setPen(style.color);
            painter.drawRect(pictureBox.adjusted(0, 0, -1, -1));
        }
    } else {
        drawMarker(painter, QRectF(pictureBox).center(), style, theme.panel);
    }
    return picture;
}

// Pixels that are clearly of another colour.
int differingPixels(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            count += test::difference(a.pixelColor(x, y), b.pixelColor(x, y)) > 10 ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

void ThemeTest::differenceIsCiede2000() {
    QVERIFY(test::difference(Qt::white, Qt::white) < 1e-9);
    QVERIFY(std::abs(test::difference(Qt::white, Qt::black) - 100.0) < 0.01);
    QVERIFY(std::abs(test::contrast(Qt::white, Qt::black) - 21.0) < 0.01);
    QVERIFY(test::difference("#ff0000", "#00ff00", Vision::Deuteranopia) <
            test::difference("#ff0000", "#00ff00"));
}

void ThemeTest::textsAreReadable_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void ThemeTest::textsAreReadable() {
    QFETCH(bool, dark);
    const Theme& t = dark ? darkTheme() : lightTheme();
    for (const QColor& ground : {t.window, t.page, t.panel, t.header, t.hover, t.press, t.sel, t.field}) {
        QVERIFY2(test::contrast(t.text, ground) >= 9.3, qPrintable(ground.name()));
        QVERIFY2(test::contrast(t.text2, ground) >= 5.6, qPrintable(ground.name()));
        QVERIFY2(test::contrast(t.text3, ground) >= 4.49, qPrintable(ground.name()));
    }
    QVERIFY(test::contrast(t.text, t.mark) >= 4.5);
    QVERIFY(test::contrast(t.tipText, t.tip) >= 4.5);
    QVERIFY(test::contrast(Qt::white, t.accent) >= 4.5);
    QVERIFY(test::contrast(Qt::white, t.accentHover) >= 4.5);
    for (const StateColors& state : {t.ok, t.warn, t.fail, t.info, t.idle}) {
        QVERIFY2(test::contrast(state.text, state.ground) >= 4.5, qPrintable(state.text.name()));
        QVERIFY2(test::contrast(state.text, t.panel) >= 4.5, qPrintable(state.text.name()));
    }
    for (const QColor& line : {t.fieldBorder, t.focus}) {
        QVERIFY2(test::contrast(line, t.panel) >= 3.0, qPrintable(line.name()));
    }
    for (const QColor& series : t.series) {
        QVERIFY2(test::contrast(series, t.panel) >= (dark ? 3.15 : 3.06), qPrintable(series.name()));
    }
}

void ThemeTest::seriesStayApart() {
    struct Row {
        const Theme& theme;
        Vision vision;
        double least;
    };
    for (const Row& row :
         {Row{lightTheme(), Vision::Normal, 20.0}, Row{lightTheme(), Vision::Deuteranopia, 17.2},
          Row{lightTheme(), Vision::Protanopia, 17.6}, Row{lightTheme(), Vision::Tritanopia, 12.4},
          Row{darkTheme(), Vision::Normal, 19.1}, Row{darkTheme(), Vision::Deuteranopia, 18.5},
          Row{darkTheme(), Vision::Protanopia, 18.7}, Row{darkTheme(), Vision::Tritanopia, 9.1}}) {
        const double smallest = smallestDifference(row.theme, row.vision);
        QVERIFY2(smallest >= row.least - 0.06,
                 qPrintable(QStringLiteral("%1 < %2").arg(smallest).arg(row.least)));
    }
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        for (const QColor& color : theme.series) {
            const QColor tint = barFill(theme, {color, Marker::Circle, Fill::Hollow});
            QVERIFY2(test::difference(color, tint) >= (theme.dark ? 16.0 : 20.9), qPrintable(color.name()));
        }
    }
}

void ThemeTest::seriesOfAFrameworkStayApart() {
    constexpr int looks = frameworkLooks;
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        for (const char* framework : {"oneflow", "pytorch", "tensorflow", "mxnet", "paddle", "mindspore"}) {
            for (int i = 0; i < looks; ++i) {
                for (int j = 0; j < i; ++j) {
                    for (const bool asBar : {false, true}) {
                        const int apart =
                            differingPixels(pictured(theme, frameworkStyle(theme, framework, i), asBar),
                                            pictured(theme, frameworkStyle(theme, framework, j), asBar));
                        QVERIFY2(apart >= 4, qPrintable(QStringLiteral("%1: %2 and %3, %4 pixels")
                                                            .arg(QLatin1String(framework))
                                                            .arg(i)
                                                            .arg(j)
                                                            .arg(apart)));
                    }
                }
            }
            QVERIFY(frameworkStyle(theme, framework, 1).fill == Fill::Hollow);
            for (const auto& [one, other] : {std::pair(0, 2), std::pair(0, 4), std::pair(2, 4)}) {
                QVERIFY(test::difference(frameworkStyle(theme, framework, one).color,
                                         frameworkStyle(theme, framework, other).color) >= 10.0);
            }
        }
    }
}

void ThemeTest::styleSheetKnowsItsTokens() {
    QFile sheet(QStringLiteral(":/dlperf/theme/dashboard.qss"));
    QVERIFY(sheet.open(QIODevice::ReadOnly));
    const QString text = withTokens(QString::fromUtf8(sheet.readAll()), darkTheme());
    QVERIFY2(!text.contains(QStringLiteral("{{")), "an unknown token");
    static const QRegularExpression url(QStringLiteral("url\\(([^)]+)\\)"));
    auto matches = url.globalMatch(text);
    QVERIFY(matches.hasNext());
    while (matches.hasNext()) {
        const QString file = matches.next().captured(1);
        QVERIFY2(QFile::exists(file), qPrintable(file));
    }
}

void ThemeTest::iconsFollowTheTheme() {
    QDirIterator icons(QStringLiteral(":/dlperf/icons"));
    int count = 0;
    while (icons.hasNext()) {
        const QString name = QFileInfo(icons.next()).completeBaseName();
        const QImage image = iconPixmap(name, QColor("#ff0000"), 16, 2).toImage();
        QCOMPARE(image.width(), 32);
        int painted = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                painted += pixel.alpha() > 200 ? 1 : 0;
                QVERIFY2(pixel.alpha() < 200 || (pixel.red() > 200 && pixel.green() < 60), qPrintable(name));
            }
        }
        QVERIFY2(painted > 8, qPrintable(name));
        ++count;
    }
    QVERIFY(count >= 20);
    QGuiApplication::setPalette(paletteOf(darkTheme()));
    const QImage dark = icon(QStringLiteral("runs")).pixmap(16).toImage();
    QGuiApplication::setPalette(paletteOf(lightTheme()));
    QVERIFY(icon(QStringLiteral("runs")).pixmap(16).toImage() != dark);
}

void ThemeTest::paletteNamesItsTheme() {
    QVERIFY(themeOf(paletteOf(darkTheme())).dark);
    QVERIFY(!themeOf(paletteOf(lightTheme())).dark);
}

// A German desktop has no say in how figures are written.
void ThemeTest::tipsAreLinesAndNoColumn() {
    QVERIFY(plainTip({}).isEmpty());
    const auto shown = [](const QString& text) {
        QLabel tip(plainTip(text));
        return tip.sizeHint();
    };
    const QSize line = shown(QStringLiteral("Click hides <b>it</b>"));
    QVERIFY(plainTip(QStringLiteral("<b>")).contains(QStringLiteral("&lt;b&gt;")));
    const QSize many = shown(
        QStringLiteral("Click hides dlperf-worker, batch size 64, Ctrl+click shows only it. ").repeated(4));
    QVERIFY2(many.height() > line.height() && many.height() < 9 * line.height(),
             qPrintable(QString::number(many.height())));
    QVERIFY(many.width() > 2 * many.height());
    // What a log says may have no blank at all.
    QVERIFY(plainTip(QString(3000, QLatin1Char('x'))).contains(QStringLiteral("pre-wrap")));
}

void ThemeTest::figuresAreWrittenAsInReports() {
    QCOMPARE(roughly(std::chrono::seconds(25)), QStringLiteral("25 s"));
    QCOMPARE(roughly(std::chrono::seconds(119)), QStringLiteral("119 s"));
    QCOMPARE(roughly(std::chrono::seconds(120)), QStringLiteral("2 min"));
    const QLocale before;
    for (const QLocale& desktop : {QLocale(QLocale::German), QLocale::c(), QLocale(QLocale::Chinese)}) {
        QLocale::setDefault(desktop);
        const QString text = figureText(-12411.97);
        QLocale::setDefault(before);
        QCOMPARE(text, QChar(0x2212) + QStringLiteral("12,411.97"));
    }
    QCOMPARE(percentText(-0.0002), QStringLiteral("0.0\u00A0%"));  // what rounds to zero has no sign
    QCOMPARE(percentText(-0.0006), QStringLiteral("\u22120.1\u00A0%"));
}

DLPERF_UI_TEST(ThemeTest);

}  // namespace dlperf::ui
#include "theme_test.moc"
