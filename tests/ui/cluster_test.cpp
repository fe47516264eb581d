// SPDX-License-Identifier: Apache-2.0
// Cluster with real nodes of this machine: checks, the list and its file, what comes from outside; and the
// grid of a recorded machine.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "core/base/file.h"
#include "core/cluster/host_lists.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/models/nodes_model.h"
#include "ui/pages/checks_panel.h"
#include "ui/pages/cluster_page.h"
#include "ui/pages/node_details.h"
#include "ui/pages/node_form.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

class ClusterTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void thisMachineIsChecked();
    void aFailedCheckHasARemedyToCopy();
    void severalNodesAreCheckedTogether();
    void aHostFileIsOffered();
    void theListIsExportedAndReadBack();
    void detailsSayHowANodeIsReached();
    void aNodeIsAskedForItsHost();
    void aNodeIsAddedEditedAndRemoved();
    void aNodeHasAMenu();
    void theNodesFitALaptop();
    void refusesBadSettingsWhileTyping();
    void aListFromOutsideIsAskedAbout();
    void aWorkspaceFromElsewhereRunsNothingUnasked();
    void noChangeAcceptsAForeignList();
    void variablesThatRunCodeAreAskedAbout();
    void theQuestionShowsEveryCommand();
    void typedSettingsAreKept();
    void typedSettingsOutlastTheWindow();
    void whatWasTypedStaysOutOfAnotherList();
    void anUnreadableListIsKept();
    void twoWindowsOverAListLoseNoChange();
    void theGridIsWalkedByArrows();

private:
    void writeList(const QByteArray& nodes) const;
    void open();
    void addNode(const QString& host = {}) const;
    [[nodiscard]] QAbstractButton* button(const QString& text) const {
        return test::findButton(*page_, text);
    }
    [[nodiscard]] QLineEdit* field(const QString& name) const {
        return test::findNamed<QLineEdit>(*page_, name);
    }
    [[nodiscard]] cluster::Cluster onDisk() const;

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<ClusterPage> page_;
};

void ClusterTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
}

void ClusterTest::cleanup() {
    page_.reset();
    session_.reset();
}

void ClusterTest::writeList(const QByteArray& nodes) const {
    QVERIFY(QDir(folder_->path()).mkpath(QStringLiteral("w")));
    QVERIFY(writeFileAtomically(folder_->filePath(QStringLiteral("w/cluster.json")).toStdString(),
                                R"({"name": "lab", "nodes": [)" + nodes.toStdString() + "]}"));
}

void ClusterTest::open() {
    session_ = test::openSession(*folder_);
    page_ = std::make_unique<ClusterPage>(*session_);
    session_->start();
    page_->resize(1200, 800);
    page_->show();
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), 60'000);
}

cluster::Cluster ClusterTest::onDisk() const {
    return cluster::readCluster(folder_->filePath(QStringLiteral("w/cluster.json")).toStdString())
        .value_or(cluster::Cluster{});
}

void ClusterTest::thisMachineIsChecked() {
    open();
    const auto* table = page_->findChild<QTableView*>(QStringLiteral("nodes"));
    QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(table->model()->rowCount(), 1);
    QVERIFY(!page_->findChildren<CheckRow*>().empty());
    QCOMPARE(session_->nodes().entries().size(), std::size_t{1});
    QVERIFY(ClusterPage::summaryOf(session_->nodes()).startsWith(QStringLiteral("this machine, ")));
    QSignalSpy changed(&session_->nodes(), &NodeList::entryChanged);
    page_->primaryAction();
    QTRY_VERIFY_WITH_TIMEOUT(changed.size() >= 2 && session_->nodes().isChecked(), 60'000);
    QVERIFY(!QFile::exists(folder_->filePath(QStringLiteral("w/cluster.json"))));  // nothing was changed
}

void ClusterTest::aFailedCheckHasARemedyToCopy() {
    writeList(R"({"name": "a", "local": true, "setup": "echo no such environment; false"})");
    open();
    button(QStringLiteral("Use these nodes"))->click();
    QTRY_COMPARE(ClusterPage::failedNodes(session_->nodes()), 1);
    // The rows follow the nodes' states by an event.
    QPushButton* copy = nullptr;
    QTRY_VERIFY((copy = test::findNamed<QPushButton>(*page_, QStringLiteral("Copy the remedy of Setup"))) !=
                nullptr);
    copy->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("echo no such environment; false"));
    auto* row = qobject_cast<CheckRow*>(copy->parentWidget()->parentWidget());
    QVERIFY(row != nullptr && copy->isVisible());
    QTest::keyClick(row, Qt::Key_Space);
    QVERIFY(!copy->isVisible());
    QTest::keyClick(row, Qt::Key_Return);
    QVERIFY(copy->isVisible());
}

