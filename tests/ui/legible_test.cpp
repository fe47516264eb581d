// SPDX-License-Identifier: Apache-2.0
// Every text has the room that it needs, and none lies over another: on each place, at font sizes up to
// 150 %, in the smallest window and, as runs of their own, at a scale of 200 % and in Chinese
// (DLPERF_TEST_LANGUAGE).
#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextLayout>
#include <QToolButton>
#include <QTranslator>
#include <QtTest>
#include <algorithm>

#include "core/import/import_logs.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/pages/before_after_panel.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/measurement_range_dialog.h"
#include "ui/shell/import_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_memory.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/page.h"

namespace dlperf::ui {
namespace {

bool isGivingWay(const QWidget& widget) {
    return qobject_cast<const ElidedLabel*>(&widget) != nullptr;
}

QString textOf(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        return label->text();
    }
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const auto* tool = qobject_cast<const QToolButton*>(button);
    const bool iconOnly =
        tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
    return button == nullptr || iconOnly ? QString() : button->text();
}

QList<QWidget*> textWidgets(const QWidget& page) {
    QList<QWidget*> found;
    for (QWidget* widget : page.findChildren<QWidget*>()) {
        if (widget->isVisible() && !textOf(*widget).isEmpty()) {
            found << widget;
        }
    }
    return found;
}

QString nameOf(const QWidget& widget) {
    return QStringLiteral("%1 \"%2\" %3x%4 (needs %5x%6)")
        .arg(QLatin1String(widget.metaObject()->className()), textOf(widget).left(60))
        .arg(widget.width())
        .arg(widget.height())
        .arg(widget.sizeHint().width())
        .arg(widget.sizeHint().height());
}

// Icon and text side by side; what the style adds to a tool button for its look is no text.
int neededWidth(const QWidget& widget) {
    const auto* tool = qobject_cast<const QToolButton*>(&widget);
    if (tool == nullptr) {
        return widget.sizeHint().width();
    }
    const int icon = tool->icon().isNull() ? 0 : tool->iconSize().width() + 4;
    return icon + tool->fontMetrics().horizontalAdvance(tool->text()) + 4;
}

// What a widget may lose of its height before the ink of its line is cut: the lines of a Chinese font are
// half as high again as its characters. Of other texts a pixel.
int airOf(const QWidget& widget) {
    const QString text = textOf(widget);
    if (std::ranges::none_of(text, [](QChar c) { return c.script() == QChar::Script_Han; })) {
        return 1;
    }
    QTextLayout layout(text, widget.font());
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    return static_cast<int>(line.height()) - widget.fontMetrics().tightBoundingRect(text).height();
}

// Not the whole text can be seen in the widget.
bool isClipped(const QWidget& widget) {
    if (isGivingWay(widget)) {
        return widget.height() < widget.minimumSizeHint().height();
    }
    const auto* label = qobject_cast<const QLabel*>(&widget);
    if (label != nullptr && label->wordWrap()) {
        return widget.height() < widget.heightForWidth(widget.width());
    }
    // A focus ring may take a pixel of the padding.
    return widget.width() + 1 < neededWidth(widget) ||
           widget.height() + airOf(widget) < widget.sizeHint().height();
}

// A parent that does not scroll cuts a part of it off.
bool isCutOff(const QWidget& widget) {
    QRect place = widget.rect();
    const QWidget* child = &widget;
    for (const QWidget* parent = child->parentWidget(); parent != nullptr && !child->isWindow();
         child = parent, parent = parent->parentWidget()) {
        if (qobject_cast<const QAbstractScrollArea*>(parent->parentWidget()) != nullptr) {
            return false;
        }
        place.translate(child->pos());
        if (!parent->rect().contains(place)) {
            return true;
        }
    }
    return false;
}

QStringList faultsOf(const QWidget& page) {
    const QList<QWidget*> widgets = textWidgets(page);
    QStringList faults;
    for (const QWidget* widget : widgets) {
        if (isClipped(*widget)) {
            faults << QStringLiteral("clipped: ") + nameOf(*widget);
        }
        if (isCutOff(*widget)) {
            faults << QStringLiteral("cut off: ") + nameOf(*widget);
        }
    }
    for (qsizetype i = 0; i < widgets.size(); ++i) {
        for (qsizetype j = i + 1; j < widgets.size(); ++j) {
            const QRegion both = widgets[i]->visibleRegion().translated(widgets[i]->mapTo(&page, QPoint())) &
                                 widgets[j]->visibleRegion().translated(widgets[j]->mapTo(&page, QPoint()));
            if (!widgets[i]->isAncestorOf(widgets[j]) && !widgets[j]->isAncestorOf(widgets[i]) &&
                !both.isEmpty()) {
                faults << QStringLiteral("overlap: ") + nameOf(*widgets[i]) + QStringLiteral(" and ") +
                              nameOf(*widgets[j]);
            }
        }
    }
    return faults;
}

}  // namespace

class LegibleTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();
    void faultsAreFound();
    void everyTextHasItsRoom_data();
    void everyTextHasItsRoom();
    void beforeAndAfterHasItsRoom_data();
    void beforeAndAfterHasItsRoom();
    void laptopsScrollDownOnly_data();
    void laptopsScrollDownOnly();
    void drawersOpenAndClose();
    void dialogsHaveTheirRoom_data();
    void dialogsHaveTheirRoom();

private:
    void openAndClose(QToolButton& button);

    QTranslator chinese_;
    std::unique_ptr<test::MadeWindow> made_;
};

void LegibleTest::initTestCase() {
    if (qEnvironmentVariable("DLPERF_TEST_LANGUAGE") == QLatin1String("zh_CN")) {
        QVERIFY(chinese_.load(chineseTexts()));
        QCoreApplication::installTranslator(&chinese_);
        QVERIFY(MainWindow::tr("&Quit") != QLatin1String("&Quit"));
    }
}

void LegibleTest::cleanup() {
    made_.reset();
    setFontPercent(100);
}

void LegibleTest::faultsAreFound() {
    QWidget page;
    page.resize(200, 100);
    auto* narrow = new QLabel(QStringLiteral("A text that is longer than its label"), &page);
    narrow->setGeometry(0, 0, 30, 40);
    auto* over = new QPushButton(QStringLiteral("over it"), &page);
    over->setGeometry(10, 0, 120, 60);
    auto* outside = new QLabel(QStringLiteral("out"), &page);
    outside->setGeometry(190, 60, 100, 40);
    page.show();
    const QStringList faults = faultsOf(page);
    QCOMPARE(faults.filter(QStringLiteral("clipped")).size(), 1);
    QCOMPARE(faults.filter(QStringLiteral("overlap")).size(), 1);
    QCOMPARE(faults.filter(QStringLiteral("cut off")).size(), 1);
}

void LegibleTest::everyTextHasItsRoom_data() {
    QTest::addColumn<int>("runs");
    QTest::addColumn<int>("percent");
    QTest::addColumn<QSize>("size");
    QTest::newRow("empty") << 0 << 100 << QSize(1440, 900);
    QTest::newRow("empty, 150 %") << 0 << 150 << QSize(1440, 900);
    QTest::newRow("empty, small") << 0 << 100 << QSize(720, 450);
    QTest::newRow("empty, laptop") << 0 << 100 << QSize(1024, 700);
    QTest::newRow("1,000 runs") << 1000 << 100 << QSize(1440, 900);
    QTest::newRow("1,000 runs, 150 %") << 1000 << 150 << QSize(1440, 900);
    QTest::newRow("1,000 runs, small") << 1000 << 100 << QSize(720, 450);
    QTest::newRow("1,000 runs, laptop") << 1000 << 100 << QSize(1024, 700);
}

void LegibleTest::everyTextHasItsRoom() {
    QFETCH(int, runs);
    QFETCH(int, percent);
    QFETCH(QSize, size);
    const test::ApartScope apart(test::Apart::StartUp);
    setFontPercent(percent);
    theme_.start(ThemeChoice::Light);
    made_ = test::MadeWindow::open({.results = 0, .runs = runs}, theme_);
    QVERIFY(made_);
    made_->window().resize(size);
    QStringList faults;
    for (const Section place :
         {Section::Cluster, Section::Launch, Section::Runs, Section::Compare, Section::Report}) {
        made_->window().showSection(place);
        // A text that just came gets its room in the next layout.
        QStringList seen;
        for (int tries = 0; tries < 20; ++tries) {
            QTest::qWait(300);
            seen = faultsOf(made_->window());
            if (seen.isEmpty()) {
                break;
            }
        }
        for (const QString& fault : seen) {
            faults << sectionTitle(place) + QStringLiteral(": ") + fault;
        }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
}

void LegibleTest::beforeAndAfterHasItsRoom_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1440, 900);
    QTest::newRow("laptop at 150 %") << QSize(960, 600);
    QTest::newRow("small") << QSize(720, 450);
}

