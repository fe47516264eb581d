// SPDX-License-Identifier: Apache-2.0
// Each section's main job by keyboard alone, from a fresh window; one visible focus; a name for every button
// that shows only a picture.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QSet>
#include <QTableView>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/watchdog.h"
#include "ui/models/queue_model.h"
#include "ui/models/results_model.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/filter_panel.h"
#include "ui/pages/launch_page.h"
#include "ui/pages/report_page.h"
#include "ui/pages/results_panel.h"
#include "ui/pages/runs_page.h"

namespace dlperf::ui {
class KeyboardTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void cleanup() { made_.reset(); }
    void everyPlaceHasOneFocusThatIsSeen();
    void tabGoesThroughEveryPlaceOnce();
    void picturesHaveNames();
    void fieldsHaveNames();
    void everythingThatTakesTheFocusHasAName();
    void tabFollowsTheEye();
    void clusterIsReached();
    void launchStarts();
    void aRunIsFoundExcludedAndTakenBack();
    void anExclusionIsTakenBackAtOnce();
    void figuresAreFilteredSortedAndCopied();
    void aReportIsTitledAndExported();

private:
    void open(const test::Made& made, Section section);
    void openEveryPage();
    [[nodiscard]] QWidget* focus() const { return QApplication::focusWidget(); }
    // Tab until this has the focus; false when it is never reached.
    template <class Wanted>
    bool tabTo(const Wanted& wanted);
    void forEveryView(const std::function<void(const QString&)>& look);
    [[nodiscard]] std::vector<QWidget*> takesFocus() const;
    [[nodiscard]] static QString nameOf(QWidget& widget);
    [[nodiscard]] static QRect branchOf(QWidget& widget, const QWidget& other);

    std::unique_ptr<test::MadeWindow> made_;
};

void KeyboardTest::open(const test::Made& made, Section section) {
    {
        const test::ApartScope apart(test::Apart::StartUp);
        made_ = test::MadeWindow::open(made, theme_);
    }
    QVERIFY(made_);
    made_->press(static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(section)), Qt::ControlModifier);
    QCOMPARE(made_->window().section(), section);
}

void KeyboardTest::openEveryPage() {
    open({.results = 0, .runs = 20}, Section::Runs);
    for (int i = 0; i < sectionCount; ++i) {
        made_->window().showSection(static_cast<Section>(i));
        QTest::qWait(50);
    }
}

// Every page, with runs and figures; Compare as charts, as a pivot table and as a table.
void KeyboardTest::forEveryView(const std::function<void(const QString&)>& look) {
    open({.results = 20, .runs = 20}, Section::Runs);
    for (int i = 0; i < sectionCount; ++i) {
        const auto section = static_cast<Section>(i);
        made_->window().showSection(section);
        QTest::qWait(100);
        const QStringList modes =
            section == Section::Compare
                ? QStringList{QStringLiteral("Charts"), QStringLiteral("Pivot"), QStringLiteral("Table")}
                : QStringList{QString()};
        for (const QString& mode : modes) {
            if (!mode.isEmpty()) {
                QTest::mouseClick(test::findButton(made_->window(), mode), Qt::LeftButton);
                QTest::qWait(100);
            }
            look(sectionTitle(section) + QLatin1Char(' ') + mode);
        }
    }
}

// What Tab reaches on the page that is shown, in its order.
std::vector<QWidget*> KeyboardTest::takesFocus() const {
    std::vector<QWidget*> stops;
    const auto pages = made_->window().findChildren<Page*>();
    const auto page = std::ranges::find_if(pages, [](const Page* one) { return one->isVisible(); });
    QWidget* const first = *page;
    made_->press(Qt::Key_Tab);  // puts them in order
    for (QWidget* at = first->nextInFocusChain(); at != first; at = at->nextInFocusChain()) {
        if (first->isAncestorOf(at) && at->isVisible() && at->isEnabled() &&
            (at->focusPolicy() & Qt::TabFocus) != 0 && at->focusProxy() == nullptr) {
            stops.push_back(at);
        }
    }
    return stops;
}

// Where the part of the page is that holds the widget and not the other one.
QRect KeyboardTest::branchOf(QWidget& widget, const QWidget& other) {
    QWidget* branch = &widget;
    while (!branch->parentWidget()->isAncestorOf(&other)) {
        branch = branch->parentWidget();
    }
    return branch->geometry();
}

