// SPDX-License-Identifier: Apache-2.0
// What Compare exports is what its table shows: the same rows, the same order, the same figures, after a
// filter and a sort. The files are written through the menu and read with means of the test's own.
#include <QAction>
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QTextDocument>
#include <QTextTable>
#include <QTimer>
#include <QXmlStreamReader>
#include <QtTest>
#include <memory>

#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/models/results_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/results_panel.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {
namespace {

using Rows = QList<QStringList>;

// What a person reads on the page, header first.
bool hasVerdicts(const QAbstractItemModel& model) {
    for (int row = 0; row < model.rowCount(); ++row) {
        if (!model.index(row, ResultsModel::VerdictColumn).data().toString().isEmpty()) {
            return true;
        }
    }
    return false;
}

Rows rowsOf(const QTableView& table) {
    Rows rows;
    const QAbstractItemModel& model = *table.model();
    for (int row = -1; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column) {
            const bool shown = !table.isColumnHidden(column) && column != ResultsModel::SpreadBarColumn;
            // On the screen there is no room for the rank test; files have it.
            if (shown || (column == ResultsModel::VerdictColumn && hasVerdicts(model))) {
                cells << (row < 0 ? model.headerData(column, Qt::Horizontal).toString()
                                  : model.index(row, column).data().toString());
            }
        }
        rows << cells;
    }
    return rows;
}

// "12,411.97", "31.21×", "−8.7 %" as the number that a file holds; nothing for a word.
std::optional<double> numberIn(QString text) {
    text.remove(QLatin1Char(',')).replace(QChar(0x2212), QLatin1Char('-')).remove(QLatin1Char('+'));
    const bool percent = text.endsWith(QLatin1Char('%'));
    text.remove(QLatin1Char('%')).remove(QChar(0x00D7)).remove(QChar(0x00A0));
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok ? std::optional(percent ? value / 100 : value) : std::nullopt;
}

// RFC 4180, as little of it as the file may hold.
Rows parseCsv(const QString& text) {
    Rows rows{{QString()}};
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar character = text[i];
        if (quoted && character == QLatin1Char('"') && i + 1 < text.size() && text[i + 1] == character) {
            rows.back().back() += text[++i];
        } else if (character == QLatin1Char('"')) {
            quoted = !quoted;
        } else if (!quoted && character == QLatin1Char(',')) {
            rows.back() << QString();
        } else if (!quoted && character == QLatin1Char('\n')) {
            rows << QStringList{QString()};
        } else if (quoted || character != QLatin1Char('\r')) {
            rows.back().back() += character;
        }
    }
    rows.removeLast();  // after the last line's end
    return rows;
}

Rows parseHtml(const QString& text) {
    QTextDocument document;
    document.setHtml(text);
    QTextTable* table = nullptr;
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        table = table == nullptr ? qobject_cast<QTextTable*>(frame) : table;
    }
    Rows rows;
    for (int row = 0; table != nullptr && row < table->rows(); ++row) {
        QStringList cells;
        for (int column = 0; column < table->columns(); ++column) {
            cells << table->cellAt(row, column).firstCursorPosition().block().text();
        }
        rows << cells;
    }
    return rows;
}

QByteArray fromZip(const QString& file, const QString& entry) {
    QProcess unzip;
    unzip.start(QStringLiteral("unzip"), {QStringLiteral("-p"), file, entry});
    return unzip.waitForFinished() ? unzip.readAllStandardOutput() : QByteArray();
}

QStringList sharedTexts(const QString& file) {
    QXmlStreamReader xml(fromZip(file, QStringLiteral("xl/sharedStrings.xml")));
    QStringList texts;
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("t")) {
            texts << xml.readElementText();
        }
    }
    return texts;
}

Rows parseSpreadsheet(const QString& file) {
    const QStringList texts = sharedTexts(file);
    QXmlStreamReader xml(fromZip(file, QStringLiteral("xl/worksheets/sheet1.xml")));
    Rows rows;
    bool isText = false;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("row")) {
            rows << QStringList();
        } else if (xml.name() == QLatin1String("c")) {
            isText = xml.attributes().value(QLatin1String("t")) == QLatin1String("s");
            // An empty cell is left out or has no value: its column says where the next one stands.
            const int column = xml.attributes().value(QLatin1String("r")).at(0).toLatin1() - 'A';
            while (rows.back().size() <= column) {
                rows.back() << QString();
            }
        } else if (xml.name() == QLatin1String("v")) {
            const QString value = xml.readElementText();
            rows.back().back() = isText ? texts.value(value.toInt()) : value;
        }
    }
    return rows;
}