void ClusterTest::severalNodesAreCheckedTogether() {
    writeList(
        R"({"name": "a", "local": true, "data_dir": "/usr"}, {"name": "b", "local": true, "data_dir": "/etc"})");
    open();
    const auto& between = session_->nodes().between();
    const auto has = [&](const std::string& title) {
        return std::ranges::find(between, title, &cluster::Check::title) != between.end();
    };
    QVERIFY(has("Connections") && has("Data set"));
    QVERIFY(test::findWords(*page_, QStringLiteral("Between the nodes")) != nullptr);
    const auto own = session_->nodes().entries().front().checks.size();
    QCOMPARE(static_cast<std::size_t>(page_->findChildren<CheckRow*>().size()), own + between.size());
    button(QStringLiteral("All"))->click();
    const auto names = [&] {
        QStringList found;
        for (const CheckRow* row : page_->findChildren<CheckRow*>()) {
            found << row->accessibleName();
        }
        return found;
    };
    QTRY_VERIFY(names().contains(QStringLiteral("Data folder: passed, b: /etc")));
    QVERIFY(names().contains(QStringLiteral("Data folder: passed, a: /usr")));
    QCOMPARE(static_cast<std::size_t>(names().size()), own + 1 + between.size());  // the rest is alike
    button(QStringLiteral("Node"))->click();
    QTRY_COMPARE(static_cast<std::size_t>(names().size()), own + between.size());
}

void ClusterTest::aHostFileIsOffered() {
    open();
    const auto file = folder_->filePath(QStringLiteral("hosts")).toStdString();
    QVERIFY(writeFileAtomically(file, "gpu-01 slots=8\ngpu-02 slots=8\n"));
    page_->openHostfile(file);
    QTRY_VERIFY(button(QStringLiteral("Use these nodes")) != nullptr);
    QCOMPARE(session_->nodes().entries().size(), std::size_t{1});
    QVERIFY(writeFileAtomically(file, "gpu-01 slots=none\n"));
    page_->openHostfile(file);
    QTRY_VERIFY(button(QStringLiteral("Use these nodes")) == nullptr);
    QVERIFY(page_->findChild<Banner*>()->isVisible());
}

void ClusterTest::theListIsExportedAndReadBack() {
    writeList(R"({"name": "a", "local": true, "devices": 3, "env": {"A": "b c"}})");
    open();
    const std::filesystem::path folder = folder_->path().toStdString();
    page_->exportCluster(folder / "out.json");
    page_->exportHostfile(folder / "hosts");
    const auto* banner = page_->findChild<Banner*>();
    QTRY_VERIFY(banner->isVisible() && QFile::exists(folder_->filePath(QStringLiteral("hosts"))));
    QCOMPARE(toJson(*cluster::readCluster(folder / "out.json")), toJson(session_->nodes().written()));
    const auto hosts = cluster::clusterFromHostfile(*readFile(folder / "hosts"), "hosts");
    QVERIFY(hosts);
    QCOMPARE(hosts->nodes.front().host, std::string("localhost"));
    QCOMPARE(hosts->nodes.front().devices, std::optional(3));
    page_->exportCluster(folder / "no such folder" / "out.json");
    QTRY_VERIFY(banner->isVisible() && banner->property("state").toString() == QLatin1String("fail"));
}

