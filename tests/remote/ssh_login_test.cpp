// SPDX-License-Identifier: Apache-2.0
// How a user gets in, and what he is told when he does not. Against a real sshd.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include <thread>

#include "core/base/descriptor.h"
#include "core/remote/ssh_transport.h"
#include "core/remote/ssh_wire.h"
#include "tests/remote/error_of.h"
#include "tests/remote/server_loss.h"
#include "tests/support/sshd.h"

namespace dlperf::remote {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A user who types what he is told to, one text a prompt, and then refuses.
struct Typist {
    explicit Typist(std::vector<std::string> texts = {})
        : answers(std::make_shared<CredentialCache>(
              AuthCallbacks{[this, texts = std::move(texts)](const PromptRequest& request, const Limits&) {
                                requests.push_back(request);
                                std::optional<std::vector<std::string>> typed = std::vector<std::string>();
                                for (std::size_t i = 0; i < request.prompts.size(); ++i, ++next) {
                                    if (next >= texts.size()) {
                                        return std::optional<std::vector<std::string>>();
                                    }
                                    typed->push_back(texts[next]);
                                }
                                return typed;
                            },
                            {}})) {}

    std::vector<PromptRequest> requests;
    std::size_t next = 0;
    std::shared_ptr<CredentialCache> answers;
};

Error tryOf(const cluster::Node& node, const std::shared_ptr<CredentialCache>& answers = {}) {
    SshTransport transport(node, answers);
    const auto result = transport.run({"true", {}}, {60s, {}});
    return result ? Error{} : result.error();
}

// An agent that holds this key, which no file holds any more.
class Agent {
public:
    explicit Agent(const std::string& key) : folder_(std::filesystem::path(key).parent_path().string()) {
        const std::string command = fmt::format(
            "cd {0} && ssh-agent -a {0}/agent >agent.env && . ./agent.env >/dev/null && "
            "ssh-add -q {1} && rm {1}",
            folder_, key);
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        ::setenv("SSH_AUTH_SOCK", (folder_ + "/agent").c_str(), 1);
    }
    ~Agent() {
        ::unsetenv("SSH_AUTH_SOCK");
        EXPECT_EQ(
            std::system(fmt::format(". {}/agent.env >/dev/null && kill $SSH_AGENT_PID", folder_).c_str()), 0);
    }
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;
    Agent(Agent&&) = delete;
    Agent& operator=(Agent&&) = delete;

private:
    std::string folder_;
};

cluster::Node nodeWith(const test::Sshd& sshd, const std::string& key) {
    cluster::Node node = sshd.node();
    node.identityFile = key;
    return node;
}

constexpr const char* keysOnly = "PasswordAuthentication no\nKbdInteractiveAuthentication no";

using Case = std::tuple<const char*, const char*>;  // how the key is kept, its type

class SshKeys : public testing::TestWithParam<Case> {};

// An encrypted file, and before libssh2 1.11 an RSA key in a file, are for the ssh program.
std::string wayOf(const std::string& kept, const std::string& type) {
    const bool signs = kept == "Agent" || type != "rsa" || libssh2_version(0x010B00) != nullptr;
    return kept != "Encrypted" && signs ? "libssh2" : "ssh program";
}

TEST_P(SshKeys, LetIn) {
    const auto [kept, type] = GetParam();
    const test::Sshd sshd;
    const bool encrypted = kept == std::string("Encrypted");
    const std::string key = sshd.makeLogin(type, encrypted ? "pässwörd" : "");
    Typist typist({"wrong", "pässwörd"});
    if (kept == std::string("Agent")) {
        const Agent agent(key);
        SshTransport transport(nodeWith(sshd, key), typist.answers);
        ASSERT_TRUE(transport.run({"exit 0", {}}, {60s, {}}));
        EXPECT_EQ(transport.route().way, wayOf(kept, type));
    } else {
        EXPECT_EQ(errorOf(nodeWith(sshd, key), typist.answers), "");
        EXPECT_EQ(errorOf(nodeWith(sshd, key), typist.answers), "") << "another node";
        SshTransport transport(nodeWith(sshd, key), typist.answers);
        ASSERT_TRUE(transport.run({"exit 0", {}}, {60s, {}}));
        EXPECT_EQ(transport.route().way, wayOf(kept, type));
    }
    EXPECT_EQ(typist.requests.size(), encrypted ? 2U : 0U) << "a wrong passphrase, then the right one";
    EXPECT_THAT(sshd.log(), HasSubstr("Accepted publickey"));
}

INSTANTIATE_TEST_SUITE_P(Matrix, SshKeys,
                         testing::Combine(testing::Values("Agent", "File", "Encrypted"),
                                          testing::Values("ed25519", "ecdsa", "rsa")),
                         [](const auto& one) {
                             return std::string(std::get<0>(one.param)) + "_" + std::get<1>(one.param);
                         });

// What ssh-keygen writes, by libssh2 or by the program. It never writes ed25519 as PEM.
TEST(SshLogin, KeyFilesOfAnyFormatLetIn) {
    const test::Sshd sshd;
    for (const char* kind :
         {"rsa -b 2048 -m PEM", "rsa -b 2048 -m PKCS8", "ecdsa -b 256 -m PEM", "ecdsa -b 256 -m PKCS8",
          "ecdsa -b 384", "ecdsa -b 521", "ed25519 -a 3 -Z aes128-cbc"}) {
        for (const std::string passphrase : {"", "pässwörd"}) {
            for (const bool publicHalf : {true, false}) {
                for (const char* name : {"id_login", "id_login.pub"}) {
                    std::filesystem::remove(sshd.folder().path() / name);
                }
                const std::string key = sshd.makeLogin(kind, passphrase);
                if (!publicHalf) {
                    std::filesystem::remove(key + ".pub");
                }
                Typist typist({"pässwörd"});
                EXPECT_EQ(errorOf(nodeWith(sshd, key), typist.answers), "")
                    << kind << passphrase << publicHalf;
                EXPECT_EQ(typist.requests.size(), passphrase.empty() ? 0U : 1U);
            }
        }
    }
}

TEST(SshLogin, AFileThatIsNoKeyIsNamed) {
    const test::Sshd sshd;
    sshd.folder().write("authorized_keys", "");
    const auto errorWith = [&](const std::string& text) {
        sshd.folder().write("key", text);
        return errorOf(nodeWith(sshd, (sshd.folder().path() / "key").string()));
    };
    const std::string begin = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
    const std::string end = "\n-----END OPENSSH PRIVATE KEY-----\n";
    for (const std::string& text :
         {std::string(), std::string("ssh-ed25519 AAAA"), begin + "!!!" + end,
          begin + encodeBase64(std::string("openssh-key-v1\0\xFF\xFF\xFF\xFFnone", 23)) + end}) {
        EXPECT_THAT(errorWith(text), HasSubstr("key is no private key that can be read"));
    }
    EXPECT_THAT(errorWith("-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"),
                HasSubstr("does not let in"));
}

TEST(SshLogin, TheRouteSaysByWhatAndAsWhom) {
    const test::Sshd sshd;
    const std::string key = sshd.makeLogin("ed25519", "");
    SshTransport transport(nodeWith(sshd, key));
    EXPECT_EQ(transport.route().way, "libssh2");
    EXPECT_EQ(transport.route().place, "");
    ASSERT_TRUE(transport.run({"exit 0", {}}, {}));
    const cluster::Route route = transport.route();
    EXPECT_THAT(route.place, testing::StartsWith(test::Sshd::user() + "@127.0.0.1:"));
    EXPECT_EQ(route.login, "key " + key);
    EXPECT_EQ(route.hostKey, "ssh-ed25519");
    EXPECT_EQ(route.through, "");
}

TEST(SshLogin, ARefusedOneSaysWhatWasTried) {
    const test::Sshd sshd;
    sshd.folder().write("authorized_keys", "");
    EXPECT_THAT(errorOf(sshd.node()),
                AllOf(HasSubstr("does not let in"), HasSubstr("id_ed25519"), HasSubstr("publickey")));
}

TEST(SshLogin, WithoutAKeyThatIsSaid) {
    const test::Sshd sshd;
    std::filesystem::remove(sshd.folder().path() / "id_ed25519");
    EXPECT_THAT(errorOf(sshd.node()), AllOf(HasSubstr("no key was found"), HasSubstr("ssh-copy-id")));
}

TEST(SshLogin, AKeyFileThatIsMissingIsNamed) {
    const test::Sshd sshd;
    sshd.folder().write("authorized_keys", "");
    EXPECT_THAT(errorOf(nodeWith(sshd, "/no/such/key")), AllOf(HasSubstr("there is no key file /no/such/key"),
                                                               HasSubstr("Correct the key of the node")));
}

TEST(SshLogin, AWrongPassphraseIsAskedThreeTimes) {
    const test::Sshd sshd(keysOnly);
    const auto node = nodeWith(sshd, sshd.makeLogin("ed25519", "right"));
    Typist typist({"a", "b", "c", "right"});
    EXPECT_THAT(errorOf(node, typist.answers), HasSubstr("the passphrase does not fit"));
    ASSERT_EQ(typist.requests.size(), 3U);
    EXPECT_THAT(typist.requests[0].title, HasSubstr("id_login"));
    EXPECT_EQ(typist.requests[0].node, "far");
    EXPECT_FALSE(typist.requests[0].prompts.at(0).echo);
}

TEST(SshLogin, APassphraseThatNobodyGivesIsNotAskedForAgain) {
    const test::Sshd sshd(keysOnly);
    const auto node = nodeWith(sshd, sshd.makeLogin("rsa", "right"));
    EXPECT_THAT(errorOf(node),
                AllOf(HasSubstr("nobody is there to type the passphrase"), HasSubstr("ssh-add")));
    Typist typist;
    EXPECT_THAT(errorOf(node, typist.answers), HasSubstr("no passphrase was given"));
    EXPECT_THAT(errorOf(node, typist.answers), HasSubstr("no passphrase was given"));
    EXPECT_EQ(typist.requests.size(), 1U);
}

TEST(SshLogin, APassphraseIsAskedForOnlyIfTheHostTakesTheKey) {
    const test::Sshd sshd(keysOnly);
    const std::string key = sshd.makeLogin("ed25519", "right");
    sshd.folder().write("authorized_keys", "");
    Typist typist({"right"});
    EXPECT_THAT(errorOf(nodeWith(sshd, key), typist.answers), HasSubstr("does not let in"));
    EXPECT_TRUE(typist.requests.empty());
}

TEST(SshLogin, IdentitiesOnlyKeepsTheAgentsOtherKeysBack) {
    const test::Sshd sshd;
    const Agent agent(sshd.makeLogin("ed25519"));
    EXPECT_EQ(errorOf(sshd.node()), "");
    sshd.writeConfig("Host box\n  IdentitiesOnly yes\n");
    EXPECT_THAT(errorOf(sshd.node()), AllOf(HasSubstr("does not let in"), Not(HasSubstr("agent"))));
    sshd.writeConfig(fmt::format("Host box\n  IdentitiesOnly yes\n  IdentityFile {}/id_login.pub\n",
                                 sshd.folder().path().string()));
    EXPECT_EQ(errorOf(sshd.node()), "") << "named by its public half";
}

TEST(SshLogin, AHostThatLosesItsPatienceSaysWhatToDo) {
    const test::Sshd sshd("KbdInteractiveAuthentication no");
    sshd.folder().write("authorized_keys", "");
    std::string config = "Host box\n";
    for (int i = 0; i < 6; ++i) {
        const std::string key = (sshd.folder().path() / fmt::format("key{}", i)).string();
        ASSERT_EQ(std::system(fmt::format("ssh-keygen -q -t ed25519 -N '' -f {}", key).c_str()), 0);
        config += "  IdentityFile " + key + "\n";
    }
    sshd.writeConfig(config);
    Typist typist({"password"});
    const Error error = tryOf(sshd.node(), typist.answers);
    EXPECT_THAT(describe(error), AllOf(HasSubstr("broke off the login"), HasSubstr("IdentitiesOnly")));
    EXPECT_EQ(error.kind, ErrorKind::Work) << "it would do so again";
    EXPECT_TRUE(typist.requests.empty()) << "nobody listens to a password any more";
}

// Passwords and prompts, through PAM.
class SshPasswords : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = test::Sshd::whyNoPasswords(); !why.empty()) {
            GTEST_SKIP() << why;
        }
    }

    static test::SshdOptions options(const std::string& settings) {
        return {.settings = settings, .password = "right"};
    }
};