// Figures as numbers within what is shown of them, everything else word for word.
void compare(const Rows& file, const Rows& page, bool emptyIsMissing) {
    QCOMPARE(file.size(), page.size());
    QCOMPARE(file.front(), page.front());
    for (qsizetype row = 1; row < page.size(); ++row) {
        for (qsizetype column = 0; column < page[row].size(); ++column) {
            const QString shown = page[row][column];
            const QString written = file[row].value(column);
            const QString where = QStringLiteral("row %1, %2: \"%3\" and \"%4\"")
                                      .arg(row)
                                      .arg(page.front()[column], shown, written);
            const auto figure = numberIn(shown);
            const auto other = numberIn(written);
            if (figure && other && shown != written) {
                // Half of the last digit that is shown.
                const double most = shown.endsWith(QLatin1Char('%')) ? 0.000501 : 0.00501;
                QVERIFY2(std::abs(*figure - *other) <= most, qPrintable(where));
            } else if (written.isEmpty() && emptyIsMissing) {
                QVERIFY2(shown == QStringLiteral("–") || shown.isEmpty(), qPrintable(where));
            } else if (other && !figure) {
                // "fastest" and "baseline" stand for no difference.
                QVERIFY2(*other == 0, qPrintable(where));
            } else {
                QCOMPARE(written, shown);
            }
        }
    }
}

}  // namespace

class ExportsTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { made_.reset(); }
    void readersFindDifferences();
    void filesHoldWhatIsShown_data();
    void filesHoldWhatIsShown();
    void aWrittenFileIsNamedAndTheNextProposedBesideIt();
    void whereNoTableIsShownItsFileHasWhatIsChosenNow();

private:
    // Export -> the entry, as a person would; the dialog is answered with this file.
    void exportTo(const QString& entry, const QString& file);

    QString proposed_;  // by the last dialog

    std::unique_ptr<test::MadeWindow> made_;
};

void ExportsTest::initTestCase() {
    const test::ApartScope apart(test::Apart::StartUp);
    made_ = test::MadeWindow::open({.results = 2000, .runs = 0}, theme_);
    QVERIFY(made_);
}

// The parsers above are code too.
void ExportsTest::readersFindDifferences() {
    QCOMPARE(parseCsv(QStringLiteral("a,\"b \"\"c\"\"\"\r\n1,\r\n")), (Rows{{"a", "b \"c\""}, {"1", ""}}));
    QCOMPARE(parseHtml(QStringLiteral("<table><tr><th>a</th></tr><tr><td>1,5</td></tr></table>")),
             (Rows{{"a"}, {"1,5"}}));
    QCOMPARE(numberIn(QStringLiteral("−8.5\u00A0%")), std::optional(-0.085));
    QCOMPARE(numberIn(QStringLiteral("12,411.97")), std::optional(12411.97));
    QVERIFY(!numberIn(QStringLiteral("fastest")));
}

void ExportsTest::exportTo(const QString& entry, const QString& file) {
    QAction* chosen = nullptr;
    for (QAction* action : made_->window().compare().findChildren<QAction*>()) {
        chosen = action->text() == entry ? action : chosen;
    }
    QVERIFY2(chosen != nullptr, qPrintable(entry));
    QTimer::singleShot(0, qApp, [this, &file] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        proposed_ = dialog->selectedFiles().value(0);
        dialog->selectFile(file);
        QMetaObject::invokeMethod(dialog, "accept");
    });
    chosen->trigger();
    QTRY_VERIFY(QFile::exists(file));
}

void ExportsTest::filesHoldWhatIsShown_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("order");
    QTest::newRow("by series") << int(ResultsModel::SeriesColumn) << int(Qt::DescendingOrder);
    QTest::newRow("by median") << int(ResultsModel::MedianColumn) << int(Qt::AscendingOrder);
    QTest::newRow("by spread") << int(ResultsModel::SpreadColumn) << int(Qt::DescendingOrder);
}

