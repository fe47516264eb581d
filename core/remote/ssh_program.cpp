// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <thread>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/remote/command_frame.h"
#include "core/remote/known_hosts.h"
#include "core/remote/local_transport.h"

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Milliseconds programConnectTime{15'000};
constexpr Milliseconds loginTime{60'000};  // a token wants to be touched
constexpr Milliseconds remoteKillTime{30'000};
constexpr Milliseconds lastKills{5'000};  // for kills that are under way, when the connection ends
constexpr Milliseconds lastKillsNap{20};
constexpr std::string_view killMark = "kill.";  // files of the folder: one a kill that is under way
constexpr Milliseconds birthTime{2'000};        // from the end of a call until its command must have begun
constexpr Milliseconds longestLogin{24 * 3'600'000};  // with the user's time for its questions
constexpr std::size_t mostWords = 4096;
constexpr int passphraseTries = 3;  // NumberOfPasswordPrompts, unless the configuration says another
constexpr int mostSessions = 8;     // sshd grants ten a connection by default
constexpr int failed = 255;         // what ssh says of itself; else it is the command's exit code

// Whatever the configuration says of terminals, forwards and commands of its own: this is none of it. The
// first value of an option holds.
constexpr const char* plain =
    " -T -o BatchMode=yes -o RemoteCommand=none -o PermitLocalCommand=no -o ClearAllForwardings=yes"
    " -o ForwardAgent=no -o ForwardX11=no -o UpdateHostKeys=no -o CheckHostIP=no -o LogLevel=ERROR";

// The last line without its full stop: what went before are banners and warnings.
std::string lastLine(std::string_view text) {
    text = trim(text);
    text.remove_suffix(text.ends_with('.') ? 1 : 0);
    const std::size_t end = text.rfind('\n');
    return firstLine(trim(end == std::string_view::npos ? text : text.substr(end + 1)));
}

// An option of ssh's command line as one word of a shell.
std::string option(const std::string& text) {
    return " -o " + shellQuote(text);
}

// The host is asked for a key of these types first.
std::string algorithmsFirst(const std::vector<std::string>& types) {
    std::vector<std::string> names;
    for (const std::string& type : types) {
        std::ranges::move(hostKeyAlgorithms(type), std::back_inserter(names));
    }
    return names.empty() ? "" : option("HostKeyAlgorithms=^" + join(names, ","));
}

Failure refusal(const SshSettings& settings, const std::string& errors, const std::string& where,
                const std::vector<std::string>& problems = {}) {
    const std::string said = lastLine(errors);
    const bool denied = said.find("Permission denied") != std::string::npos;
    const bool lasting = denied || !problems.empty() || said.find("no matching") != std::string::npos ||
                         said.find("Too many authentication failures") != std::string::npos;
    std::vector<std::string> words{said.empty() ? "it said nothing" : said};
    std::ranges::copy(problems, std::back_inserter(words));
    const std::string reason = join(words, "; ");
    return fail(
        denied || !problems.empty()
            ? fmt::format("{}@{} does not let the ssh program in: {}", settings.user, settings.host, reason)
            : fmt::format("the ssh program does not reach {}: {}", settings.host, reason),
        where,
        denied ? "Load the key with ssh-add, or put it into its authorized_keys (ssh-copy-id)."
               : "Try ssh " + shellQuote(settings.alias) + " in a terminal.",
        lasting ? ErrorKind::Work : ErrorKind::Transient);
}

// ssh asks by resources/ssh_askpass.sh, which passes each question and its answer through two named pipes.
class Askpass {
public:
    Askpass(const SshSettings& settings, CredentialProvider& credentials)
        : settings_(settings), credentials_(credentials) {}

    [[nodiscard]] Result<void> open(const std::filesystem::path& folder) {
        const auto resources = TRY(resourceFolder());
        environment_ =
            "SSH_ASKPASS_REQUIRE=force SSH_ASKPASS=" + shellQuote((resources / "ssh_askpass.sh").string()) +
            " DLPERF_ASKPASS=" + shellQuote(folder.string()) + " ";
        questions_ = openPipe(folder / "question");
        answers_ = openPipe(folder / "answer");
        return questions_.open() && answers_.open()
                   ? Result<void>()
                   : fail(fmt::format("no pipe can be made: {}", std::strerror(errno)), folder.string(), {},
                          ErrorKind::Transient);
    }
    // Goes in front of ssh's command line.
    [[nodiscard]] const std::string& environment() const { return environment_; }

    // Answers what ssh asks at the moment, after it has said these words. False where the user refuses: ssh
    // is to be ended while it waits, for it would try an empty password.
    [[nodiscard]] bool serve(std::string_view words) {
        std::array<char, 4096> buffer{};
        const ssize_t got = ::read(questions_.get(), buffer.data(), buffer.size());
        question_.append(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
        const std::size_t end = question_.find('\0');
        if (end == std::string::npos) {
            return true;
        }
        const std::string text(trim(std::string_view(question_).substr(0, end)));
        question_.clear();
        Asked& asked = asked_[text];
        ++asked.times;
        asked.answer = answerTo(text, words.substr(std::min(words.size(), heard_)), asked.answer);
        heard_ = words.size();
        if (refused_) {
            return false;
        }
        const std::string line = asked.answer ? "=" + asked.answer->substr(0, asked.answer->find('\n')) : "";
        return writeAll(answers_.get(), line + "\n") == 0;
    }

    // What kept ssh from getting in, a part of a sentence each. `errors` are its last words: without a
    // refusal among them the connection went before the host had judged what was typed.
    [[nodiscard]] std::vector<std::string> problems(const std::string& errors) const {
        const bool judged =
            std::ranges::any_of(std::array{"Permission denied", "Too many authentication failures"},
                                [&](const char* words) { return errors.find(words) != std::string::npos; });
        std::vector<std::string> all = problems_;
        for (const auto& [text, asked] : asked_) {
            const std::string key = keyOf(text);
            if (!key.empty() && asked.answer && asked.times >= passphraseTries) {
                all.push_back("the passphrase does not fit " + cleanUtf8(key));
            } else if (key.empty() && asked.answer && judged) {
                all.emplace_back("what was typed was wrong");
            }
        }
        return all;
    }

private:
    struct Asked {
        std::optional<std::string> answer;  // the last one
        int times = 0;
    };

    // Open at both ends, so that opening waits for nobody and nobody's end breaks it.
    static Descriptor openPipe(const std::filesystem::path& path) {
        ::unlink(path.c_str());
        return Descriptor(::mkfifo(path.c_str(), S_IRUSR | S_IWUSR) == 0
                              ? ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)
                              : -1);
    }

    // The file whose passphrase is asked for; empty where something else is.
    static std::string keyOf(const std::string& text) {
        constexpr std::string_view begin = "Enter passphrase for key '";
        const std::size_t end = text.rfind('\'');
        return text.starts_with(begin) && end >= begin.size() ? text.substr(begin.size(), end - begin.size())
                                                              : "";
    }

    // "ada@box's password:", or the same of a host's prompt: "(ada@box) Password:". Not another host's, which
    // a proxy command may ask for.
    [[nodiscard]] bool isPassword(const std::string& text) const {
        return std::ranges::any_of(std::array{settings_.host, settings_.alias}, [&](const std::string& host) {
            const std::string account = fmt::format("{:.30}@{:.128}", settings_.user, lower(host));
            return text == account + "'s password:" || lower(text) == lower("(" + account + ") password:");
        });
    }

    std::optional<std::string> answerTo(const std::string& text, std::string_view words,
                                        const std::optional<std::string>& wrong) {
        if (const std::string key = keyOf(text); !key.empty()) {
            auto answer = credentials_.passphrase(key, wrong);
            if (!answer) {  // ssh goes on with the next key
                problems_.push_back((credentials_.canPrompt()
                                         ? "no passphrase was given for "
                                         : "nobody is there to type the passphrase of ") +
                                    cleanUtf8(key));
            }
            return answer;
        }
        std::optional<std::string> answer;
        if (isPassword(text)) {
            answer = credentials_.password(settings_, wrong);
        } else if (const auto typed = credentials_.prompts(settings_, "", words, {{text, false}})) {
            answer = typed->front();
        }
        if (!answer) {
            refused_ = true;
            problems_.emplace_back(credentials_.canPrompt() ? "no answer was given"
                                                            : "nobody is there to type an answer");
        }
        return answer;
    }

    const SshSettings& settings_;
    CredentialProvider& credentials_;
    std::string environment_;
    Descriptor questions_;
    Descriptor answers_;
    std::string question_;  // as much of it as has come
    std::size_t heard_ = 0;
    std::map<std::string, Asked> asked_;  // by ssh's words
    std::vector<std::string> problems_;
    bool refused_ = false;
};

}  // namespace

SshProgram::SshProgram(cluster::Node node, std::shared_ptr<CredentialCache> cache)
    : node_(std::move(node)), cache_(std::move(cache)), where_("node " + node_.name) {}

SshProgram::~SshProgram() {
    // A command that was stopped must not outlive this program: its kill goes by the connection.
    const auto until = Clock::now() + lastKills;
    while (isKilling() && Clock::now() < until) {
        std::this_thread::sleep_for(lastKillsNap);
    }
    disconnect();
    std::error_code error;
    if (!folder_.empty()) {
        std::filesystem::remove_all(folder_, error);
    }
}

Result<CommandResult> SshProgram::run(const Command& command, const Limits& limits) {
    TRY(ensureConnected(limits));
    std::unique_lock lock(mutex_);
    if (!free_.wait_for(lock, limits.stop, limits.deadline, [&] { return sessions_ < mostSessions; })) {
        return endedEarly(limits, where_);
    }
    ++sessions_;
    lock.unlock();
    auto result = runInSession(command, limits);
    lock.lock();
    --sessions_;
    free_.notify_all();
    return result;
}

// One call connects, and others wait for it.
Result<void> SshProgram::ensureConnected(const Limits& limits) {
    std::unique_lock lock(mutex_);
    const auto begin = Clock::now();
    const auto until = [&] { return pause_.end(begin, limits.deadline); };
    while (connecting_ && !limits.stop.stop_requested() && Clock::now() < until()) {
        free_.wait_until(lock, limits.stop, until(), [&] { return !connecting_; });
    }
    if (connecting_) {
        return endedEarly(limits, where_);
    }
    if (!lost_ && isConnected()) {
        return {};
    }
    if (const auto failure = backOff_.standing()) {
        return Failure(*failure);
    }
    connecting_ = true;
    lock.unlock();
    auto connected = connect(limits.stop);
    lock.lock();
    connecting_ = false;
    free_.notify_all();
    lost_ = lost_ && !connected;
    connected ? backOff_.succeeded() : backOff_.failed(connected.error());
    return connected;
}

// The master removes its socket when it ends.
bool SshProgram::isConnected() const {
    std::error_code error;
    return !folder_.empty() && std::filesystem::exists(folder_ / "control", error);
}

Result<void> SshProgram::connect(const std::stop_token& stop) {
    CredentialProvider credentials(node_.name, cache_, stop, [this](bool open) {
        const std::scoped_lock lock(mutex_);
        pause_.note(open);
    });
    const auto settings = TRY(askSshSettings(node_, {programConnectTime, stop}));
    auto entered = logIn(settings, credentials, stop);
    // The host may have hung up on a user who thought for long: his answers are remembered.
    const bool again = !entered && credentials.hasAsked() && entered.error().kind == ErrorKind::Transient;
    return again && !stop.stop_requested() ? logIn(settings, credentials, stop) : entered;
}

Result<void> SshProgram::logIn(const SshSettings& settings, CredentialProvider& credentials,
                               const std::stop_token& stop) {
    disconnect();
    TRY(makeFolder());
    const Limits limits{settings.connectTime.value_or(programConnectTime), stop};
    TRY(learnHostKey(settings, credentials, limits));
    auto started = startMaster(settings, credentials, stop);
    const std::scoped_lock lock(mutex_);
    route_ = routeOf(settings, "ssh program");
    return started;
}

cluster::Route SshProgram::route() const {
    const std::scoped_lock lock(mutex_);
    return route_;
}

Result<void> SshProgram::makeFolder() {
    if (!folder_.empty()) {
        return {};
    }
    const char* own = std::getenv("XDG_RUNTIME_DIR");  // the path of a socket has to be short
    for (const std::string base : {own != nullptr ? own : "", "/tmp"}) {
        std::string path = base + "/dlperf-ssh-XXXXXX";
        if (!base.empty() && ::mkdtemp(path.data()) != nullptr) {
            folder_ = path;
            return {};
        }
    }
    return fail(fmt::format("no folder can be made for the connection: {}", std::strerror(errno)), where_, {},
                ErrorKind::Transient);
}

std::string SshProgram::program(const SshSettings& settings) const {
    std::string line = sshArguments(node_) + plain;
    line += option(
        fmt::format("ConnectTimeout={}", settings.connectTime.value_or(programConnectTime).count() / 1000));
    if (std::string proxy = proxyCommandOf(settings); !proxy.empty()) {
        // As the library's connections have it: hops in batch mode, since nobody could answer them.
        std::string escaped;
        for (const char letter : proxy) {
            escaped += letter == '%' ? "%%" : std::string(1, letter);
        }
        line += option("ProxyJump=none") + option("ProxyCommand=sh -c " + shellQuote(escaped));
    }
    return line;
}

// The key is judged by the same rules as everywhere, so it is asked for first, by a connection that shows the
// host no key of the user's. The connection that logs in then takes this key and no other.
Result<void> SshProgram::learnHostKey(const SshSettings& settings, CredentialProvider& credentials,
                                      const Limits& limits) {
    const HostKeyCheck check(settings);
    const auto file = folder_ / "host";
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    const std::string line = "SSH_ASKPASS_REQUIRE=never exec ssh" + program(settings) +
                             option("ControlPath=none") + option("PreferredAuthentications=none") +
                             option("StrictHostKeyChecking=accept-new") +
                             option("UserKnownHostsFile=" + file.string()) +
                             option("GlobalKnownHostsFile=/dev/null") + option("HashKnownHosts=no") +
                             algorithmsFirst(check.knownTypes()) + " -- " + shellQuote(node_.host) + " true";
    const auto answer = TRY(runChild({line, {}}, limits, where_));
    const auto text = readFile(file);
    const auto keys = parseKnownHosts(text ? *text : "");
    return keys.empty() ? refusal(settings, answer.errors, where_)
                        : check.judge(keys.front().key, credentials, where_);
}

Result<void> SshProgram::startMaster(const SshSettings& settings, CredentialProvider& credentials,
                                     const std::stop_token& stop) {
    Askpass askpass(settings, credentials);
    TRY(askpass.open(folder_));
    std::string line = askpass.environment() + "exec ssh";
    if (settings.mayAsk) {
        line += " -o BatchMode=no -o LogLevel=INFO";
    }
    if (!credentials.canPrompt()) {
        line += " -o PasswordAuthentication=no -o KbdInteractiveAuthentication=no";
    }
    line += program(settings) + " -M -N -f" + option("ControlPersist=60") +
            option("ControlPath=" + (folder_ / "control").string()) + option("StrictHostKeyChecking=yes") +
            option("UserKnownHostsFile=" + (folder_ / "host").string()) +
            option("GlobalKnownHostsFile=/dev/null") + option("ServerAliveInterval=10") +
            option("ServerAliveCountMax=3") + " -- " + shellQuote(node_.host);
    std::string errors;
    auto until = Clock::now() + loginTime;
    bool refused = false;
    const ChildListener listener{
        .output = [](std::string_view) {},
        .errors =
            [&](std::string_view bytes) {
                errors.append(bytes.substr(0, mostWords - std::min(mostWords, errors.size())));
            },
        .enough =
            [&] {
                const auto begin = Clock::now();
                refused = !askpass.serve(errors);
                until += Clock::now() - begin;
                return refused || Clock::now() > until;
            }};
    const auto code = TRY(runChild({line, {}}, {longestLogin, stop}, where_, listener));
    if (code == 0 && isConnected()) {
        earlierLogin_.letIn();
        return {};
    }
    if (code < 0 && !refused) {
        return endedEarly({loginTime, stop}, where_);
    }
    const auto problems = askpass.problems(errors);
    const Failure failure = refusal(settings, errors, where_, problems);
    return problems.empty() ? Failure(earlierLogin_.judge(failure.value())) : failure;
}

void SshProgram::disconnect() {
    if (isConnected()) {
        (void)runChild({session("") + " -O exit", {}}, {programConnectTime, {}}, where_);
        std::error_code error;
        std::filesystem::remove(folder_ / "control", error);
    }
}

// Through the shared connection or not at all: without it ssh would log in anew, by other rules.
std::string SshProgram::session(const std::string& line) const {
    return "exec ssh" + std::string(plain) + option("ControlPath=" + (folder_ / "control").string()) +
           option("ControlMaster=no") + option("ProxyJump=none") + option("ProxyCommand=exit 1") +
           (line.empty() ? "" : " -- " + shellQuote(node_.host) + " " + shellQuote(line));
}

Result<CommandResult> SshProgram::runInSession(const Command& command, const Limits& limits) {
    CommandFrame frame(command);
    std::string words;  // the program's own, among others'
    auto until = Clock::now() + limits.deadline;
    const auto isOver = [&] {
        until = limits.stop.stop_requested() ? std::min(until, Clock::now()) : until;
        return Clock::now() >= until;
    };
    const ChildListener listener{
        .output = [&](std::string_view bytes) { frame.takeOutput(bytes); },
        .errors =
            [&](std::string_view bytes) {
                frame.takeErrors(bytes);
                words.append(bytes.substr(0, mostWords - std::min(mostWords, words.size())));
            },
        // What is to be killed says first which process it is.
        .enough =
            [&] {
                return frame.ended() || (isOver() && (frame.process() || Clock::now() > until + birthTime));
            }};
    const auto code = runChild({session(loginShellCommand(frame.script())), command.input},
                               {limits.deadline + 2 * birthTime, {}}, where_, listener);
    if (frame.ended()) {
        return frame.result();
    }
    if (!code || isOver()) {
        if (frame.process()) {
            kill(*frame.process());
        }
        return code ? endedEarly(limits, where_) : Failure(code.error());
    }
    if (*code != failed) {
        Error error = frame.brokenOff();
        error.where = where_;
        return Failure(error);
    }
    if (words.find("refused by peer") == std::string::npos) {
        const std::scoped_lock lock(mutex_);
        lost_ = true;
    }
    return fail("the connection was lost: " + firstLine(words), where_, {}, ErrorKind::Transient);
}

// Ending the program leaves the command running. Nobody waits for this: the call has ended.
void SshProgram::kill(pid_t leader) const {
    const std::string line = session(loginShellCommand(killCommand(leader)));
    const std::string mark = shellQuote((folder_ / fmt::format("{}{}", killMark, leader)).string());
    (void)runChild({fmt::format(": >{0}; (({1}); rm -f {0}) </dev/null >/dev/null 2>&1 &", mark, line), {}},
                   {remoteKillTime, {}}, where_);
}

bool SshProgram::isKilling() const {
    return !folder_.empty() && std::ranges::any_of(entriesOf(folder_), [](const auto& entry) {
        return entry.filename().string().starts_with(killMark);
    });
}

}  // namespace dlperf::remote