void ClusterTest::detailsSayHowANodeIsReached() {
    NodeEntry entry;
    const auto said = [&](const QString& what) {
        for (const auto& [name, value] : connectionFacts(entry)) {
            if (name == what) {
                return value;
            }
        }
        return QString();
    };
    entry.node.local = true;
    QCOMPARE(said(QStringLiteral("Connection")), QStringLiteral("not checked yet"));
    QCOMPARE(said(QStringLiteral("Reached")), QStringLiteral("this machine"));
    entry.node.local = false;
    entry.node.host = "gpu-01";
    entry.node.port = 2222;
    QCOMPARE(said(QStringLiteral("Address")), QStringLiteral("gpu-01:2222"));
    entry.node.container = {"docker", "exec", "pt"};
    entry.facts.emplace();
    entry.facts->route = {"ssh program", "me@10.0.0.1:2222", "bastion", "password", "ssh-ed25519"};
    entry.state = NodeState::NotReached;
    entry.asked = QDateTime::currentDateTime();
    entry.error.what = "no route";
    QVERIFY(said(QStringLiteral("Connection")).endsWith(QStringLiteral(": no route")));
    QCOMPARE(said(QStringLiteral("Reached")),
             QStringLiteral("over SSH, by the ssh program with connection sharing, "
                            "in its container by docker exec pt"));
    QCOMPARE(said(QStringLiteral("Address")), QStringLiteral("me@10.0.0.1:2222"));
    QCOMPARE(said(QStringLiteral("Through")), QStringLiteral("bastion"));
    QCOMPARE(said(QStringLiteral("Host key")), QStringLiteral("ssh-ed25519"));
    NodeDetails details;
    details.showNode(entry, true);
    details.resize(820, 480);
    details.show();
    test::keepPictures(details, theme_, QStringLiteral("node-details"));
}

void ClusterTest::addNode(const QString& host) const {
    button(QStringLiteral("Add node"))->click();
    auto* ask = test::findPart<QInputDialog>(*page_);
    QVERIFY(ask != nullptr);
    ask->setTextValue(host);
    ask->accept();
    page_->activateWindow();
}

void ClusterTest::aNodeIsAskedForItsHost() {
    open();
    addNode(QStringLiteral("me@127.1.2.3:9"));
    QTRY_COMPARE(onDisk().nodes.size(), std::size_t{2});
    QVERIFY(!onDisk().nodes[1].local);
    QCOMPARE(onDisk().nodes[1].host, std::string("127.1.2.3"));
    QCOMPARE(onDisk().nodes[1].user, std::string("me"));
    QCOMPARE(onDisk().nodes[1].name, std::string("node127"));
    QCOMPARE(onDisk().nodes[1].workDir, cluster::Node().workDir);
    addNode(QStringLiteral("box.lab.org"));
    QTRY_COMPARE(onDisk().nodes.back().name, std::string("box"));
    addNode(QStringLiteral("box.other.org"));
    QTRY_COMPARE(onDisk().nodes.back().name, std::string("box2"));
    addNode(QStringLiteral("box:none"));  // said there, and nothing is added
    auto* ask = test::findPart<QInputDialog>(*page_);
    QVERIFY(ask != nullptr && ask->isVisible());
    QVERIFY(ask->labelText().contains(QStringLiteral("\"none\" is no port")));
    QCOMPARE(ask->textValue(), QStringLiteral("box:none"));
    QCOMPARE(session_->nodes().entries().size(), std::size_t{4});
    ask->setTextValue(QStringLiteral("gpu 1"));
    ask->accept();
    QVERIFY(ask->isVisible());
    QVERIFY(ask->labelText().contains(QStringLiteral("\"gpu 1\": a space cannot be there")));
    ask->reject();
    QVERIFY(!page_->findChild<Banner*>()->isVisible());
}

