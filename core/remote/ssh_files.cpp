// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

enum RequestKind : char { Init = 1, Open = 3, Close = 4, Read = 5 };

constexpr std::uint32_t version = 3;
constexpr std::uint32_t forReading = 1;
constexpr std::size_t numberBytes = 4;
constexpr std::size_t headBytes = numberBytes + 1 + numberBytes;  // length, type, id
constexpr std::size_t mostRoom = 256U << 10U;
constexpr std::uint32_t longestMessage = mostRoom;  // more than any answer to what is asked here

// Every server gives as much at once, so that less is the end of the file.
constexpr std::size_t partBytes = 32U << 10U;
// 2 MiB under way: a log that is far behind comes at the speed of the line.
constexpr std::size_t deepest = 64;
constexpr std::size_t shallowest = 1;
// Who asks for more expects more.
constexpr std::size_t smallRead = 256U << 10U;

std::string request(RequestKind kind, std::uint32_t id, const std::string& rest) {
    std::string message(1, kind);
    putNumber(message, id);
    std::string framed;
    putString(framed, message + rest);
    return framed;
}

std::string stringOf(std::string_view text) {
    std::string bytes;
    putString(bytes, text);
    return bytes;
}

// Of a message without its length.
std::optional<sftp::Answer> answerOf(std::string_view message) {
    using sftp::AnswerKind;
    WireReader reader(message.substr(1));
    sftp::Answer answer;
    answer.kind = static_cast<AnswerKind>(static_cast<unsigned char>(message[0]));
    answer.id = reader.number();
    switch (answer.kind) {
        case AnswerKind::Version:
            return answer;
        case AnswerKind::Status:
            answer.status = reader.number();
            if (reader.good()) {
                answer.bytes = reader.string();  // old servers send none
                return answer;
            }
            return {};
        case AnswerKind::Handle:
        case AnswerKind::Data:
            answer.bytes = reader.string();
            return reader.good() ? std::optional(answer) : std::nullopt;
    }
    return {};
}

Error errorOf(std::uint32_t status, std::string_view words) {
    return {"cannot be read: " + firstLine(words),
            {},
            status == sftp::permissionDenied ? "Check the permissions there." : "",
            ErrorKind::Transient};
}

using Clock = std::chrono::steady_clock;

