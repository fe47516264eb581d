// SPDX-License-Identifier: Apache-2.0
// The command line against a node over SSH: what it asks on a terminal, and what it says without one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <array>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "tests/run/lab.h"
#include "tests/support/sshd.h"

namespace dlperf {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A node list with the one node that is this machine, over SSH. `key` may be empty.
std::string clusterOf(run::Lab& lab, const std::string& key, const Json& more = {}) {
    Json changes{{"local", false}, {"host", "box"}, {"identity_file", key}};
    changes.update(more.is_object() ? more : Json::object());
    return lab.cluster(1, changes).string();
}

// dlperf on a terminal of its own, with a user who types a line at each prompt.
class OnTerminal {
public:
    explicit OnTerminal(const std::vector<std::string>& arguments) {
        std::vector<std::string> words{DLPERF_BINARY_DIR "/bin/dlperf"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (std::string& word : words) {
            pointers.push_back(word.data());
        }
        pointers.push_back(nullptr);
        int end = -1;
        process_ = ::forkpty(&end, nullptr, nullptr, nullptr);
        if (process_ == 0) {
            ::execv(pointers[0], pointers.data());
            ::_exit(127);
        }
        end_ = Descriptor(end);
    }
    ~OnTerminal() {
        if (process_ > 0) {
            ::kill(process_, SIGKILL);
            ::waitpid(process_, nullptr, 0);
        }
    }
    OnTerminal(const OnTerminal&) = delete;
    OnTerminal& operator=(const OnTerminal&) = delete;
    OnTerminal(OnTerminal&&) = delete;
    OnTerminal& operator=(OnTerminal&&) = delete;

    // What came up to these words; fails the test where they do not come.
    void answer(const std::string& prompt, const std::string& keys) {
        ASSERT_TRUE(readUntil([&] { return screen_.find(prompt, answered_) != std::string::npos; }))
            << "waiting for " << prompt << " in\n"
            << screen_;
        answered_ = screen_.find(prompt, answered_) + prompt.size();
        ASSERT_EQ(writeAll(end_.get(), keys), 0);
    }
    // 128 + number of a signal.
    int wait() {
        int status = 0;
        EXPECT_TRUE(readUntil([&] { return ::waitpid(process_, &status, WNOHANG) == process_; })) << screen_;
        process_ = 0;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    [[nodiscard]] const std::string& screen() const { return screen_; }

private:
    bool readUntil(const std::function<bool()>& holds) {
        return run::eventually([&] {
            pollfd ready{end_.get(), POLLIN, 0};
            std::array<char, 4096> buffer{};
            while (::poll(&ready, 1, 10) > 0 && (ready.revents & POLLIN) != 0) {
                const ssize_t got = ::read(end_.get(), buffer.data(), buffer.size());
                screen_.append(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
                if (got <= 0) {
                    break;
                }
            }
            return holds();
        });
    }

    pid_t process_ = -1;
    Descriptor end_;
    std::string screen_;
    std::size_t answered_ = 0;
};

TEST(CliSsh, ARunAsksForTheHostAndThePassphraseOnce) {
    const test::Sshd sshd;
    sshd.writeKnownHosts("");
    run::Lab lab;
    const auto plan = lab.plan();
    OnTerminal terminal(lab.runArguments(
        plan, {"--cluster", clusterOf(lab, sshd.makeLogin("rsa", "secret phrase"), {{"devices", nullptr}})}));
    terminal.answer("Trust it?", "perhaps\n");
    terminal.answer("Trust it?", "yes\n");
    terminal.answer("Passphrase: ", "wrong\n");
    terminal.answer("Passphrase: ",
                    "secret phrasx\x7f"
                    "e\n");
    EXPECT_EQ(terminal.wait(), 0) << terminal.screen();
    EXPECT_THAT(terminal.screen(), AllOf(HasSubstr("SHA256:"), HasSubstr("The last one does not fit"),
                                         Not(HasSubstr("secret")), Not(HasSubstr("wrong"))));
    EXPECT_EQ(lab.runs().at(0).outcome, Outcome::Ok);
    EXPECT_THAT(readFile(sshd.folder().path() / "known_hosts").value_or(""),
                HasSubstr(sshd.hostKey("ed25519")));
}

TEST(CliSsh, AnInterruptAtAPromptEndsTheProgram) {
    const test::Sshd sshd;
    sshd.writeKnownHosts("");
    run::Lab lab;
    const auto plan = lab.plan();
    OnTerminal terminal(lab.runArguments(plan, {"--cluster", clusterOf(lab, "", {{"devices", nullptr}})}));
    terminal.answer("Trust it?", "\x03");
    EXPECT_EQ(terminal.wait(), 1) << terminal.screen();
    EXPECT_THAT(terminal.screen(), HasSubstr("was interrupted"));
    EXPECT_TRUE(lab.runs().empty());
}

TEST(CliSsh, WithoutATerminalNewHostsAreRefused) {
    const test::Sshd sshd;
    sshd.writeKnownHosts("");
    run::Lab lab;
    const auto plan = lab.plan();
    const auto ended =
        lab.dlperf(lab.runArguments(plan, {"--cluster", clusterOf(lab, "", {{"devices", nullptr}})}));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("is not known"), HasSubstr("SHA256:")));
}

TEST(CliSsh, AcceptNewTrustsAndStoresThem) {
    const test::Sshd sshd;
    for (const std::string how : {"", "--detach"}) {
        sshd.writeKnownHosts("");
        run::Lab lab;
        const auto plan = lab.plan();
        auto arguments = lab.runArguments(plan, {"--cluster", clusterOf(lab, ""), "--accept-new"});
        if (!how.empty()) {
            arguments.push_back(how);
        }
        const auto ended = lab.dlperf(arguments);
        EXPECT_EQ(ended.exitCode, 0) << ended.errors;
        ASSERT_TRUE(lab.waitForFinish());
        EXPECT_EQ(lab.runs().at(0).outcome, Outcome::Ok) << lab.runs().at(0).reason;
        EXPECT_THAT(readFile(sshd.folder().path() / "known_hosts").value_or(""),
                    HasSubstr(sshd.hostKey("ed25519")));
    }
}

TEST(CliSsh, AcceptNewDoesNotTakeAChangedKey) {
    const test::Sshd sshd;
    const std::string other = readFile(sshd.folder().path() / "id_ed25519.pub").value();
    sshd.writeKnownHosts(fmt::format("[127.0.0.1]:{} {}", sshd.port(), other));
    run::Lab lab;
    const auto plan = lab.plan();
    const auto ended = lab.dlperf(
        lab.runArguments(plan, {"--cluster", clusterOf(lab, "", {{"devices", nullptr}}), "--accept-new"}));
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("is another one than before"));
}

}  // namespace
}  // namespace dlperf