void ClusterTest::aNodeIsAddedEditedAndRemoved() {
    open();
    addNode();
    QTRY_COMPARE(onDisk().nodes.size(), std::size_t{2});
    QCOMPARE(onDisk().nodes[1].name, std::string("this2"));
    QVERIFY(onDisk().nodes[1].workDir != onDisk().nodes[0].workDir);
    field(QStringLiteral("Devices"))->setText(QStringLiteral("4"));
    field(QStringLiteral("Container"))->setText(QStringLiteral("sh -c 'exec \"$@\"' \"a b\""));
    field(QStringLiteral("Image"))->setText(QStringLiteral("pytorch:2"));  // one or the other
    QVERIFY(!button(QStringLiteral("Save"))->isEnabled());
    field(QStringLiteral("Image"))->clear();
    field(QStringLiteral("Interface"))->setText(QStringLiteral("eth7"));
    QVERIFY(QTest::qWaitForWindowActive(page_.get()));
    QTest::mouseClick(button(QStringLiteral("Save")), Qt::LeftButton);
    QVERIFY(!button(QStringLiteral("Save"))->isEnabled());
    QTest::keyClick(page_->focusWidget(), Qt::Key_Space);  // removes nothing
    QTRY_COMPARE(onDisk().nodes[1].devices.value_or(0), 4);
    QCOMPARE(onDisk().nodes[1].container.back(), std::string("a b"));
    QCOMPARE(onDisk().nodes[1].interface, std::string("eth7"));
    // Nobody listens there: to be written down is enough.
    field(QStringLiteral("Host"))->setText(QStringLiteral("me@127.1.2.3:9"));
    button(QStringLiteral("Save"))->click();
    QTRY_COMPARE(onDisk().nodes[1].host, std::string("127.1.2.3"));
    QVERIFY(!onDisk().nodes[1].local);
    QCOMPARE(onDisk().nodes[1].port.value_or(0), 9);
    field(QStringLiteral("Host"))->setText(QStringLiteral("box:none"));
    QVERIFY(!button(QStringLiteral("Save"))->isEnabled());
    button(QStringLiteral("Revert"))->click();
    QCOMPARE(field(QStringLiteral("Host"))->text(), QStringLiteral("me@127.1.2.3:9"));
    button(QStringLiteral("Remove node"))->click();
    QTRY_COMPARE(onDisk().nodes.size(), std::size_t{1});
    button(QStringLiteral("Undo"))->click();
    QTRY_COMPARE(onDisk().nodes.size(), std::size_t{2});
    QCOMPARE(onDisk().nodes[1].devices.value_or(0), 4);
}

void ClusterTest::aNodeHasAMenu() {
    open();
    addNode(QStringLiteral("me@box1:2222"));
    auto* table = page_->findChild<QTableView*>(QStringLiteral("nodes"));
    QTRY_COMPARE(table->model()->rowCount(), 2);
    const QPoint where = table->visualRect(table->model()->index(1, 1)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, where);
    const auto menu = [&] {
        QContextMenuEvent asked(QContextMenuEvent::Mouse, where, table->viewport()->mapToGlobal(where));
        QApplication::sendEvent(table->viewport(), &asked);
        return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    };
    const auto choose = [&](const QString& text) {
        QMenu* shown = menu();
        QVERIFY(shown != nullptr);
        const auto actions = shown->actions();
        const auto found = std::ranges::find(actions, text, &QAction::text);
        QVERIFY2(found != actions.end(), qPrintable(text));
        (*found)->trigger();
        shown->close();
    };
    choose(QStringLiteral("Copy host"));
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("box1"));
    choose(QStringLiteral("Settings"));
    QVERIFY(button(QStringLiteral("Remove node"))->isVisible());
    choose(QStringLiteral("Remove node"));
    QCOMPARE(table->model()->rowCount(), 1);
    button(QStringLiteral("Undo"))->click();
    QCOMPARE(table->model()->rowCount(), 2);
    table->setFocus();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(table->model()->rowCount(), 1);
    button(QStringLiteral("Undo"))->click();
    QCOMPARE(table->model()->rowCount(), 2);
}