constexpr const char* passwordOnly = "PubkeyAuthentication no\nKbdInteractiveAuthentication no";
constexpr const char* promptsOnly =
    "PubkeyAuthentication no\nPasswordAuthentication no\nKbdInteractiveAuthentication yes";

TEST_F(SshPasswords, APasswordLetsIn) {
    const test::Sshd sshd(options(passwordOnly));
    Typist typist({"wrong", "right"});
    EXPECT_EQ(errorOf(sshd.node(), typist.answers), "");
    ASSERT_EQ(typist.requests.size(), 2U);
    EXPECT_THAT(typist.requests[0].title, HasSubstr(test::Sshd::user() + "@[127.0.0.1]"));
    EXPECT_THAT(sshd.log(), HasSubstr("Accepted password"));
    EXPECT_EQ(errorOf(sshd.node(), typist.answers), "") << "a new login does not ask again";
    EXPECT_EQ(typist.requests.size(), 2U);
}

TEST_F(SshPasswords, AWrongOneIsAskedThreeTimes) {
    const test::Sshd sshd(options(std::string(passwordOnly) + "\nMaxAuthTries 20"));
    Typist typist({"a", "b", "c", "right"});
    EXPECT_THAT(errorOf(sshd.node(), typist.answers), HasSubstr("what was typed was wrong"));
    EXPECT_EQ(typist.requests.size(), 3U);
}