constexpr Milliseconds greetTime{10'000};

// A log is looked at many times a second, and opening it each time is most of the work on both sides. One
// that gives nothing more is opened again now and then, as another may lie at its place.
constexpr Milliseconds keptOpen{2'000};
constexpr std::size_t mostKeptOpen = 8;

}  // namespace

std::string sftp::init() {
    return request(Init, version, {});
}

std::string sftp::open(std::uint32_t id, std::string_view path) {
    std::string rest = stringOf(path);
    putNumber(rest, forReading);
    putNumber(rest, 0);  // no attributes
    return request(Open, id, rest);
}

std::string sftp::read(std::uint32_t id, std::string_view handle, std::uint64_t offset, std::uint32_t bytes) {
    std::string rest = stringOf(handle);
    putNumber(rest, static_cast<std::uint32_t>(offset >> 32U));
    putNumber(rest, static_cast<std::uint32_t>(offset));
    putNumber(rest, bytes);
    return request(Read, id, rest);
}

std::string sftp::close(std::uint32_t id, std::string_view handle) {
    return request(Close, id, stringOf(handle));
}

std::span<char> sftp::AnswerReader::room() {
    filled_ -= read_;
    std::memmove(bytes_.data(), bytes_.data() + read_, filled_);
    read_ = 0;
    bytes_.resize(std::max(bytes_.size(), filled_ + room_));
    return {bytes_.data() + filled_, bytes_.size() - filled_};
}

void sftp::AnswerReader::feed(std::size_t bytes) {
    filled_ += bytes;
    room_ = bytes < room_ ? room_ : std::min(2 * room_, mostRoom);
}

std::optional<sftp::Answer> sftp::AnswerReader::next() {
    const std::string_view left = std::string_view(bytes_).substr(read_, filled_ - read_);
    if (broken_ || left.size() < headBytes) {
        return {};
    }
    const std::uint32_t length = WireReader(left).number();
    broken_ = length < headBytes - numberBytes || length > longestMessage;
    if (broken_ || left.size() - numberBytes < length) {
        return {};
    }
    const auto answer = answerOf(left.substr(numberBytes, length));
    broken_ = !answer;
    read_ += numberBytes + length;
    return answer;
}

SftpRead::SftpRead(std::uint16_t number, std::string path, std::uint64_t offset, std::size_t most,
                   std::string handle)
    : nextId_(static_cast<std::uint32_t>(number) << 16U),
      reused_(!handle.empty()),
      path_(std::move(path)),
      offset_(offset),
      most_(most),
      handle_(std::move(handle)),
      depth_(most > smallRead ? deepest : shallowest) {}

std::string SftpRead::begin() {
    return reused_ ? beginReading() : open();
}

std::string SftpRead::open() {
    phase_ = Phase::Opening;
    openId_ = newId();
    return sftp::open(openId_, path_);
}

// A process may have ended since its file in /proc was opened, a file of NFS be gone on its server.
std::string SftpRead::openAgain() {
    reused_ = complete_ = false;
    error_.reset();
    askedBytes_ = 0;
    const std::string close = sftp::close(newId(), std::exchange(handle_, {}));
    return close + open();
}

std::uint32_t SftpRead::newId() {
    ++owed_;
    const std::uint32_t id = nextId_;
    nextId_ = (nextId_ & 0xFFFF0000U) | ((nextId_ + 1) & 0xFFFFU);
    return id;
}

std::string SftpRead::take(const sftp::Answer& answer) {
    owed_ -= std::min<std::size_t>(owed_, 1);
    std::string requests;
    if (phase_ == Phase::Opening && answer.id == openId_) {
        requests = takeHandle(answer);
    } else if (phase_ == Phase::Reading) {
        requests = takePart(answer);
    }
    if (phase_ == Phase::Closing && owed_ == 0) {
        phase_ = Phase::Gone;
    }
    return requests;
}

std::string SftpRead::abandon() {
    abandoned_ = true;
    return phase_ == Phase::Reading ? end() : std::string();
}

std::string SftpRead::takeHandle(const sftp::Answer& answer) {
    if (answer.kind != sftp::AnswerKind::Handle) {
        chunk_.missing = answer.status == sftp::noSuchFile;
        if (!chunk_.missing) {
            error_ = errorOf(answer.status, answer.bytes);
        }
        phase_ = Phase::Gone;
        return {};
    }
    handle_ = answer.bytes;
    return beginReading();
}

std::string SftpRead::beginReading() {
    phase_ = Phase::Reading;
    if (depth_ == deepest) {
        chunk_.bytes.reserve(most_);  // growing would copy it several times
    }
    return abandoned_ || most_ == 0 ? end() : askMore();
}

// Servers may answer in any order.
std::string SftpRead::takePart(const sftp::Answer& answer) {
    const auto part = std::ranges::find(parts_, answer.id, &Part::id);
    if (part == parts_.end()) {
        return {};
    }
    part->answer = answer;
    part->bytes = answer.bytes;
    while (!complete_ && !parts_.empty() && parts_.front().answer) {
        use(parts_.front());
        parts_.pop_front();
    }
    if (reused_ && error_ && parts_.empty() && chunk_.bytes.empty() && !abandoned_) {
        return openAgain();
    }
    return complete_ ? end() : askMore();
}

void SftpRead::use(const Part& part) {
    if (part.answer->kind != sftp::AnswerKind::Data) {
        complete_ = true;
        if (part.answer->status != sftp::endOfFile) {
            error_ = errorOf(part.answer->status, part.bytes);
        }
        return;
    }
    chunk_.bytes.append(part.bytes, 0, part.asked);
    complete_ = part.bytes.size() < part.asked || chunk_.bytes.size() == most_;
    depth_ = std::min(depth_ + 1, deepest);  // doubles with each round trip
}

std::string SftpRead::askMore() {
    std::string requests;
    while (parts_.size() < depth_ && askedBytes_ < most_) {
        const std::size_t bytes = std::min(partBytes, most_ - askedBytes_);
        parts_.push_back({newId(), bytes});
        requests +=
            sftp::read(parts_.back().id, handle_, offset_ + askedBytes_, static_cast<std::uint32_t>(bytes));
        askedBytes_ += bytes;
    }
    return requests;
}

std::string SftpRead::end() {
    phase_ = Phase::Closing;
    if (abandoned_ || error_) {
        return sftp::close(newId(), std::exchange(handle_, {}));
    }
    phase_ = owed_ == 0 ? Phase::Gone : Phase::Closing;
    return {};
}

Result<FileChunk> SftpRead::result(const std::string& where) {
    if (error_) {
        return fail(error_->what, where + ":" + path_, error_->remedy, error_->kind);
    }
    return std::move(chunk_);
}

struct SshFiles::Job {
    std::string path;
    std::uint64_t offset = 0;
    std::size_t most = 0;
    std::optional<SftpRead> read;             // once it was begun
    std::uint16_t number = 0;                 // of it
    std::uint64_t end = 0;                    // of what it read, once it was read
    Clock::time_point good;                   // its file was the right one then
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
    return !queue_.empty() || !active_.empty() || !open_.empty() || phase_ == Phase::Opening ||
           phase_ == Phase::Starting || phase_ == Phase::Leaving;
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
    open_.clear();
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
        closeFiles();
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
        begin(*job);
        active_.push_back(job);
    }
    for (const auto& job : active_) {
        if (job->abandoned && !std::exchange(job->toldSo, true)) {
            outbox_ += job->read->abandon();
        }
    }
}

void SshFiles::begin(Job& job) {
    const auto file = std::ranges::find_if(open_, [&](const OpenFile& one) {
        return one.path == job.path && one.end == job.offset && Clock::now() < one.good + keptOpen;
    });
    const bool isOpen = file != open_.end() && job.most > 0;  // else no answer would end it
    job.number = ++lastNumber_;
    job.good = isOpen ? file->good : Clock::now();
    job.read.emplace(job.number, job.path, job.offset, job.most, isOpen ? file->handle : std::string());
    if (isOpen) {
        open_.erase(file);
    }
    outbox_ += job.read->begin();
}

void SshFiles::closeFiles() {
    const auto now = Clock::now();
    while (open_.size() > mostKeptOpen || (!open_.empty() && now >= open_.front().good + keptOpen)) {
        // a number of its own, so that nobody takes the answer
        outbox_ += sftp::close(static_cast<std::uint32_t>(++lastNumber_) << 16U, open_.front().handle);
        open_.erase(open_.begin());
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
        job->end = job->offset + job->read->bytesRead();
        job->good = job->end > job->offset ? Clock::now() : job->good;
        deliver(job, job->read->result(where_));
    }
    if (job->read->gone()) {
        if (!job->read->handle().empty()) {
            const auto younger = std::ranges::upper_bound(open_, job->good, {}, &OpenFile::good);
            open_.insert(younger, {job->path, job->read->handle(), job->end, job->good});
        }
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
    open_.clear();
    halfSent_ = false;
    lost_.reset();
    deliverAll(Result<FileChunk>(Failure(error)));
}

}  // namespace dlperf::remote