void ClusterTest::theNodesFitALaptop() {
    open();
    page_->hide();
    page_ = std::make_unique<ClusterPage>(*session_);
    page_->resize(1106, 660);  // of a window of 1280x720
    page_->show();
    QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
    session_->nodes().check(0);
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), 60'000);
    QTest::qWait(300);  // the columns are fitted
    const auto* table = page_->findChild<QTableView*>(QStringLiteral("nodes"));
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    QVERIFY(!table->isColumnHidden(NodesModel::LastCheck));
    page_->resize(786, 560);  // of one of 960x600: the last column goes, nothing else
    QTRY_VERIFY(table->isColumnHidden(NodesModel::LastCheck));
    QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    page_->resize(1106, 660);
    QTRY_VERIFY(!table->isColumnHidden(NodesModel::LastCheck));
    QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
}

void ClusterTest::refusesBadSettingsWhileTyping() {
    open();
    addNode();
    field(QStringLiteral("Name"))->setText(QStringLiteral("no name!"));
    QVERIFY(!button(QStringLiteral("Save"))->isEnabled());
    field(QStringLiteral("Name"))->setText(QStringLiteral("this"));  // the other one's
    button(QStringLiteral("Save"))->click();
    QVERIFY(test::findWords(*page_, QStringLiteral("two nodes are called")) != nullptr);
    button(QStringLiteral("Revert"))->click();
    QCOMPARE(field(QStringLiteral("Name"))->text(), QStringLiteral("this2"));
}

void ClusterTest::aListFromOutsideIsAskedAbout() {
    open();
    const auto file = folder_->filePath(QStringLiteral("theirs.json")).toStdString();
    const QString mark = folder_->filePath(QStringLiteral("mark"));
    QVERIFY(writeFileAtomically(
        file, R"({"name": "theirs", "nodes": [{"name": "x", "local": true, "setup": "touch )" +
                  mark.toStdString() + R"("}]})"));
    page_->openCluster(file);
    QTRY_VERIFY(button(QStringLiteral("Use these nodes")) != nullptr);
    QCOMPARE(session_->nodes().entries().front().node.name, std::string("this"));
    QVERIFY(!QFile::exists(mark));
    button(QStringLiteral("Use these nodes"))->click();
    QTRY_COMPARE(onDisk().name, std::string("theirs"));
    QCOMPARE(session_->nodes().entries().front().node.name, std::string("x"));
    QTRY_VERIFY(QFile::exists(mark));
    button(QStringLiteral("Undo"))->click();
    QTRY_COMPARE(onDisk().name, std::string("this machine"));
    page_->openCluster(file);  // it is known by now
    QTRY_COMPARE(onDisk().name, std::string("theirs"));
    QVERIFY(writeFileAtomically(file, "{"));
    page_->openCluster(file);
    QTRY_VERIFY(page_->findChild<Banner*>()->isVisible());
    QCOMPARE(onDisk().name, std::string("theirs"));
}

void ClusterTest::aWorkspaceFromElsewhereRunsNothingUnasked() {
    const QString mark = folder_->filePath(QStringLiteral("mark"));
    writeList(R"({"name": "x", "local": true, "setup": "touch )" + mark.toUtf8() + R"("})");
    open();
    page_->primaryAction();  // not even when it is checked
    QTest::qWait(200);
    QVERIFY(!QFile::exists(mark));
    QVERIFY(!session_->nodes().isAccepted());
    button(QStringLiteral("Use these nodes"))->click();
    QTRY_VERIFY(QFile::exists(mark));
    QVERIFY(session_->nodes().isAccepted());
}