TEST_F(SshPasswords, AHostThatHangsUpOnWrongOnesIsNotTriedAgain) {
    const test::Sshd sshd(options(std::string(passwordOnly) + "\nMaxAuthTries 1"));
    Typist typist({"a", "right"});
    const Error error = tryOf(sshd.node(), typist.answers);
    EXPECT_THAT(describe(error), HasSubstr("what was typed was wrong"));
    EXPECT_EQ(error.kind, ErrorKind::Work);
    EXPECT_EQ(typist.requests.size(), 1U);
}

// It goes while the user types, so it has judged nothing.
TEST_F(SshPasswords, AHostThatGoesBeforeItJudgesAnAnswerIsTriedAgain) {
    for (const char* settings : {passwordOnly, promptsOnly}) {
        for (const auto way : {SshTransport::Way::Automatic, SshTransport::Way::Program}) {
            test::Sshd sshd(options(settings));
            int asked = 0;
            const auto type = [&](const PromptRequest&, const Limits&) {
                ++asked;
                sshd.stop();
                return std::optional(std::vector<std::string>{"right"});
            };
            SshTransport transport(sshd.node(), std::make_shared<CredentialCache>(AuthCallbacks{type, {}}),
                                   way);
            const auto gone = transport.run({"true", {}}, {60s, {}});
            ASSERT_FALSE(gone);
            EXPECT_EQ(gone.error().kind, ErrorKind::Transient) << describe(gone.error());
            sshd.start();
            EXPECT_TRUE(test::comesBack(transport));
            EXPECT_EQ(asked, 1) << "what was typed is remembered";
        }
    }
}

