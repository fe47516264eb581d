// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_connection.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/pause.h"
#include "core/remote/command_frame.h"
#include "core/remote/ssh_login.h"

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Milliseconds defaultConnectTime{15'000};  // for each of: connection and greeting, login
constexpr Milliseconds alivePause{200};
// Of commands. sshd grants ten sessions a connection by default; one is for the files, one kills.
constexpr std::size_t mostChannels = 8;
constexpr Milliseconds lastWords{5'000};   // to kill what was stopped, when the connection ends
constexpr Milliseconds lostAfter{30'000};  // of silence while a command runs
// Before another try at a host that has hung up; twice as long each time.
constexpr Milliseconds firstWait{250};
constexpr Milliseconds longestWait{2'000};

constexpr std::size_t pieceBytes = 32U << 10U;

}  // namespace

// One command on a channel of a session, in steps that never wait.
class SshCommand {
public:
    enum class Step {
        Idle,   // nothing can be done before the socket is ready
        Moved,  // something was done: there may be more
        Gone,   // the result is there and the channel is closed
    };

    explicit SshCommand(Command command)
        : command_(std::move(command)), frame_(command_), line_(loginShellCommand(frame_.script())) {}

    // Bytes of the command as it is sent; libssh2 has room for so many.
    [[nodiscard]] std::size_t length() const { return line_.size(); }
    static constexpr std::size_t longest = 32'000;

    // Only one channel of a session may be being opened at a time.
    [[nodiscard]] bool wantsChannel() const { return phase_ == Phase::Open; }
    [[nodiscard]] bool isOpening() const { return phase_ == Phase::Open && asked_; }
    Step step(SshSession& session) {
        switch (phase_) {
            case Phase::Open:
                return open(session);
            case Phase::Execute:
                return execute(session);
            case Phase::Exchange:
                return exchange(session);
            case Phase::Close:
                return close();
            case Phase::Gone:
                break;
        }
        return Step::Gone;
    }
    // Leader of the process group on the host, once known.
    [[nodiscard]] std::optional<pid_t> process() const { return frame_.process(); }

    // The result is there; the channel may still be closing.
    [[nodiscard]] bool ended() const { return phase_ == Phase::Close || phase_ == Phase::Gone; }
    // Once it has ended: what the command said, or why it did not.
    [[nodiscard]] Result<CommandResult> result(const std::string& where) {
        if (!frame_.ended()) {
            return dlperf::fail(error_.what, where, error_.remedy, error_.kind);
        }
        return frame_.result();
    }
    // No other command of this session will do better.
    [[nodiscard]] bool lostSession() const { return lostSession_; }
    // The host gave it no channel.
    [[nodiscard]] bool wasRefused() const { return refused_; }
    // The session ends, and its channels with it.
    void forgetChannel() { (void)channel_.release(); }

private:
    enum class Phase { Open, Execute, Exchange, Close, Gone };

    Step open(SshSession& session) {
        asked_ = true;
        channel_.reset(libssh2_channel_open_session(session.get()));
        if (channel_) {
            phase_ = Phase::Execute;
            return Step::Moved;
        }
        return libssh2_session_last_errno(session.get()) == LIBSSH2_ERROR_EAGAIN
                   ? Step::Idle
                   : fail(session, "open a channel");
    }

    Step execute(SshSession& session) {
        const int code = libssh2_channel_process_startup(channel_.get(), "exec", 4, line_.data(),
                                                         static_cast<unsigned>(line_.size()));
        if (code == LIBSSH2_ERROR_EAGAIN) {
            return Step::Idle;
        }
        if (code != 0) {
            return fail(session, "start a command");
        }
        phase_ = Phase::Exchange;
        return Step::Moved;
    }

    Step exchange(SshSession& session) {
        Step most = send(session);
        for (const int stream : {0, SSH_EXTENDED_DATA_STDERR}) {
            if (phase_ == Phase::Exchange && !session.isHalfSent()) {
                most = std::max(most, receive(session, stream));
            }
        }
        if (phase_ == Phase::Exchange && frame_.ended()) {
            phase_ = Phase::Close;
            return Step::Moved;
        }
        // The end of the stream comes after all of its bytes.
        if (phase_ == Phase::Exchange && most == Step::Idle && libssh2_channel_eof(channel_.get()) == 1) {
            return endEarly();
        }
        return most;
    }

    Step close() {
        if (channel_ && libssh2_channel_free(channel_.get()) == LIBSSH2_ERROR_EAGAIN) {
            return Step::Idle;
        }
        forgetChannel();
        phase_ = Phase::Gone;
        return Step::Gone;
    }

    Step send(SshSession& session) {
        if (inputEnded_) {
            return Step::Idle;
        }
        if (sent_ == command_.input.size()) {
            const int code = libssh2_channel_send_eof(channel_.get());
            inputEnded_ = code != LIBSSH2_ERROR_EAGAIN;
            return inputEnded_ ? Step::Moved : Step::Idle;
        }
        const std::size_t bytes = std::min(command_.input.size() - sent_, pieceBytes);
        const ssize_t code =
            libssh2_channel_write_ex(channel_.get(), 0, command_.input.data() + sent_, bytes);
        if (code == LIBSSH2_ERROR_EAGAIN) {
            return Step::Idle;
        }
        if (code < 0) {
            // A command that reads no input may end before all of it was sent: its end tells.
            inputEnded_ = code == LIBSSH2_ERROR_CHANNEL_CLOSED || code == LIBSSH2_ERROR_CHANNEL_EOF_SENT;
            return inputEnded_ ? Step::Idle : fail(session, "take input");
        }
        sent_ += static_cast<std::size_t>(code);
        return Step::Moved;
    }

    Step receive(SshSession& session, int stream) {
        std::array<char, pieceBytes> buffer;
        const ssize_t got = libssh2_channel_read_ex(channel_.get(), stream, buffer.data(), buffer.size());
        if (got == LIBSSH2_ERROR_EAGAIN || got == 0) {
            return Step::Idle;
        }
        if (got < 0) {
            return fail(session, "send what the command says");
        }
        const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
        stream == 0 ? frame_.takeOutput(bytes) : frame_.takeErrors(bytes);
        return Step::Moved;
    }

    Step fail(const SshSession& session, const std::string& doing) {
        // Refused for this channel only: the host grants a connection a number of sessions (MaxSessions of
        // sshd).
        const int code = libssh2_session_last_errno(session.get());
        refused_ = !channel_;
        lostSession_ = code != LIBSSH2_ERROR_CHANNEL_FAILURE && code != LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED;
        error_ = {lostSession_ ? "the connection was lost: " + session.lastError()
                               : "the host does not " + doing + ": " + session.lastError(),
                  {},
                  lostSession_ ? "" : "Check MaxSessions in its sshd_config, and what else is logged in.",
                  ErrorKind::Transient};
        phase_ = Phase::Close;
        return Step::Moved;
    }

    Step endEarly() {
        error_ = frame_.brokenOff();
        phase_ = Phase::Close;
        return Step::Moved;
    }

    Command command_;
    CommandFrame frame_;
    std::string line_;  // for sshd; the same bytes at each try, as libssh2 wants them
    Phase phase_ = Phase::Open;
    bool asked_ = false;  // for the channel
    SshChannel channel_;
    std::size_t sent_ = 0;
    bool inputEnded_ = false;
    Error error_;
    bool lostSession_ = false;
    bool refused_ = false;
};

struct SshConnection::Job {
    explicit Job(Command wanted) : command(std::move(wanted)) {}

    SshCommand command;
    std::optional<Result<CommandResult>> result;
    std::atomic<bool> abandoned = false;  // nobody waits for it any more
    bool killed = false;
    bool kills = false;  // another one

    // It has to be killed, or is just killing, and the node does not know yet.
    [[nodiscard]] bool isOwed() const {
        return !command.ended() && (kills || (abandoned && !killed && !command.wantsChannel()));
    }
};

SshConnection::SshConnection(cluster::Node node, std::shared_ptr<CredentialCache> cache)
    : node_(std::move(node)),
      cache_(std::move(cache)),
      where_("node " + node_.name),
      waker_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      files_(where_, [this] { wake(); }),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

SshConnection::~SshConnection() {
    thread_.request_stop();
    wake();
}

Result<CommandResult> SshConnection::run(const Command& command, const Limits& limits) {
    const auto job = std::make_shared<Job>(command);
    if (job->command.length() > SshCommand::longest) {
        return fail(
            fmt::format("a command of {} KB does not fit into a packet of SSH", job->command.length() / 1000),
            where_, "Shorten the node's setup, its variables or its folders' names.", ErrorKind::Work);
    }
    std::unique_lock lock(mutex_);
    queue_.push_back(job);
    wake();
    const auto begin = Clock::now();
    const auto until = [&] { return pause_.end(begin, limits.deadline); };
    while (!job->result && !limits.stop.stop_requested() && Clock::now() < until()) {
        changed_.wait_until(lock, limits.stop, until(), [&] { return job->result.has_value(); });
    }
    if (job->result) {
        return std::move(*job->result);
    }
    job->abandoned = true;
    std::erase(queue_, job);
    wake();
    return endedEarly(limits, where_);
}

void SshConnection::wake() const {
    const std::uint64_t one = 1;
    (void)!::write(waker_.get(), &one, sizeof one);
}

void SshConnection::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        takeJobs();
        moved_ = false;
        const bool isWaiting = !active_.empty() || files_.busy();
        if (isWaiting && ensureConnected(stop)) {
            stepFiles();
            stepJobs();
            killAbandoned();
            watchSilence();
        }
        if (!isWaiting) {  // nobody misses a word of a host that was asked nothing
            lastIdle_ = Clock::now();
        }
        if (!moved_) {
            sleep(isWaiting);
        }
    }
    // A command that was stopped must not outlive this program.
    const auto owes = [this] {
        return std::ranges::any_of(active_, [](const auto& job) { return job->isOwed(); });
    };
    for (const auto until = Clock::now() + lastWords; session_ && owes() && Clock::now() < until;) {
        moved_ = false;
        stepFiles();  // a half-sent packet goes first
        if (session_) {
            stepJobs();
            killAbandoned();
        }
        if (!moved_) {
            sleep(true);
        }
    }
    lose({"the connection was closed", where_, {}, ErrorKind::Transient});
}

void SshConnection::takeJobs() {
    const std::scoped_lock lock(mutex_);
    while (!queue_.empty() && active_.size() < mostChannels) {
        active_.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
}

bool SshConnection::ensureConnected(const std::stop_token& stop) {
    if (session_) {
        return true;
    }
    if (const auto failure = backOff_.standing()) {
        lose(*failure);
        return false;
    }
    auto session = connect(stop);
    if (session) {
        session_ = std::move(*session);
        earlierLogin_.letIn();
        backOff_.succeeded();
        return true;
    }
    const SshFailure& failure = session.error();
    const Error error = failure.refusedKeys ? earlierLogin_.judge(failure.error) : failure.error;
    beyondLibrary_ = failure.beyondLibrary;
    backOff_.failed(error);
    lose(error);
    return false;
}

SshResult<std::unique_ptr<SshSession>> SshConnection::connect(const std::stop_token& stop) {
    CredentialProvider credentials(node_.name, cache_, stop, [this](bool open) {
        const std::scoped_lock lock(mutex_);
        pause_.note(open);
    });
    auto session = logInWhenThereIsRoom(stop, credentials);
    // The host may have hung up on a user who thought for long: what he answered is remembered.
    const bool again =
        !session && credentials.hasAsked() && session.error().error.kind == ErrorKind::Transient;
    return again && !stop.stop_requested() ? logIn(stop, credentials) : std::move(session);
}

// sshd lets so many log in at a time (MaxStartups) and hangs up on the others. Many nodes behind one jump, or
// one machine with many names, are too many only for a moment.
SshResult<std::unique_ptr<SshSession>> SshConnection::logInWhenThereIsRoom(const std::stop_token& stop,
                                                                           CredentialProvider& credentials) {
    auto session = logIn(stop, credentials);
    for (Milliseconds wait = firstWait; wait <= longestWait; wait *= 2) {
        if (session || !session.error().hungUp || !pause(uneven(wait), stop)) {
            break;
        }
        session = logIn(stop, credentials);
    }
    return session;
}

SshResult<std::unique_ptr<SshSession>> SshConnection::logIn(const std::stop_token& stop,
                                                            CredentialProvider& credentials) {
    Limits limits{defaultConnectTime, stop};
    auto settings = askSshSettings(node_, limits);
    if (!settings) {
        return refuse(settings.error());
    }
    limits.deadline = settings->connectTime.value_or(defaultConnectTime);
    lostAfter_ = std::min(settings->silence().value_or(lostAfter), lostAfter);
    settings->nameIsKnown = nameIsKnown_;
    auto session = SshSession::open(*settings, limits, credentials, where_);
    nameIsKnown_ = nameIsKnown_ || session || !session.error().nameless;
    if (!session) {
        return session;
    }
    const auto entered = login(**session, *settings, credentials, limits, where_);
    if (!entered) {
        return tl::unexpected<SshFailure>(entered.error());
    }
    const std::scoped_lock lock(mutex_);
    route_ = routeOf(*settings, "libssh2");
    route_.login = describe(*entered);
    asksNobody_ = entered->size() == 1 && entered->front().method == LoginMethod::Key;
    route_.hostKey = (*session)->hostKeyType();
    return session;
}

cluster::Route SshConnection::route() const {
    const std::scoped_lock lock(mutex_);
    return route_;
}

bool SshConnection::isOpening() const {
    return std::ranges::any_of(active_, [](const auto& job) { return job->command.isOpening(); });
}

void SshConnection::stepFiles() {
    const auto moved = files_.step(*session_, !isOpening());
    if (!moved) {
        lose(moved.error());
        return;
    }
    moved_ = moved_ || *moved;
}

void SshConnection::stepJobs() {
    // A half-sent packet goes first; of those that open a channel only one may be under way.
    bool opening = files_.isOpening() || isOpening();
    const Jobs jobs = active_;
    for (const auto& job : jobs) {
        if (!session_ || files_.isHalfSent()) {
            return;
        }
        if (job->command.wantsChannel() && !job->command.isOpening() && std::exchange(opening, true)) {
            continue;
        }
        stepJob(job);
        if (session_ && session_->isHalfSent()) {
            std::rotate(active_.begin(), std::ranges::find(active_, job), active_.end());
            return;
        }
    }
}

void SshConnection::stepJob(const std::shared_ptr<Job>& job) {
    const bool before = job->command.ended();
    const SshCommand::Step step = job->command.step(*session_);
    moved_ = moved_ || step != SshCommand::Step::Idle;
    if (!before && job->command.ended()) {
        auto result = job->command.result(where_);
        const auto error = job->command.lostSession() ? std::optional(result.error()) : std::nullopt;
        if (job->command.wasRefused()) {
            files_.yield();  // the next try has one channel more
        }
        deliver(job, std::move(result));
        if (error) {
            lose(*error);
            return;
        }
    }
    if (step == SshCommand::Step::Gone) {
        std::erase(active_, job);
    }
}

void SshConnection::deliver(const std::shared_ptr<Job>& job, Result<CommandResult> result) {
    const std::scoped_lock lock(mutex_);
    if (!job->result) {
        job->result = std::move(result);
        changed_.notify_all();
    }
}

// The session and all that runs in it. What waits in the queue is tried with the next one.
void SshConnection::lose(const Error& error) {
    for (const auto& job : std::exchange(active_, {})) {
        job->command.forgetChannel();
        deliver(job, Failure(error));
    }
    files_.lose(error);
    session_.reset();
}

// Closing a channel leaves its processes running (there is no terminal): the session is killed by a command.
void SshConnection::killAbandoned() {
    const Jobs jobs = active_;
    for (const auto& job : jobs) {
        if (!job->abandoned || job->killed || !job->command.process()) {
            continue;
        }
        job->killed = true;
        auto killer = std::make_shared<Job>(Command{killCommand(*job->command.process()), {}});
        killer->kills = true;
        active_.push_back(std::move(killer));
        moved_ = true;
    }
}

// A host that is gone acknowledges nothing, but who only listens does not notice.
void SshConnection::watchSilence() {
    if (!session_) {
        return;
    }
    const auto silence = Clock::now() - std::max(session_->lastHeard(), lastIdle_);
    const auto askAfter = lostAfter_ / 3;
    if (silence > lostAfter_) {
        lose({fmt::format("nothing was heard for {} s", lostAfter_.count() / 1000),
              where_,
              {},
              ErrorKind::Transient});
    } else if (silence > askAfter && Clock::now() - lastAsked_ > askAfter) {
        lastAsked_ = Clock::now();
        int next = 0;
        libssh2_keepalive_config(session_->get(), 1, 1);
        libssh2_keepalive_send(session_->get(), &next);
    }
}

void SshConnection::sleep(bool isWaiting) {
    std::array<pollfd, 2> ends{pollfd{waker_.get(), POLLIN, 0}, pollfd{-1, 0, 0}};
    if (session_ && isWaiting) {  // else nobody reads what comes, and it would wake us again and again
        ends[1] = {session_->socket(), session_->events(), 0};
    }
    ::poll(ends.data(), ends.size(), static_cast<int>(alivePause.count()));
    if (ends[0].revents != 0) {
        std::uint64_t count = 0;
        (void)!::read(waker_.get(), &count, sizeof count);
    }
}

}  // namespace dlperf::remote
