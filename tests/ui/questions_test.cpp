// SPDX-License-Identifier: Apache-2.0
// What a login asks is shown over the window and answered there; with a real sshd, too.
// DLPERF_PICTURES=FOLDER keeps pictures of the dialogs.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>
#include <future>

#include "core/base/file.h"
#include "core/cluster/cluster.h"
#include "tests/support/sshd.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/session/user_questions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/question_dialogs.h"

namespace dlperf::ui {
namespace {

const remote::HostKeyRequest stranger{"gpu-01", "[gpu-01.lab]:2222", "ssh-ed25519",
                                      "SHA256:0ltyOyUuGUVq1Uvo2sbcFhzg1zHRTyGSMRXkLuTZSWo",
                                      "/home/me/.ssh/known_hosts"};
const remote::PromptRequest twoFactors{"gpu-01",
                                       "me@gpu-01.lab asks: Second factor",
                                       "Open the app <b>and</b> read the code.",
                                       {{"Code:", true}, {"PIN:", false}}};

}  // namespace

class QuestionsTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void promptsAreAnswered();
    void escapeRefuses();
    void enterAloneTrustsNobody();
    void trustIsRemembered();
    void aLateAnswerFindsTheDialogGone();
    void aClosedWindowRefuses();
    void withoutAWindowNobodyWaits();
    void aNewHostIsAskedAboutAndChecked();
    void theRunnerKnowsWhatWasAnswered();

private:
    [[nodiscard]] remote::AuthCallbacks questions() const { return session_->questions().questions(); }
    // The dialog over the window, once it is there.
    template <class Dialog>
    [[nodiscard]] Dialog* dialog() const;

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
};

void QuestionsTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    test::useToyRecipe(*folder_);
    session_ = test::openSession(*folder_);
    window_ = std::make_unique<MainWindow>(*session_, theme_);
    QVERIFY(test::showWithPage(*window_));
}

void QuestionsTest::cleanup() {
    QVERIFY(!session_ || test::endRunner(*session_));
    window_.reset();
    session_.reset();
    folder_.reset();
}

template <class Dialog>
Dialog* QuestionsTest::dialog() const {
    Dialog* found = nullptr;
    (void)QTest::qWaitFor([&] {
        found = window_->findChild<Dialog*>();
        return found != nullptr && found->isVisible();
    });
    return found;
}

void QuestionsTest::promptsAreAnswered() {
    auto answer = std::async(std::launch::async, [ask = questions().prompts] { return ask(twoFactors, {}); });
    auto* shown = dialog<LoginDialog>();
    QVERIFY(shown != nullptr);
    QVERIFY(!shown->styleSheet().isEmpty());  // from its first picture on
    test::keepPicture(*shown, QStringLiteral("login"));
    const auto fields = shown->findChildren<QLineEdit*>();
    QCOMPARE(fields.size(), 2);
    QCOMPARE(fields[0]->echoMode(), QLineEdit::Normal);
    QCOMPARE(fields[1]->echoMode(), QLineEdit::Password);
    const auto* marked = test::findWords(*shown, QStringLiteral("<b>"));
    QVERIFY(marked != nullptr && marked->textFormat() == Qt::PlainText);
    QTest::keyClicks(fields[0], QStringLiteral("123456"));
    QTest::keyClicks(fields[1], QStringLiteral("secret"));
    QTest::keyClick(fields[1], Qt::Key_Return);
    QVERIFY(answer.get() == (std::vector<std::string>{"123456", "secret"}));
}

void QuestionsTest::escapeRefuses() {
    auto answer = std::async(std::launch::async, [ask = questions().prompts] { return ask(twoFactors, {}); });
    auto* shown = dialog<LoginDialog>();
    QVERIFY(shown != nullptr);
    QTest::keyClick(shown, Qt::Key_Escape);
    QVERIFY(!answer.get().has_value());
}

void QuestionsTest::enterAloneTrustsNobody() {
    auto answer = std::async(std::launch::async, [ask = questions().hostKey] { return ask(stranger, {}); });
    auto* shown = dialog<HostKeyDialog>();
    QVERIFY(shown != nullptr);
    test::keepPicture(*shown, QStringLiteral("host-key"));
    QCOMPARE(test::findNamed<QLabel>(*shown, QStringLiteral("Fingerprint"))->text(),
             QString::fromStdString(stranger.fingerprint));
    QTest::keyClick(shown, Qt::Key_Return);
    QCOMPARE(answer.get(), remote::HostKeyDecision::Refuse);
}