void LegibleTest::beforeAndAfterHasItsRoom() {
    QFETCH(QSize, size);
    const test::ApartScope apart(test::Apart::StartUp);
    theme_.start(ThemeChoice::Light);
    made_ = test::MadeWindow::open({.nights = true}, theme_);
    QVERIFY(made_);
    MainWindow& window = made_->window();
    window.resize(size);
    window.showSection(Section::Compare);
    QTRY_COMPARE(made_->session().campaigns().size(), std::size_t{2});
    auto* page = window.findChild<ComparePage*>();
    page->showBeforeAfter(made_->session().campaigns()[0].id, made_->session().campaigns()[1].id);
    const auto* cases = page->findChild<BeforeAfterPanel*>()->findChild<QTableView*>();
    QTRY_COMPARE(cases->model()->rowCount(), 8);
    QTest::qWait(300);
    const QStringList faults = faultsOf(window);
    QVERIFY2(faults.isEmpty(), qPrintable(QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
    const auto* room = page->findChild<QScrollArea*>({}, Qt::FindDirectChildrenOnly);
    QCOMPARE(room->horizontalScrollBar()->maximum(), 0);
    if (size.width() >= 960) {
        QCOMPARE(cases->horizontalScrollBar()->maximum(), 0);  // of figures none is to be scrolled to
    }
    test::keepPicture(window, QStringLiteral("before-after-%1").arg(size.width()));
}

void LegibleTest::laptopsScrollDownOnly_data() {
    QTest::addColumn<int>("runs");
    QTest::addColumn<QSize>("size");
    QTest::newRow("1024x700") << 0 << QSize(1024, 700);
    QTest::newRow("1280x720") << 60 << QSize(1280, 720);
    QTest::newRow("1440x900 at 150 %, empty") << 0 << QSize(960, 600);
    QTest::newRow("1440x900 at 150 %") << 60 << QSize(960, 600);
}

// What lies beside the window is not found; what lies below it is.
void LegibleTest::laptopsScrollDownOnly() {
    QFETCH(int, runs);
    QFETCH(QSize, size);
    const test::ApartScope apart(test::Apart::StartUp);
    theme_.start(ThemeChoice::Light);
    made_ = test::MadeWindow::open({.results = 0, .runs = runs}, theme_);
    QVERIFY(made_);
    made_->window().resize(size);
    for (const Section place :
         {Section::Cluster, Section::Launch, Section::Runs, Section::Compare, Section::Report}) {
        made_->window().showSection(place);
        const auto pages = made_->window().findChildren<Page*>();
        const auto shown = std::ranges::find_if(pages, [](const Page* page) { return page->isVisible(); });
        QVERIFY(shown != pages.end());
        const auto* room = (*shown)->findChild<QScrollArea*>({}, Qt::FindDirectChildrenOnly);
        QVERIFY(room != nullptr);
        QTRY_VERIFY2(room->horizontalScrollBar()->maximum() == 0, qPrintable(sectionTitle(place)));
        QTRY_VERIFY2(room->widget()->height() >= room->widget()->minimumSizeHint().height(),
                     qPrintable(sectionTitle(place)));
    }
}

void LegibleTest::openAndClose(QToolButton& button) {
    MainWindow& window = made_->window();
    const QByteArray words = button.accessibleName().toUtf8();
    const char* name = words.constData();
    const auto drawer = [&window] {
        return test::findPart<QScrollArea>(window, [](const QScrollArea& one) {
            return one.property("kind").toString() == QLatin1String("drawer");
        });
    };
    QVERIFY2(drawer() == nullptr, name);
    QTest::mouseClick(&button, Qt::LeftButton);
    QScrollArea* opened = drawer();
    QVERIFY2(opened != nullptr, name);
    QTest::qWait(300);
    QVERIFY2(opened->isAncestorOf(window.focusWidget()), name);
    const QStringList faults = faultsOf(*opened);
    QVERIFY2(faults.isEmpty(),
             qPrintable(button.accessibleName() + QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
    const QWidget* panel = opened->widget();
    QTest::keyClick(window.focusWidget(), Qt::Key_Escape);
    QVERIFY2(drawer() == nullptr && window.focusWidget() == &button, name);
    QTest::mouseClick(&button, Qt::LeftButton);
    QVERIFY2(drawer() == opened, name);
    const QWidget& page = *opened->parentWidget();
    const QPoint beside(opened->x() > 0 ? 20 : page.width() - 20, page.height() - 20);
    QTest::mouseClick(page.childAt(beside), Qt::LeftButton);
    QVERIFY2(drawer() == nullptr, name);
    window.resize(1440, 900);
    QTRY_VERIFY2(panel->isVisible() && !button.isVisible(), name);
    window.resize(960, 600);
    QTRY_VERIFY2(!panel->isVisible() && button.isVisible(), name);
}

void LegibleTest::drawersOpenAndClose() {
    const test::ApartScope apart(test::Apart::StartUp);
    theme_.start(ThemeChoice::Light);
    made_ = test::MadeWindow::open({.results = 0, .runs = 60}, theme_);
    QVERIFY(made_);
    MainWindow& window = made_->window();
    window.resize(960, 600);
    QVERIFY(QTest::qWaitForWindowActive(&window));
    const std::pair<Section, int> drawers[] = {
        {Section::Runs, 1}, {Section::Compare, 1}, {Section::Report, 2}};
    for (const auto& [section, count] : drawers) {
        window.showSection(section);
        QList<QToolButton*> buttons;
        for (auto* button : window.findChildren<QToolButton*>(QStringLiteral("drawer"))) {
            if (button->isVisible()) {
                buttons << button;
            }
        }
        QCOMPARE(buttons.size(), qsizetype{count});
        for (QToolButton* button : buttons) {
            QVERIFY(!button->accessibleName().isEmpty());
            openAndClose(*button);
        }
    }
}

void LegibleTest::dialogsHaveTheirRoom_data() {
    QTest::addColumn<int>("percent");
    QTest::addColumn<QSize>("size");
    QTest::newRow("100 %") << 100 << QSize(1320, 620);
    QTest::newRow("100 %, small") << 100 << QSize(720, 450);
    QTest::newRow("150 %") << 150 << QSize(1320, 620);
}

// Those that stand above a page; a laptop at 200 % is 720 px wide.
void LegibleTest::dialogsHaveTheirRoom() {
    QFETCH(int, percent);
    QFETCH(QSize, size);
    const test::ApartScope apart(test::Apart::StartUp);
    setFontPercent(percent);
    theme_.start(ThemeChoice::Light);
    made_ = test::MadeWindow::open({.results = 0, .runs = 100}, theme_);
    QVERIFY(made_);
    Session& session = made_->session();
    const std::filesystem::path log = session.workspace().root() / session.own().front().folder / "node0.log";
    const auto folder = std::filesystem::path(made_->path(QStringLiteral("theirs")).toStdString());
    QVERIFY(std::filesystem::create_directories(folder / "4n8g"));
    std::filesystem::copy_file(log, folder / "4n8g" / "r50_b128_fp32_1.log");
    auto plan = imports::planImport(folder, session.workspace(), session.vocabulary(), {});
    QVERIFY(plan);
    ImportDialog import(std::make_shared<imports::ImportPlan>(*std::move(plan)), session.vocabulary(),
                        nullptr);
    const RunResult& run = session.own().front();
    MeasurementRangeDialog window(session.workspace(), session.vocabulary(), session.formats(), {run},
                                  nullptr);
    for (QDialog* dialog : {static_cast<QDialog*>(&import), static_cast<QDialog*>(&window)}) {
        dialog->resize(size);
        dialog->show();
        QTest::qWait(300);
        QCOMPARE(dialog->size(), size);  // else it needs more
        const QStringList faults = faultsOf(*dialog);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
        test::keepPicture(*dialog,
                          dialog->windowTitle() + QStringLiteral("%1-%2").arg(percent).arg(size.width()));
    }
}

DLPERF_UI_TEST(LegibleTest);

}  // namespace dlperf::ui
#include "legible_test.moc"