// Adding, changing, removing and taking back are no answers to the question what the list may run.
void ClusterTest::noChangeAcceptsAForeignList() {
    const QString mark = folder_->filePath(QStringLiteral("mark"));
    writeList(R"({"name": "x", "local": true, "setup": "touch )" + mark.toUtf8() + R"("})");
    open();
    const auto isUnasked = [&] {
        QTest::qWait(200);
        return !QFile::exists(mark) && !session_->nodes().isAccepted() &&
               button(QStringLiteral("Use these nodes")) != nullptr;
    };
    addNode();
    QCOMPARE(session_->nodes().entries().size(), std::size_t{2});
    QVERIFY(isUnasked());
    field(QStringLiteral("Devices"))->setText(QStringLiteral("7"));
    button(QStringLiteral("Save"))->click();
    QVERIFY(isUnasked());
    button(QStringLiteral("Remove node"))->click();
    QCOMPARE(session_->nodes().entries().size(), std::size_t{1});
    QVERIFY(isUnasked());
    auto* alone = test::findPart<QPushButton>(*page_, [](const QPushButton& one) {
        return one.menu() != nullptr && one.text() == QStringLiteral("Import");
    });
    QVERIFY(alone != nullptr);
    for (QAction* action : alone->menu()->actions()) {
        if (action->text() == QStringLiteral("&This machine alone")) {
            action->trigger();
        }
    }
    QVERIFY(session_->nodes().isAccepted());
    button(QStringLiteral("Undo"))->click();
    QVERIFY(isUnasked());
    const std::string list = toJson(session_->nodes().written()).dump();
    QTRY_COMPARE(toJson(onDisk()).dump(), list);
    page_.reset();
    session_.reset();
    open();  // what was saved on the way is asked about, too
    QVERIFY(isUnasked());
}

void ClusterTest::variablesThatRunCodeAreAskedAbout() {
    const auto asks = [](const char* variable) {
        cluster::Cluster list = cluster::thisMachine();
        list.nodes.front().env[variable] = "/tmp/x";
        return runsCommands(list);
    };
    for (const char* variable :
         {"PATH", "BASH_ENV", "PYTHONPATH", "LD_PRELOAD", "NCCL_NET_PLUGIN", "NCCL_DEBUG_FILE"}) {
        QVERIFY2(asks(variable), variable);
    }
    for (const char* variable : {"CUDA_VISIBLE_DEVICES", "NCCL_DEBUG", "NCCL_IB_HCA", "OMP_NUM_THREADS"}) {
        QVERIFY2(!asks(variable), variable);
    }
}

void ClusterTest::theQuestionShowsEveryCommand() {
    cluster::Cluster list;
    for (const char* setup : {"module load a", "module load a", "module load b"}) {
        cluster::Node node = cluster::thisMachine().nodes.front();
        node.name = "n" + std::to_string(list.nodes.size());
        node.setup = setup;
        list.nodes.push_back(node);
    }
    list.nodes[1].env = {{"LD_PRELOAD", "/tmp/x.so"}};
    const QString all = commandsOf(list);
    QVERIFY(all.contains(QStringLiteral("n0:\nmodule load a\n")));
    QVERIFY(all.contains(QStringLiteral("n1:\nLD_PRELOAD=/tmp/x.so\nmodule load a\n")));
    QVERIFY(all.contains(QStringLiteral("n2:\nmodule load b\n")));
    QVERIFY(!all.contains(QStringLiteral("cut")));
    list.nodes[1] = list.nodes[0];
    list.nodes[1].name = "alike";
    QVERIFY(!commandsOf(list).contains(QStringLiteral("alike")));
    list.nodes[2].setup = std::string(1000, 'x') + "; rm -r ~";
    QVERIFY(commandsOf(list).contains(QStringLiteral("(cut: 1009 characters in all)")));
    for (int i = 0; i < 9; ++i) {
        list.nodes[2].setup = "module load " + std::to_string(i);
        list.nodes.push_back(list.nodes[2]);
    }
    QVERIFY(commandsOf(list).contains(QStringLiteral("6 more stand in the list's file")));
}