TEST_F(SshPasswords, PromptsReachTheUser) {
    const test::Sshd sshd(options(promptsOnly));
    Typist typist({"wrong", "right"});
    EXPECT_EQ(errorOf(sshd.node(), typist.answers), "");
    EXPECT_THAT(sshd.log(), HasSubstr("Accepted keyboard-interactive"));
    ASSERT_EQ(typist.requests.size(), 2U);
    EXPECT_FALSE(typist.requests[0].prompts.at(0).echo);
    EXPECT_EQ(errorOf(sshd.node(), typist.answers), "") << "a password is remembered here too";
    EXPECT_EQ(typist.requests.size(), 2U);
}

TEST_F(SshPasswords, TheSshProgramAsksTheSame) {
    for (const char* settings : {passwordOnly, promptsOnly}) {
        const test::Sshd sshd(options(settings));
        const auto errorByProgram = [&](Typist& typist) {
            SshTransport transport(sshd.node(), typist.answers, SshTransport::Way::Program);
            const auto result = transport.run({"true", {}}, {60s, {}});
            return result ? "" : describe(result.error());
        };
        Typist refusing;
        EXPECT_THAT(errorByProgram(refusing), HasSubstr("no answer was given"));
        EXPECT_EQ(refusing.requests.size(), 1U);
        // "Failed none" is how ssh asks for the ways to log in.
        EXPECT_THAT(sshd.log(), Not(testing::ContainsRegex("Failed (password|keyboard)")))
            << "a refusal is no failed try";
        Typist typist({"wrong", "right"});
        EXPECT_EQ(errorByProgram(typist), "") << settings;
        ASSERT_EQ(typist.requests.size(), 2U);
        EXPECT_THAT(typist.requests[0].title, HasSubstr(test::Sshd::user() + "@[127.0.0.1]"));
        EXPECT_EQ(errorByProgram(typist), "") << "a password is remembered here too";
        EXPECT_EQ(typist.requests.size(), 2U);
    }
}