QString KeyboardTest::nameOf(QWidget& widget) {
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&widget);
    return QStringLiteral("\"%1\" (%2)")
        .arg(interface->text(QAccessible::Name), QLatin1String(widget.metaObject()->className()));
}

template <class Wanted>
bool KeyboardTest::tabTo(const Wanted& wanted) {
    constexpr int most = 200;
    for (int i = 0; i < most; ++i) {
        if (focus() != nullptr && wanted(*focus())) {
            return true;
        }
        made_->press(Qt::Key_Tab);
    }
    return false;
}

void KeyboardTest::everyPlaceHasOneFocusThatIsSeen() {
    for (int i = 0; i < 2 * sectionCount; ++i) {  // first with runs, then empty
        open({.results = 0, .runs = i < sectionCount ? 20 : 0}, static_cast<Section>(i % sectionCount));
        const QByteArray title = sectionTitle(static_cast<Section>(i % sectionCount)).toUtf8();
        const char* const name = title.constData();
        QVERIFY2(focus() != nullptr, name);
        QVERIFY2(focus()->isVisible() && focus()->isEnabled(), name);
        QVERIFY2(!focus()->visibleRegion().isEmpty(), name);
        QTest::qWait(50);
        // It looks otherwise than without the focus: a ring, a chosen row.
        QWidget* const widget = focus();
        const QImage with = widget->grab().toImage();
        widget->clearFocus();
        QTest::qWait(20);
        QVERIFY2(widget->grab().toImage() != with, name);
    }
}

// No stop is met twice before all were met, and every stop can be seen.
void KeyboardTest::tabGoesThroughEveryPlaceOnce() {
    for (const Section section : {Section::Runs, Section::Compare, Section::Report}) {
        open({.results = 0, .runs = 20}, section);
        const QByteArray title = sectionTitle(section).toUtf8();
        const char* const name = title.constData();
        QSet<QWidget*> met;
        while (!met.contains(focus())) {
            met << focus();
            QVERIFY2(met.size() < 200, name);
            QVERIFY2(focus()->isVisible(), name);
            made_->press(Qt::Key_Tab);
            QVERIFY2(focus() != nullptr, name);
        }
        for (QWidget* stop : takesFocus()) {
            QVERIFY2(met.contains(stop), qPrintable(nameOf(*stop)));
        }
        QVERIFY2(std::ranges::any_of(
                     met, [](QWidget* one) { return nameOf(*one).contains(QStringLiteral("Workspace")); }),
                 "the menu of workspaces");
        QVERIFY2(met.size() >= 8, qPrintable(QString::fromUtf8(name) + QString::number(met.size())));
        made_->press(Qt::Key_Tab);
        const QWidget* last = focus();
        made_->press(Qt::Key_Tab);
        made_->press(Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY2(focus() == last, name);
    }
}

void KeyboardTest::picturesHaveNames() {
    openEveryPage();
    int pictures = 0;
    for (const QAbstractButton* button : made_->window().findChildren<QAbstractButton*>()) {
        const QString qts = QStringLiteral("qt_");  // a line edit's own
        if (!button->text().isEmpty() || button->icon().isNull() || button->objectName().startsWith(qts) ||
            qobject_cast<const QLineEdit*>(button->parentWidget()) != nullptr) {
            continue;
        }
        ++pictures;
        const QString where = QStringLiteral("%1 in %2")
                                  .arg(QLatin1String(button->metaObject()->className()),
                                       QLatin1String(button->parentWidget()->metaObject()->className()));
        QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(where));
        QVERIFY2(!button->toolTip().isEmpty(),
                 qPrintable(where + QLatin1Char(' ') + button->accessibleName()));
    }
    QVERIFY2(pictures > 3, qPrintable(QString::number(pictures)));
    for (const QAbstractItemView* view : made_->window().findChildren<QAbstractItemView*>()) {
        const bool own = qobject_cast<const QComboBox*>(view->parentWidget()->parentWidget()) == nullptr &&
                         !view->inherits("QHeaderView");
        if (own && view->focusPolicy() != Qt::NoFocus && view->window() == &made_->window()) {
            QVERIFY2(!view->accessibleName().isEmpty(),
                     qPrintable(QLatin1String(view->metaObject()->className()) + QStringLiteral(" in ") +
                                QLatin1String(view->parentWidget()->metaObject()->className())));
        }
    }
}