// Choosing another node, or closing the window while a check runs, loses nothing.
void ClusterTest::typedSettingsAreKept() {
    open();
    addNode();
    field(QStringLiteral("Devices"))->setText(QStringLiteral("7"));
    auto* table = page_->findChild<QTableView*>(QStringLiteral("nodes"));
    table->setCurrentIndex(table->model()->index(0, 0));
    QTRY_COMPARE(onDisk().nodes.size(), std::size_t{2});  // before the first save there is none
    QTRY_COMPARE(onDisk().nodes.back().devices.value_or(0), 7);
    table->setCurrentIndex(table->model()->index(1, 0));
    field(QStringLiteral("Devices"))->setText(QStringLiteral("5"));
    button(QStringLiteral("Save"))->click();
    page_.reset();
    session_.reset();
    QCOMPARE(onDisk().nodes.back().devices.value_or(0), 5);
}

// Another language, and closing: what can be no setting is asked about.
void ClusterTest::typedSettingsOutlastTheWindow() {
    const auto made = test::MadeWindow::open({}, theme_);
    QVERIFY(made != nullptr);
    NodeList& nodes = made->session().nodes();
    QTRY_VERIFY_WITH_TIMEOUT(nodes.isChecked(), 60'000);
    made->window().showSection(Section::Cluster);
    const auto devices = [&] { return nodes.written().nodes.front().devices.value_or(0); };
    const auto type = [&](const char* text) {
        auto* table = made->window().findChild<QTableView*>(QStringLiteral("nodes"));
        emit table->activated(table->currentIndex());  // its settings
        test::findNamed<QLineEdit>(made->window(), QStringLiteral("Devices"))->setText(QLatin1String(text));
    };
    type("7");
    made->replaceWindow(theme_);
    QCOMPARE(devices(), 7);
    type("5");
    QVERIFY(made->window().close());
    QCOMPARE(devices(), 5);
    made->window().show();
    type("many");
    QVERIFY(!made->window().close());
    auto* question = test::findPart<QMessageBox>(made->window());
    QVERIFY(question != nullptr);
    test::findButton(*question, QStringLiteral("Close without them"))->click();
    QTRY_VERIFY(!made->window().isVisible());
    QCOMPARE(devices(), 5);
}

void ClusterTest::whatWasTypedStaysOutOfAnotherList() {
    writeList(R"({"name": "a", "local": true}, {"name": "b", "local": true, "devices": 2})");
    open();
    auto* table = page_->findChild<QTableView*>(QStringLiteral("nodes"));
    table->setCurrentIndex(table->model()->index(1, 0));
    emit table->activated(table->currentIndex());  // its settings
    field(QStringLiteral("Devices"))->setText(QStringLiteral("7"));
    const auto file = folder_->filePath(QStringLiteral("other.json")).toStdString();
    QVERIFY(writeFileAtomically(file, R"({"name": "other", "nodes": [{"name": "a", "local": true},
        {"name": "b", "local": true, "devices": 3}]})"));
    page_->openCluster(file);
    QTRY_VERIFY(button(QStringLiteral("Use these nodes")) != nullptr);
    button(QStringLiteral("Use these nodes"))->click();
    QCOMPARE(session_->nodes().name(), std::string("other"));
    QCOMPARE(session_->nodes().written().nodes[1].devices, std::optional(3));
    table->setCurrentIndex(table->model()->index(1, 0));
    field(QStringLiteral("Devices"))->setText(QStringLiteral("8"));
    button(QStringLiteral("Undo"))->click();
    QCOMPARE(session_->nodes().written().nodes[1].devices, std::optional(2));
}