TEST_F(SshPasswords, SeveralRoundsOfPromptsReachTheUser) {
    auto wanted = options(promptsOnly);
    // A module that asks for something and takes whatever is typed, then the password.
    wanted.pam = "auth required pam_ftp.so ignore users=" + test::Sshd::user() +
                 "\nauth required pam_unix.so nodelay\n";
    const test::Sshd sshd(wanted);
    Typist typist({"any", "right"});
    EXPECT_EQ(errorOf(sshd.node(), typist.answers), "");
    ASSERT_EQ(typist.requests.size(), 2U);
    EXPECT_THAT(typist.requests[0].prompts.at(0).text, HasSubstr("e-mail"));
}

TEST_F(SshPasswords, ARefusalIsNoFailedTry) {
    const test::Sshd sshd(options(promptsOnly));
    Typist typist;
    EXPECT_THAT(errorOf(sshd.node(), typist.answers), HasSubstr("no answer was given"));
    EXPECT_THAT(errorOf(sshd.node()), HasSubstr("nobody is there to type an answer"));
    EXPECT_THAT(sshd.log(), Not(HasSubstr("Failed keyboard-interactive")));
    EXPECT_EQ(typist.requests.size(), 1U);
}

TEST_F(SshPasswords, AConfigurationMayForbidToAsk) {
    const test::Sshd sshd(options(passwordOnly));
    sshd.writeConfig("Host box\n  BatchMode yes\n");
    Typist typist({"right"});
    EXPECT_THAT(errorOf(sshd.node(), typist.answers), HasSubstr("does not let in"));
    EXPECT_TRUE(typist.requests.empty());
}

TEST_F(SshPasswords, TwoFactors) {
    for (const char* second : {"password", "keyboard-interactive"}) {
        const test::Sshd sshd(options(
            fmt::format("KbdInteractiveAuthentication yes\nAuthenticationMethods publickey,{}", second)));
        const auto node = nodeWith(sshd, sshd.makeLogin("rsa", "phrase"));
        Typist typist({"phrase", "right"});
        EXPECT_EQ(errorOf(node, typist.answers), "") << second;
        EXPECT_EQ(typist.requests.size(), 2U);
        EXPECT_THAT(sshd.log(),
                    AllOf(HasSubstr("Partial publickey"), HasSubstr("Accepted " + std::string(second))));
    }
}

TEST(SshLogin, TwoKeysServeAsTwoFactors) {
    const test::Sshd sshd("AuthenticationMethods publickey,publickey");
    const std::string first = sshd.makeLogin("rsa");
    EXPECT_THAT(errorOf(nodeWith(sshd, first)), HasSubstr("does not let"));
    ASSERT_EQ(std::system(
                  fmt::format("cd {} && cat id_ed25519.pub >>authorized_keys", sshd.folder().path().string())
                      .c_str()),
              0);
    EXPECT_EQ(errorOf(nodeWith(sshd, first)), "");
}

// What a socket does that is no sshd.
class DeafServer {
public:
    // `backlog` 0: it does not even take connections once one waits.
    explicit DeafServer(int backlog) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address_;
        EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address_), size), 0);
        ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address_), &size);
        EXPECT_EQ(::listen(socket_.get(), backlog), 0);
        for (int i = 0; backlog == 0 && i < 4; ++i) {
            callers_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
            (void)!::connect(callers_.back().get(), reinterpret_cast<sockaddr*>(&address_), sizeof address_);
        }
    }
    [[nodiscard]] std::string config() const {
        return fmt::format("Host box\n  Port {}\n  ConnectTimeout 1\n", ntohs(address_.sin_port));
    }

