// SPDX-License-Identifier: Apache-2.0
// What is kept in the desktop's keychain, when, and when it is taken out again; with a real one where
// keychain.sh has started it.
#include "ui/session/keychain.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QTimer>
#include <QtTest>
#include <future>
#include <map>

#include "tests/ui/pictures.h"
#include "tests/ui/watchdog.h"
#include "ui/session/user_questions.h"
#include "ui/shell/question_dialogs.h"

namespace dlperf::ui {

// What a keychain holds, and whether there is one; outlives the keychain that the dialogs own.
struct Held {
    std::map<std::string, std::string> secrets;
    QString unavailable;
    bool silent = false;  // never answers
};

class HeldKeychain final : public Keychain {
public:
    explicit HeldKeychain(Held& held) : held_(held) {}
    void read(QObject* receiver, const std::string& id, const Done& done) override {
        if (held_.silent) {
            return;
        }
        const auto found = held_.secrets.find(id);
        const Answer answer{found == held_.secrets.end() ? std::nullopt : std::optional(found->second),
                            held_.unavailable};
        QTimer::singleShot(0, receiver, [done, answer] { done(answer); });
    }
    void keep(QObject* /*receiver*/, const std::string& id, const std::string& secret,
              const Done& done) override {
        held_.secrets[id] = secret;
        done({});
    }
    void forget(const std::string& id) override { held_.secrets.erase(id); }

private:
    Held& held_;
};

namespace {

const remote::PromptRequest passphrase{"gpu-01",
                                       "Passphrase of the key /home/me/.ssh/id_ed25519",
                                       "",
                                       {{"Passphrase", false}},
                                       "key /home/me/.ssh/id_ed25519",
                                       false};

}  // namespace

class KeychainTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void whatIsKeptIsTriedWithoutADialog();
    void dropsWhatNoLongerFits();
    void nothingIsKeptUnlessTheUserSaysSo();
    void codesAreNeverKept();
    void withoutAKeychainTheDialogSaysWhy();
    void aQuestionThatIsWithdrawnIsNotShown();
    void theDesktopsKeychainIsAsked();

private:
    void keepsAndForgets();
    void itSaysThatThereIsNone();
    using Texts = std::optional<std::vector<std::string>>;
    [[nodiscard]] std::future<Texts> ask(const remote::PromptRequest& request,
                                         std::stop_token stop = {}) const {
        return std::async(std::launch::async, [ask = questions_->questions().prompts, request, stop] {
            return ask(request, {remote::Milliseconds(60'000), stop});
        });
    }
    [[nodiscard]] LoginDialog* dialog() const {
        LoginDialog* found = nullptr;
        (void)QTest::qWaitFor([&] {
            found = window_->findChild<LoginDialog*>();
            return found != nullptr && found->isVisible();
        });
        return found;
    }
    // The answer, while the window lives on.
    static Texts answerOf(std::future<Texts>& answer) {
        (void)QTest::qWaitFor(
            [&] { return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }, 60'000);
        return answer.get();
    }

    std::unique_ptr<QWidget> window_;
    std::unique_ptr<UserQuestions> questions_;
    Held held_;
};

void KeychainTest::init() {
    held_ = {};
    window_ = std::make_unique<QWidget>();
    questions_ = std::make_unique<UserQuestions>();
    new QuestionDialogs(*questions_, *window_, std::make_unique<HeldKeychain>(held_));
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void KeychainTest::cleanup() {
    window_.reset();
    questions_.reset();
}

void KeychainTest::whatIsKeptIsTriedWithoutADialog() {
    held_.secrets[passphrase.id] = "open sesame";
    auto answer = ask(passphrase);
    QVERIFY(answerOf(answer) == Texts({"open sesame"}));
    QVERIFY(window_->findChild<LoginDialog*>() == nullptr);
}

void KeychainTest::dropsWhatNoLongerFits() {
    held_.secrets[passphrase.id] = "old";
    remote::PromptRequest again = passphrase;
    again.again = true;
    auto answer = ask(again);
    LoginDialog* shown = dialog();
    QVERIFY(shown != nullptr);
    QVERIFY(held_.secrets.empty());
    QTest::keyClicks(shown->findChild<QLineEdit*>(), QStringLiteral("new"));
    shown->findChild<QCheckBox*>()->setChecked(true);
    QTest::keyClick(shown, Qt::Key_Return);
    QVERIFY(answerOf(answer) == Texts({"new"}));
    QCOMPARE(held_.secrets[passphrase.id], std::string("new"));
}

void KeychainTest::nothingIsKeptUnlessTheUserSaysSo() {
    auto answer = ask(passphrase);
    LoginDialog* shown = dialog();
    QVERIFY(shown != nullptr);
    auto* box = shown->findChild<QCheckBox*>();
    QVERIFY(box->isEnabled() && !box->isChecked());
    test::keepPictures(*shown, theme_, QStringLiteral("login-keychain"));
    QTest::keyClicks(shown->findChild<QLineEdit*>(), QStringLiteral("open sesame"));
    QTest::keyClick(shown, Qt::Key_Return);
    QVERIFY(answerOf(answer) == Texts({"open sesame"}));
    QVERIFY(held_.secrets.empty());
    // Nor what was typed into a dialog that is given up.
    auto refused = ask(passphrase);
    QTRY_VERIFY(window_->findChild<LoginDialog*>() != nullptr && window_->findChild<LoginDialog*>() != shown);
    shown = dialog();
    shown->findChild<QCheckBox*>()->setChecked(true);
    QTest::keyClick(shown, Qt::Key_Escape);
    QVERIFY(!answerOf(refused));
    QVERIFY(held_.secrets.empty());
}

void KeychainTest::codesAreNeverKept() {
    remote::PromptRequest code = passphrase;
    code.id.clear();
    held_.secrets[""] = "123";
    auto answer = ask(code);
    LoginDialog* shown = dialog();
    QVERIFY(shown != nullptr);
    QVERIFY(shown->findChild<QCheckBox*>() == nullptr);
    QTest::keyClick(shown, Qt::Key_Escape);
    QVERIFY(!answerOf(answer));
}

void KeychainTest::withoutAKeychainTheDialogSaysWhy() {
    held_.unavailable = QStringLiteral("no <service>");
    auto answer = ask(passphrase);
    LoginDialog* shown = dialog();
    QVERIFY(shown != nullptr);
    const auto* box = shown->findChild<QCheckBox*>();
    QVERIFY(!box->isEnabled());
    QVERIFY(box->toolTip().contains(QStringLiteral("no &lt;service&gt;")));
    QTest::keyClicks(shown->findChild<QLineEdit*>(), QStringLiteral("open sesame"));
    QTest::keyClick(shown, Qt::Key_Return);
    QVERIFY(answerOf(answer) == Texts({"open sesame"}));
    QVERIFY(held_.secrets.empty());
}

void KeychainTest::aQuestionThatIsWithdrawnIsNotShown() {
    held_.silent = true;
    std::stop_source stop;
    auto answer = ask(passphrase, stop.get_token());
    QTest::qWait(50);
    stop.request_stop();
    QVERIFY(!answerOf(answer));
    QVERIFY(window_->findChild<LoginDialog*>() == nullptr);
}

// keychain.sh brings one; without it there is none here.
void KeychainTest::theDesktopsKeychainIsAsked() {
    qEnvironmentVariableIsSet("DLPERF_SECRET_SERVICE") ? keepsAndForgets() : itSaysThatThereIsNone();
}

void KeychainTest::keepsAndForgets() {
    const auto keychain = desktopKeychain();
    const std::string id = "key /home/me/ü \"x\"";
    std::optional<Keychain::Answer> answer;
    const auto hear = [&](const Keychain::Answer& done) { answer = done; };
    const auto readAgain = [&] {
        answer.reset();
        keychain->read(this, id, hear);
        return QTest::qWaitFor([&] { return answer.has_value(); }, 60'000);
    };
    QVERIFY(readAgain());
    QVERIFY2(answer->unavailable.isEmpty(), qPrintable(answer->unavailable));
    QVERIFY(!answer->secret);
    answer.reset();
    keychain->keep(this, id, "open sesame ü", hear);
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 60'000);
    QVERIFY2(answer->unavailable.isEmpty(), qPrintable(answer->unavailable));
    QVERIFY(readAgain());
    QVERIFY(answer->secret == std::optional<std::string>("open sesame ü"));
    keychain->forget(id);
    QVERIFY(readAgain());
    QVERIFY(!answer->secret && answer->unavailable.isEmpty());
}

void KeychainTest::itSaysThatThereIsNone() {
    const auto keychain = desktopKeychain();
    std::optional<Keychain::Answer> answer;
    keychain->read(this, passphrase.id, [&](const Keychain::Answer& done) { answer = done; });
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 60'000);
    QVERIFY(!answer->secret);
    QVERIFY(!answer->unavailable.isEmpty());
}

DLPERF_UI_TEST(KeychainTest);

}  // namespace dlperf::ui
#include "keychain_test.moc"