void ClusterTest::anUnreadableListIsKept() {
    QVERIFY(QDir(folder_->path()).mkpath(QStringLiteral("w")));
    const auto file = folder_->filePath(QStringLiteral("w/cluster.json")).toStdString();
    QVERIFY(writeFileAtomically(file, R"({"name": "lab", "nodes": [)"));
    open();
    addNode();
    QTRY_COMPARE(onDisk().nodes.size(), std::size_t{2});
    QCOMPARE(readFile(file + ".unreadable").value(), std::string(R"({"name": "lab", "nodes": [)"));
}

// Each knows the list as it read it, or left it last.
void ClusterTest::twoWindowsOverAListLoseNoChange() {
    writeList(R"({"name": "a", "local": true}, {"name": "b", "local": true, "work_dir": "~/b"})");
    open();
    const auto other = test::openSession(*folder_);
    NodeList& theirs = other->nodes();
    NodeList& ours = session_->nodes();
    other->start();
    QTRY_VERIFY_WITH_TIMEOUT(theirs.isChecked(), 60'000);
    const auto withDevices = [](NodeList& list, std::size_t index, int devices) {
        cluster::Node node = list.written().nodes[index];
        node.devices = devices;
        return list.replace(index, node);
    };
    cluster::Node added = theirs.written().nodes[1];
    added.name = "c";
    added.workDir = "~/c";
    QVERIFY(theirs.add(added));
    QTRY_COMPARE(onDisk().nodes.size(), std::size_t{3});
    QVERIFY(withDevices(ours, 0, 3));
    QTRY_COMPARE(onDisk().nodes[0].devices, std::optional(3));
    QCOMPARE(onDisk().nodes.size(), std::size_t{3});
    QTRY_COMPARE(ours.entries().size(), std::size_t{3});  // and shown
    const auto* banner = page_->findChild<Banner*>();
    QTRY_VERIFY(banner->isVisible() && banner->accessibleName().contains(QLatin1String("kept")));
    // Of the same node one change stands, and the other's list beside it.
    QVERIFY(withDevices(theirs, 1, 5));
    QTRY_COMPARE(onDisk().nodes[1].devices, std::optional(5));
    QTRY_COMPARE(theirs.written().nodes[0].devices, std::optional(3));
    QVERIFY(withDevices(ours, 1, 6));
    QTRY_COMPARE(onDisk().nodes[1].devices, std::optional(6));
    const QString beside = folder_->filePath(QStringLiteral("w/cluster.json.other"));
    QTRY_VERIFY(banner->accessibleName().contains(beside));
    QCOMPARE(cluster::readCluster(beside.toStdString())->nodes[1].devices, std::optional(5));
}

void ClusterTest::theGridIsWalkedByArrows() {
    const auto text = readFile(DLPERF_SOURCE_DIR "/tests/cluster/recorded/topo_v100_dlperf_2020.txt").value();
    TopologyModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    TopologyGrid grid(model);
    QSignalSpy chosen(&grid, &TopologyGrid::pairChosen);
    model.setMatrix(cluster::parseTopologyMatrix(text).value());
    QCOMPARE(model.firstAdapter(), 8);
    grid.resize(800, 500);
    grid.show();
    grid.setCurrentIndex(model.index(1, 4));
    QTest::keyClick(&grid, Qt::Key_Right);
    QCOMPARE(chosen.back(), (QList<QVariant>{1, 5}));
    QCOMPARE(linkSentence(model.matrix(), 1, 5), QStringLiteral("GPU1 to GPU5: two NVLinks."));
    QCOMPARE(linkSentence(model.matrix(), 2, 2), QString());
    QCOMPARE(model.index(4, 8).data(Qt::ToolTipRole).toString(),
             QStringLiteral("GPU4 to mlx5_0: across CPU sockets."));
}

DLPERF_UI_TEST(ClusterTest);

}  // namespace dlperf::ui
#include "cluster_test.moc"