// On every page and in every way that Compare shows its figures, as the accessibility interface says it.
void KeyboardTest::everythingThatTakesTheFocusHasAName() {
    QStringList nameless;
    forEveryView([&](const QString& view) {
        for (QWidget* widget : takesFocus()) {
            QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
            if (interface == nullptr || interface->text(QAccessible::Name).isEmpty()) {
                nameless << QStringLiteral("%1: %2 in %3")
                                .arg(view, QLatin1String(widget->metaObject()->className()),
                                     QLatin1String(widget->parentWidget()->metaObject()->className()));
            }
        }
    });
    nameless.removeDuplicates();
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

// Tab goes down or to the right; only from the end of a column or of a page it goes up or back.
void KeyboardTest::tabFollowsTheEye() {
    QStringList jumps;
    forEveryView([&](const QString& view) {
        const auto stops = takesFocus();
        for (std::size_t i = 1; i < stops.size(); ++i) {
            if (stops[i - 1]->isAncestorOf(stops[i])) {
                continue;  // a button in a field
            }
            const QRect from = branchOf(*stops[i - 1], *stops[i]);
            const QRect to = branchOf(*stops[i], *stops[i - 1]);
            const bool below = to.center().y() > from.center().y();
            const bool right = to.left() >= from.right();
            if (!below && !right) {
                jumps << QStringLiteral("%1: from %2 to %3")
                             .arg(view, nameOf(*stops[i - 1]), nameOf(*stops[i]));
            }
        }
    });
    QVERIFY2(jumps.isEmpty(), qPrintable(QLatin1Char('\n') + jumps.join(QLatin1Char('\n'))));
}

// As a screen reader says them: by a name of their own or by the label that they belong to.
void KeyboardTest::fieldsHaveNames() {
    openEveryPage();
    QStringList nameless;
    int fields = 0;
    for (QWidget* field : made_->window().findChildren<QWidget*>()) {
        const bool isField = qobject_cast<QLineEdit*>(field) != nullptr ||
                             qobject_cast<QComboBox*>(field) != nullptr ||
                             qobject_cast<QAbstractSpinBox*>(field) != nullptr;
        const QWidget* parent = field->parentWidget();
        const bool isPart = qobject_cast<const QComboBox*>(parent) != nullptr ||
                            qobject_cast<const QAbstractSpinBox*>(parent) != nullptr;
        if (!isField || isPart || field->window() != &made_->window()) {
            continue;
        }
        ++fields;
        const QAccessibleInterface* said = QAccessible::queryAccessibleInterface(field);
        if (said->text(QAccessible::Name).isEmpty() ||
            said->text(QAccessible::Description).contains(QLatin1Char('<'))) {
            nameless << QStringLiteral("%1 in %2 in %3: \"%4\", \"%5\"")
                            .arg(QLatin1String(field->metaObject()->className()),
                                 QLatin1String(parent->metaObject()->className()),
                                 QLatin1String(parent->parentWidget()->metaObject()->className()),
                                 said->text(QAccessible::Name), said->text(QAccessible::Description));
        }
    }
    QVERIFY2(fields > 10, qPrintable(QString::number(fields)));
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

void KeyboardTest::clusterIsReached() {
    open({}, Section::Cluster);
    QVERIFY(focus() != nullptr && made_->window().isAncestorOf(focus()));
    made_->press(Qt::Key_F5);
    QCOMPARE(made_->window().section(), Section::Cluster);
}

void KeyboardTest::launchStarts() {
    open({}, Section::Launch);
    QVERIFY(focus() != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(made_->window().launch().isReady(), longWait);
    // Where the trainer is not built the runner refuses: that it was asked for is what is looked at here.
    Session& session = made_->session();
    const QSignalSpy refused(&session, &Session::runnerRefused);
    made_->press(Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!refused.isEmpty() || test::isRunnerAlive(session), longWait);
    QVERIFY(test::endRunner(session));
}

void KeyboardTest::aRunIsFoundExcludedAndTakenBack() {
    open({.results = 0, .runs = 40}, Section::Runs);
    QVERIFY(tabTo([](const QWidget& widget) { return qobject_cast<const QLineEdit*>(&widget) != nullptr; }));
    made_->type(QStringLiteral("1n1g"));
    const auto* queue = made_->window().runs().findChild<QListView*>();
    QVERIFY(tabTo([&](const QWidget& widget) { return &widget == queue; }));
    made_->press(Qt::Key_End);
    const QModelIndex chosen = queue->currentIndex();
    const std::string id = chosen.data(QueueModel::IdRole).toString().toStdString();
    QCOMPARE(chosen.data(QueueModel::TopologyRole).toString(), QStringLiteral("1n1g"));
    QVERIFY(!made_->session().note(id).excluded);
    made_->press(Qt::Key_Delete);
    QTRY_VERIFY_WITH_TIMEOUT(made_->session().note(id).excluded, longWait);
    made_->type(QStringLiteral("noise"));  // the field for the reason has the focus
    made_->press(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(made_->session().note(id).reason, std::string("noise"), longWait);
    QVERIFY(tabTo([&](const QWidget& widget) { return &widget == queue; }));
    made_->press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!made_->session().note(id).excluded, longWait);
}

// The empty field for the reason has the focus; the palette and the menu know it, too.
void KeyboardTest::anExclusionIsTakenBackAtOnce() {
    open({.results = 0, .runs = 40}, Section::Runs);
    const auto& runs = made_->session().campaigns().back().runs;
    const auto finished = std::ranges::find_if(runs, [](const run::RunState& run) {
        return run.phase == run::RunPhase::Finished && run.outcome == Outcome::Ok;
    });
    QVERIFY(finished != runs.end());
    const std::string id = finished->id;
    made_->window().runs().select(id);
    const auto isExcluded = [&] { return made_->session().note(id).excluded; };
    made_->find(QStringLiteral("exclude"));
    QTRY_VERIFY_WITH_TIMEOUT(isExcluded(), longWait);
    QTRY_COMPARE(focus()->objectName(), QStringLiteral("reason"));
    made_->press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!isExcluded(), longWait);
    made_->find(QStringLiteral("exclude"));
    QTRY_VERIFY_WITH_TIMEOUT(isExcluded(), longWait);
    QTRY_COMPARE(focus()->objectName(), QStringLiteral("reason"));
    made_->type(QStringLiteral("x"));
    made_->press(Qt::Key_Z, Qt::ControlModifier);  // first what was typed
    QVERIFY(isExcluded());
    made_->find(QStringLiteral("undo"));
    QTRY_VERIFY_WITH_TIMEOUT(!isExcluded(), longWait);
}

void KeyboardTest::figuresAreFilteredSortedAndCopied() {
    open({}, Section::Compare);
    ComparePage& page = made_->window().compare();
    const auto* table = page.findChild<ResultsPanel*>()->findChild<QTableView*>();
    QVERIFY(focus() == table);
    QCOMPARE(table->model()->rowCount(), 8);
    made_->press(Qt::Key_A, Qt::ControlModifier);
    made_->press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 8);
    // The chip of a batch size, by its name.
    const auto chip = [](const QString& text) {
        return [text](const QWidget& widget) {
            const auto* button = qobject_cast<const QToolButton*>(&widget);
            return button != nullptr && button->text() == text && button->isCheckable();
        };
    };
    const auto isThere = [&](const QToolButton* button) {
        return button->isVisible() && chip(QStringLiteral("fp32"))(*button);
    };
    QTRY_VERIFY(std::ranges::any_of(page.findChildren<QToolButton*>(), isThere));
    QVERIFY(tabTo(chip(QStringLiteral("fp32"))));
    made_->press(Qt::Key_Space);
    QTRY_VERIFY(
        page.comparison().series.empty());  // Nothing matches; the chip is made anew and keeps the focus
    QTest::qWait(50);
    QVERIFY2(chip(QStringLiteral("fp32"))(*focus()), focus()->metaObject()->className());
    made_->press(Qt::Key_Space);
    QTRY_COMPARE(page.comparison().series.size(), std::size_t{8});
}

void KeyboardTest::aReportIsTitledAndExported() {
    open({}, Section::Report);
    QTRY_VERIFY_WITH_TIMEOUT(made_->window().report().isShown(), longWait);
    QVERIFY(tabTo([](const QWidget& widget) { return qobject_cast<const QLineEdit*>(&widget) != nullptr; }));
    made_->type(QStringLiteral("By keyboard"));
    made_->press(Qt::Key_Return, Qt::ControlModifier);
    const QString file = made_->path(QStringLiteral("w/report/report.html"));
    const auto written = [&file] {
        QFile html(file);
        return html.open(QIODevice::ReadOnly) ? html.readAll() : QByteArray();
    };
    const test::ApartScope apart(test::Apart::PictureExport);
    QTRY_VERIFY_WITH_TIMEOUT(written().contains("By keyboard"), longWait);
}

DLPERF_UI_TEST(KeyboardTest);

}  // namespace dlperf::ui
#include "keyboard_test.moc"