private:
    Descriptor socket_;
    sockaddr_in address_{};
    std::vector<Descriptor> callers_;
};

TEST(SshUnreachable, AHostThatDiesDuringTheBannerIsNamed) {
    const test::Sshd sshd;
    const DeafServer server(10);
    sshd.writeConfig(server.config());
    const Error error = tryOf(sshd.node());
    EXPECT_THAT(describe(error), AllOf(HasSubstr("does not greet"), HasSubstr("no answer in time")));
    EXPECT_EQ(error.kind, ErrorKind::Transient);
}

// A caller who is greeted, never logs in and so takes up one of the host's logins (MaxStartups).
Descriptor callWithoutLogin(const test::Sshd& sshd) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(sshd.port()));
    for (int tries = 0; tries < 400; ++tries) {  // those who looked whether it listens may still count
        Descriptor caller(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        std::string greeting(4, ' ');
        if (::connect(caller.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
            ::recv(caller.get(), greeting.data(), greeting.size(), MSG_WAITALL) == 4 && greeting == "SSH-") {
            return caller;
        }
        std::this_thread::sleep_for(5ms);
    }
    ADD_FAILURE() << "the host greets nobody";
    return Descriptor(-1);
}

// How often the host has hung up on a caller for want of room.
std::size_t countDropped(const test::Sshd& sshd) {
    return sshd.logged("drop connection");
}

TEST(SshUnreachable, AHostThatHasNoRoomForALoginIsTriedAgainAndNamesItsLimit) {
    const test::Sshd sshd("MaxStartups 1");
    const Descriptor first = callWithoutLogin(sshd);
    const std::size_t before = countDropped(sshd);
    const Error error = tryOf(sshd.node());
    EXPECT_THAT(describe(error), AllOf(HasSubstr("it hangs up"), HasSubstr("MaxStartups")));
    EXPECT_EQ(error.kind, ErrorKind::Transient);
    EXPECT_GE(countDropped(sshd), before + 3);
}

TEST(SshUnreachable, ALoginThatFindsNoRoomWaitsForIt) {
    const test::Sshd sshd("MaxStartups 1");
    Descriptor first = callWithoutLogin(sshd);
    const std::size_t before = countDropped(sshd);
    Error error{"not tried", {}, {}, ErrorKind::Work};
    {
        const std::jthread thread([&] { error = tryOf(sshd.node()); });
        for (int tries = 0; countDropped(sshd) == before && tries < 4000; ++tries) {
            std::this_thread::sleep_for(5ms);
        }
        first.close();
    }
    EXPECT_GT(countDropped(sshd), before);
    EXPECT_EQ(error.what, "");
}

TEST(SshUnreachable, AHostThatDoesNotAnswerIsNamed) {
    const test::Sshd sshd;
    const DeafServer server(0);
    sshd.writeConfig(server.config());
    const Error error = tryOf(sshd.node());
    EXPECT_THAT(describe(error),
                AllOf(HasSubstr("does not answer: Connection timed out"), HasSubstr("the machine is on")));
    EXPECT_EQ(error.kind, ErrorKind::Transient);
}

TEST(SshUnreachable, AClosedPortIsNamed) {
    test::Sshd sshd;
    sshd.stop();
    const Error error = tryOf(sshd.node());
    EXPECT_THAT(describe(error), AllOf(HasSubstr("Connection refused"), HasSubstr("sshd runs there")));
    EXPECT_EQ(error.kind, ErrorKind::Transient);
}

TEST(SshUnreachable, ANetworkWithoutARouteIsNamed) {
    const test::Sshd sshd;
    sshd.writeConfig("Host box\n  HostName 192.0.2.1\n");
    bool alone = false;
    Error error;
    // A thread in a network of its own, which has no way out; those that it starts share it.
    std::jthread([&] {
        alone = ::unshare(CLONE_NEWNET) == 0;
        error = alone ? tryOf(sshd.node()) : Error{};
    }).join();
    if (!alone) {
        GTEST_SKIP() << "this machine grants no network namespace";
    }
    EXPECT_THAT(describe(error), AllOf(HasSubstr("192.0.2.1 port"), HasSubstr("Network is unreachable"),
                                       HasSubstr("the network between")));
    EXPECT_EQ(error.kind, ErrorKind::Transient);
}

}  // namespace
}  // namespace dlperf::remote