void ExportsTest::filesHoldWhatIsShown() {
    QFETCH(int, column);
    QFETCH(int, order);
    ComparePage& page = made_->window().compare();
    auto* filters = page.findChild<FilterPanel*>();
    auto* table = page.findChild<ResultsPanel*>()->findChild<QTableView*>();
    QTRY_VERIFY(table->model()->rowCount() > 0);  // the results have been read
    const int before = table->model()->rowCount();
    emit filters->sourceToggled(report::Source::ReportV1,
                                true);  // own ones with spread, published ones without
    emit filters->edited([](report::ResultFilter& filter) {
        filter.hiddenTopologies.insert(Topology{64, 8});
    });
    QTRY_VERIFY(table->model()->rowCount() > before);
    table->sortByColumn(column, static_cast<Qt::SortOrder>(order));
    const Rows shown = rowsOf(*table);
    QVERIFY2(shown.size() > 5, qPrintable(QString::number(shown.size())));

    const QString name = made_->path(QStringLiteral("table-%1-%2.").arg(column).arg(order));
    exportTo(QStringLiteral("Table as CSV …"), name + QStringLiteral("csv"));
    exportTo(QStringLiteral("Table as HTML …"), name + QStringLiteral("html"));
    exportTo(QStringLiteral("Table as spreadsheet …"), name + QStringLiteral("xlsx"));
    const auto contents = [&](const char* ending) {
        QFile file(name + QLatin1String(ending));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    compare(parseCsv(contents("csv")), shown, true);
    compare(parseHtml(contents("html")), shown, false);
    compare(parseSpreadsheet(name + QStringLiteral("xlsx")), shown, true);
    exportTo(QStringLiteral("All figures as CSV …"), name + QStringLiteral("all.csv"));
    const Rows all = parseCsv(contents("all.csv"));
    QVERIFY(all.size() > shown.size());  // not of one topology only
    QVERIFY(all.front().contains(QStringLiteral("topology")));
    emit filters->cleared();
    QTRY_COMPARE(table->model()->rowCount(), before);
}

void ExportsTest::aWrittenFileIsNamedAndTheNextProposedBesideIt() {
    const QString file = made_->path(QStringLiteral("chart.svg"));
    exportTo(QStringLiteral("Left chart …"), file);
    const auto saysSo = [&](const QString& name) {
        const auto banners = made_->window().compare().findChildren<Banner*>();
        return std::ranges::any_of(
            banners, [&](const Banner* banner) { return test::findWords(*banner, name) != nullptr; });
    };
    QTRY_VERIFY(saysSo(file));
    exportTo(QStringLiteral("Right chart …"), made_->path(QStringLiteral("other.pdf")));
    QCOMPARE(QFileInfo(proposed_).path(), QFileInfo(file).path());
    QVERIFY2(proposed_.endsWith(QStringLiteral(".svg")), qPrintable(proposed_));
    test::findButton(made_->window().compare(), QStringLiteral("Pivot"))->click();
    exportTo(QStringLiteral("Table as CSV …"), made_->path(QStringLiteral("cells.csv")));
    QTRY_VERIFY(saysSo(made_->path(QStringLiteral("cells.csv"))));
    test::findButton(made_->window().compare(), QStringLiteral("Charts"))->click();
}

void ExportsTest::whereNoTableIsShownItsFileHasWhatIsChosenNow() {
    ComparePage& page = made_->window().compare();
    auto* filters = page.findChild<FilterPanel*>();
    const auto* table = page.findChild<ResultsPanel*>()->findChild<QTableView*>();
    const auto before = table->model()->rowCount();
    test::findButton(page, QStringLiteral("Where it goes"))->click();
    emit filters->sourceToggled(report::Source::ReportV1, true);
    const QString file = made_->path(QStringLiteral("chosen-now.csv"));
    exportTo(QStringLiteral("Table as CSV …"), file);
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const auto rows = static_cast<int>(parseCsv(QString::fromUtf8(written.readAll())).size());
    QVERIFY2(rows > before + 1, qPrintable(QString::number(rows)));  // and a line of titles
    test::findButton(page, QStringLiteral("Charts"))->click();
    emit filters->cleared();
}

DLPERF_UI_TEST(ExportsTest);

}  // namespace dlperf::ui
#include "exports_test.moc"
