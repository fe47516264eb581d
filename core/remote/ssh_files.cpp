// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/remote/sftp.h"

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Milliseconds greetTime{10'000};

}  // namespace

struct SshFiles::Job {
    std::string path;
    std::uint64_t offset = 0;
    std::size_t most = 0;
    std::optional<SftpRead> read;             // once it was begun
    std::uint16_t number = 0;                 // of it
    bool done = false;                        // under the mutex
    std::optional<Result<FileChunk>> result;  // nothing, when done: no SFTP
    std::atomic<bool> abandoned = false;      // nobody waits for it any more
    bool toldSo = false;
};

SshFiles::SshFiles(std::string where, std::function<void()> wake)
    : where_(std::move(where)), wake_(std::move(wake)) {}

SshFiles::~SshFiles() = default;

std::optional<Result<FileChunk>> SshFiles::read(const std::string& path, std::uint64_t offset,
                                                std::size_t most, const Limits& limits) {
    const auto job = std::make_shared<Job>();
    job->path = path;
    job->offset = offset;
    job->most = most;
    std::unique_lock lock(mutex_);
    queue_.push_back(job);
    wake_();
    changed_.wait_for(lock, limits.stop, limits.deadline, [&] { return job->done; });
    if (job->done) {
        return std::move(job->result);
    }
    job->abandoned = true;
    std::erase(queue_, job);
    wake_();
    return endedEarly(limits, where_ + ":" + path);
}

bool SshFiles::busy() {
    const std::scoped_lock lock(mutex_);
    return !queue_.empty() || !active_.empty() || phase_ == Phase::Leaving;
}

Result<bool> SshFiles::step(SshSession& session, bool mayOpen) {
    if (session.isHalfSent() && !halfSent_) {
        return false;  // another channel's packet goes first
    }
    const bool moved = advance(session, mayOpen);
    halfSent_ = session.isHalfSent();
    return lost_ ? Result<bool>(Failure(*lost_)) : Result<bool>(moved);
}

bool SshFiles::advance(SshSession& session, bool mayOpen) {
    switch (phase_) {
        case Phase::Closed:
            return mayOpen && busy() && openChannel(session);
        case Phase::Opening:
            return openChannel(session);
        case Phase::Starting:
            return startServer(session);
        case Phase::Greeting:
        case Phase::Open:
            return exchange(session);
        case Phase::Leaving:
            return leave();
        case Phase::Refused:
            if (busy()) {
                deliverAll({});
            }
            break;
    }
    return false;
}

bool SshFiles::openChannel(SshSession& session) {
    phase_ = Phase::Opening;
    channel_.reset(libssh2_channel_open_session(session.get()));
    if (channel_) {
        // What the user's shell files say there would never be read.
        (void)libssh2_channel_handle_extended_data2(channel_.get(), LIBSSH2_CHANNEL_EXTENDED_DATA_IGNORE);
        phase_ = Phase::Starting;
        return true;
    }
    note(session, libssh2_session_last_errno(session.get()));
    return phase_ != Phase::Opening;
}

bool SshFiles::startServer(SshSession& session) {
    const int code = libssh2_channel_subsystem(channel_.get(), "sftp");
    if (code != 0) {
        note(session, code);
        return phase_ != Phase::Starting;
    }
    phase_ = Phase::Greeting;
    greetUntil_ = Clock::now() + greetTime;
    answers_ = {};
    sending_.clear();
    sent_ = 0;
    outbox_ = sftp::init();
    return true;
}

// What libssh2 said when it did not do what was wanted.
void SshFiles::note(const SshSession& session, int code) {
    if (code == LIBSSH2_ERROR_EAGAIN) {
        return;
    }
    if (code == LIBSSH2_ERROR_CHANNEL_FAILURE || code == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED ||
        code == LIBSSH2_ERROR_CHANNEL_CLOSED || code == LIBSSH2_ERROR_CHANNEL_EOF_SENT) {
        refuse();
        return;
    }
    lost_ = Error{"the connection was lost: " + session.lastError(), where_, {}, ErrorKind::Transient};
}

// For as long as this session lasts.
void SshFiles::refuse() {
    phase_ = channel_ ? Phase::Leaving : Phase::Refused;
    deliverAll({});
}