void QuestionsTest::trustIsRemembered() {
    auto answer = std::async(std::launch::async, [ask = questions().hostKey] { return ask(stranger, {}); });
    auto* shown = dialog<HostKeyDialog>();
    QVERIFY(shown != nullptr);
    test::findButton(*shown, QStringLiteral("Trust and &remember"))->click();
    QCOMPARE(answer.get(), remote::HostKeyDecision::TrustAndStore);
}

void QuestionsTest::aLateAnswerFindsTheDialogGone() {
    std::stop_source stop;
    auto answer = std::async(std::launch::async, [ask = questions().prompts, token = stop.get_token()] {
        return ask(twoFactors, {remote::Milliseconds(60'000), token});
    });
    const QPointer<LoginDialog> shown = dialog<LoginDialog>();
    QVERIFY(shown != nullptr);
    stop.request_stop();
    QVERIFY(!answer.get().has_value());
    QTRY_VERIFY(shown == nullptr);
}

void QuestionsTest::aClosedWindowRefuses() {
    auto answer = std::async(std::launch::async, [ask = questions().prompts] { return ask(twoFactors, {}); });
    QVERIFY(dialog<LoginDialog>() != nullptr);
    window_.reset();
    session_.reset();
    QVERIFY(!answer.get().has_value());
}

void QuestionsTest::withoutAWindowNobodyWaits() {
    UserQuestions nobody;
    auto answer =
        std::async(std::launch::async, [ask = nobody.questions()] { return ask.hostKey(stranger, {}); });
    QTRY_VERIFY(answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
    QCOMPARE(answer.get(), remote::HostKeyDecision::Refuse);
}

// From the list of nodes to the login and what was found.
void QuestionsTest::aNewHostIsAskedAboutAndChecked() {
    const dlperf::test::Sshd sshd;
    sshd.writeKnownHosts("");
    NodeList& nodes = session_->nodes();
    session_->start();
    QTRY_VERIFY(nodes.isRead());
    nodes.use({{}, {sshd.node()}});
    auto* shown = dialog<HostKeyDialog>();
    QVERIFY(shown != nullptr);
    test::findButton(*shown, QStringLiteral("Trust and &remember"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(nodes.isChecked(), longWait);
    QCOMPARE(nodes.entries().front().state, NodeState::Checked);
    QVERIFY(readFile(sshd.folder().path() / "known_hosts")->find("ssh-ed25519") != std::string::npos);
}

// A passphrase typed for the check of a node serves the runs that are started then.
void QuestionsTest::theRunnerKnowsWhatWasAnswered() {
    const dlperf::test::Sshd sshd;
    cluster::Node node = sshd.node();
    node.identityFile = sshd.makeLogin("ed25519", "open sesame");
    node.workDir = (sshd.folder().path() / "work").string();
    const cluster::Cluster cluster{"far", {node}};
    session_->start();
    QTRY_VERIFY(session_->nodes().isRead());
    session_->nodes().use(cluster);
    auto* shown = dialog<LoginDialog>();
    QVERIFY(shown != nullptr);
    QTest::keyClicks(shown->findChild<QLineEdit*>(), QStringLiteral("open sesame"));
    QTest::keyClick(shown, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), longWait);
    const std::filesystem::path folder = sshd.folder().path();
    sshd.folder().write("cluster.json", toJson(cluster).dump());
    sshd.folder().write("plan.json", R"({"recipes": ["toy"], "topologies": ["1n1g"], "batch_sizes": [8],)"
                                     R"("warmup": 2, "train": 5})");
    QObject::connect(session_.get(), &Session::runnerRefused, window_.get(),
                     [](const QString& what, const QString& why) { QFAIL(qPrintable(what + why)); });
    QVERIFY(session_->startPlan(folder / "plan.json", folder / "cluster.json"));
    QTRY_VERIFY_WITH_TIMEOUT(!session_->isStarting() && !session_->campaigns().empty() &&
                                 session_->campaigns().back().finished() && !test::isRunnerAlive(*session_),
                             longWait);
    QCOMPARE(session_->campaigns().back().runs.front().outcome, Outcome::Ok);
}

DLPERF_UI_TEST(QuestionsTest);

}  // namespace dlperf::ui
#include "questions_test.moc"
