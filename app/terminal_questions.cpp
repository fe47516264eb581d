// SPDX-License-Identifier: Apache-2.0
#include "app/terminal_questions.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>
#include <csignal>

#include <iostream>
#include <memory>

#include "app/run_inputs.h"
#include "core/base/descriptor.h"
#include "core/base/text.h"

namespace dlperf::app {
namespace {

constexpr int nap = 50;  // ms; how long a stop may go unseen
constexpr char interrupt = 0x03;
constexpr char endOfInput = 0x04;
constexpr char eraseLine = 0x15;
constexpr std::size_t longestAnswer = 4096;

// Of the foreground: a process in the background would be stopped for touching it.
Descriptor openTerminal() {
    Descriptor end(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
    if (end.open() && ::tcgetpgrp(end.get()) != ::getpgrp()) {
        end.close();
    }
    return end;
}

// The terminal, with keys read one by one: what is typed can be hidden, and an interrupt cannot leave it so.
class Terminal {
public:
    Terminal() : end_(openTerminal()) {
        if (!end_.open() || ::tcgetattr(end_.get(), &before_) != 0) {
            end_.close();
            return;
        }
        termios raw = before_;
        raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        ::tcsetattr(end_.get(), TCSAFLUSH, &raw);
    }
    ~Terminal() {
        if (end_.open()) {
            ::tcsetattr(end_.get(), TCSAFLUSH, &before_);
        }
        if (interrupted_) {
            ::kill(::getpid(), SIGINT);
        }
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    [[nodiscard]] bool open() const { return end_.open(); }
    void print(const std::string& text) const { (void)writeAll(end_.get(), text); }

    // Nothing where the user breaks off (Ctrl-C, Ctrl-D), at the deadline and on a stop.
    std::optional<std::string> readLine(bool echo, const remote::Limits& limits) {
        const auto until = std::chrono::steady_clock::now() + limits.deadline;
        std::string line;
        while (!limits.stop.stop_requested() && std::chrono::steady_clock::now() < until) {
            pollfd ready{end_.get(), POLLIN, 0};
            char key = 0;
            if (::poll(&ready, 1, nap) <= 0) {
                continue;
            }
            if (::read(end_.get(), &key, 1) != 1 || key == interrupt || (key == endOfInput && line.empty())) {
                interrupted_ = key == interrupt;
                break;
            }
            if (key == '\n' || key == '\r') {
                print("\n");
                return line;
            }
            type(line, key, echo);
        }
        print("\n");
        return {};
    }

private:
    void type(std::string& line, char key, bool echo) const {
        if (key == '\b' || key == 0x7f) {
            eraseLetter(line, echo);
        } else if (key == eraseLine) {
            while (!line.empty()) {
                eraseLetter(line, echo);
            }
        } else if (static_cast<unsigned char>(key) >= ' ' && line.size() < longestAnswer) {
            line += key;
            if (echo) {
                print({key});
            }
        }
    }

    // With all the bytes that it has in UTF-8.
    void eraseLetter(std::string& line, bool echo) const {
        const bool any = !line.empty();
        while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) {
            line.pop_back();
        }
        if (!line.empty()) {
            line.pop_back();
        }
        if (any && echo) {
            print("\b \b");
        }
    }

    Descriptor end_;
    termios before_{};
    bool interrupted_ = false;
};

std::optional<std::vector<std::string>> askPrompts(const remote::PromptRequest& request,
                                                   const remote::Limits& limits) {
    Terminal terminal;
    if (!terminal.open()) {
        return {};
    }
    terminal.print(fmt::format("\nnode {}: {}\n", printable(request.node), printable(request.title)));
    if (!request.instruction.empty()) {
        for (const std::string_view line : split(request.instruction, '\n')) {
            terminal.print(printable(std::string(line)) + "\n");
        }
    }
    std::vector<std::string> answers;
    for (const remote::Prompt& prompt : request.prompts) {
        const std::string text = printable(prompt.text);
        terminal.print(text + (text.ends_with(':') || text.ends_with('?') ? " " : ": "));
        auto answer = terminal.readLine(prompt.echo, limits);
        if (!answer) {
            return {};
        }
        answers.push_back(std::move(*answer));
    }
    return answers;
}

remote::HostKeyDecision askHostKey(const remote::HostKeyRequest& question, const remote::Limits& limits) {
    Terminal terminal;
    if (!terminal.open()) {
        return remote::HostKeyDecision::Refuse;
    }
    terminal.print(fmt::format(
        "\nnode {}: the host {} is not known. Its key is\n  {} {}\n"
        "Compare it with the machine's own before you trust it.\n",
        printable(question.node), printable(question.host), printable(question.type), question.fingerprint));
    const std::string stored =
        question.file.empty() ? "" : fmt::format(" (stored in {})", printable(question.file.string()));
    for (;;) {
        terminal.print(fmt::format("Trust it? yes{}, once, no: ", stored));
        const auto answer = terminal.readLine(true, limits);
        const std::string word = answer ? lower(trim(*answer)) : "no";
        if (word == "yes") {
            return remote::HostKeyDecision::TrustAndStore;
        }
        if (word == "once") {
            return remote::HostKeyDecision::TrustOnce;
        }
        if (word == "no") {
            return remote::HostKeyDecision::Refuse;
        }
    }
}

remote::HostKeyDecision acceptHostKey(const remote::HostKeyRequest& question,
                                      const remote::Limits& /*limits*/) {
    std::cerr << fmt::format("node {}: trusts the new host key of {}: {} {}\n", printable(question.node),
                             printable(question.host), printable(question.type), question.fingerprint);
    return remote::HostKeyDecision::TrustAndStore;
}

}  // namespace

remote::TransportFactory terminalTransports(const AskOptions& options) {
    remote::AuthCallbacks callbacks;
    if (options.mayPrompt && openTerminal().open()) {
        callbacks = {askPrompts, askHostKey};
    }
    if (options.acceptNew) {
        callbacks.hostKey = acceptHostKey;
    }
    return remote::interactiveTransports(
        std::make_shared<remote::CredentialCache>(std::move(callbacks), options.cached));
}

Result<remote::CachedCredentials> readCachedCredentials() {
    constexpr std::size_t mostAnswers = 1U << 20U;  // some text more than all secrets of a cluster
    std::string text(mostAnswers, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    return remote::cachedCredentialsFromJson(text);
}

}  // namespace dlperf::app