void SshFiles::yield() {
    if (channel_ && phase_ != Phase::Leaving && !halfSent_) {
        refuse();
    }
}

bool SshFiles::leave() {
    if (libssh2_channel_free(channel_.get()) == LIBSSH2_ERROR_EAGAIN) {
        return false;
    }
    (void)channel_.release();
    phase_ = Phase::Refused;
    return true;
}

bool SshFiles::exchange(SshSession& session) {
    if (phase_ == Phase::Open) {
        takeJobs();
    }
    bool moved = send(session);
    if (channel_ && !lost_ && !session.isHalfSent() && phase_ != Phase::Leaving) {
        moved = receive(session) || moved;
    }
    return moved;
}

void SshFiles::takeJobs() {
    std::vector<std::shared_ptr<Job>> jobs;
    {
        const std::scoped_lock lock(mutex_);
        jobs.swap(queue_);
    }
    for (const auto& job : jobs) {
        job->number = ++lastNumber_;
        job->read.emplace(job->number, job->path, job->offset, job->most);
        outbox_ += job->read->begin();
        active_.push_back(job);
    }
    for (const auto& job : active_) {
        if (job->abandoned && !std::exchange(job->toldSo, true)) {
            outbox_ += job->read->abandon();
        }
    }
}

bool SshFiles::send(SshSession& session) {
    if (sent_ == sending_.size()) {
        sending_ = std::exchange(outbox_, {});
        sent_ = 0;
    }
    if (sending_.empty()) {
        return false;
    }
    const ssize_t code =
        libssh2_channel_write_ex(channel_.get(), 0, sending_.data() + sent_, sending_.size() - sent_);
    if (code < 0) {
        note(session, static_cast<int>(code));
        return phase_ == Phase::Leaving;
    }
    sent_ += static_cast<std::size_t>(code);
    return code > 0;
}

bool SshFiles::receive(SshSession& session) {
    const std::span<char> room = answers_.room();
    const ssize_t got = libssh2_channel_read_ex(channel_.get(), 0, room.data(), room.size());
    if (got > 0) {
        answers_.feed(static_cast<std::size_t>(got));
        takeAnswers();
        return true;
    }
    if (got < 0) {
        note(session, static_cast<int>(got));
        return phase_ == Phase::Leaving;
    }
    if (libssh2_channel_eof(channel_.get()) == 1) {
        refuse();
        return true;
    }
    if (phase_ == Phase::Greeting && Clock::now() > greetUntil_) {
        refuse();
    }
    return false;
}

void SshFiles::takeAnswers() {
    while (const auto next = answers_.next()) {
        answer(*next);
    }
    if (answers_.broken()) {
        refuse();
    }
}

void SshFiles::answer(const sftp::Answer& answer) {
    if (phase_ == Phase::Greeting) {
        answer.kind == sftp::AnswerKind::Version ? void(phase_ = Phase::Open) : refuse();
        return;
    }
    const auto found = std::find_if(active_.begin(), active_.end(),
                                    [&](const auto& job) { return job->number == answer.id >> 16U; });
    if (found == active_.end()) {
        return;
    }
    const std::shared_ptr<Job> job = *found;
    const bool before = job->read->ended();
    outbox_ += job->read->take(answer);
    if (!before && job->read->ended()) {
        deliver(job, job->read->result(where_));
    }
    if (job->read->gone()) {
        std::erase(active_, job);
    }
}

void SshFiles::deliver(const std::shared_ptr<Job>& job, std::optional<Result<FileChunk>> result) {
    const std::scoped_lock lock(mutex_);
    if (!job->done) {
        job->result = std::move(result);
        job->done = true;
        changed_.notify_all();
    }
}

void SshFiles::deliverAll(const std::optional<Result<FileChunk>>& result) {
    std::vector<std::shared_ptr<Job>> jobs = std::exchange(active_, {});
    {
        const std::scoped_lock lock(mutex_);
        std::move(queue_.begin(), queue_.end(), std::back_inserter(jobs));
        queue_.clear();
    }
    for (const auto& job : jobs) {
        deliver(job, result);
    }
}

void SshFiles::lose(const Error& error) {
    (void)channel_.release();
    phase_ = Phase::Closed;
    halfSent_ = false;
    lost_.reset();
    deliverAll(Result<FileChunk>(Failure(error)));
}

}  // namespace dlperf::remote
