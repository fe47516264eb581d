// SPDX-License-Identifier: Apache-2.0
#include "core/remote/sftp_read.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace dlperf::remote {
namespace {

// Every server gives as much at once, so that less is the end of the file.
constexpr std::size_t partBytes = 32U << 10U;
// 2 MiB under way: a log that is far behind comes at the speed of the line.
constexpr std::size_t deepest = 64;
constexpr std::size_t shallowest = 2;
// Who asks for more expects more.
constexpr std::size_t smallRead = 256U << 10U;

Error errorOf(const sftp::Answer& answer) {
    const bool forbidden = answer.status == sftp::permissionDenied;
    return {"cannot be read: " + firstLine(answer.bytes),
            {},
            forbidden ? "Check the permissions there." : "",
            ErrorKind::Transient};
}

}  // namespace

SftpRead::SftpRead(std::uint16_t number, std::string path, std::uint64_t offset, std::size_t most)
    : nextId_(static_cast<std::uint32_t>(number) << 16U),
      path_(std::move(path)),
      offset_(offset),
      most_(most),
      depth_(most > smallRead ? deepest : shallowest) {}

std::uint32_t SftpRead::newId() {
    ++owed_;
    const std::uint32_t id = nextId_;
    nextId_ = (nextId_ & 0xFFFF0000U) | ((nextId_ + 1) & 0xFFFFU);
    return id;
}

std::string SftpRead::begin() {
    return sftp::open(newId(), path_);
}

std::string SftpRead::take(const sftp::Answer& answer) {
    owed_ -= std::min<std::size_t>(owed_, 1);
    std::string requests;
    if (phase_ == Phase::Opening) {
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
            error_ = errorOf(answer);
        }
        phase_ = Phase::Gone;
        return {};
    }
    handle_ = answer.bytes;
    phase_ = Phase::Reading;
    if (depth_ == deepest) {
        chunk_.bytes.reserve(most_);  // growing would copy it several times
    }
    return abandoned_ || most_ == 0 ? end() : askMore();
}

// Servers may answer in any order.
std::string SftpRead::takePart(const sftp::Answer& answer) {
    const auto part =
        std::find_if(parts_.begin(), parts_.end(), [&](const Part& asked) { return asked.id == answer.id; });
    if (part == parts_.end()) {
        return {};
    }
    if (part != parts_.begin()) {
        part->early = answer.bytes.substr(0, part->asked);
        part->answer = answer;
        return {};
    }
    use(answer, part->asked);
    parts_.pop_front();
    while (!complete_ && !parts_.empty() && parts_.front().answer) {
        parts_.front().answer->bytes = parts_.front().early;
        use(*parts_.front().answer, parts_.front().asked);
        parts_.pop_front();
    }
    return complete_ ? end() : askMore();
}

void SftpRead::use(const sftp::Answer& answer, std::size_t asked) {
    if (answer.kind != sftp::AnswerKind::Data) {
        complete_ = true;
        if (answer.status != sftp::endOfFile) {
            error_ = errorOf(answer);
        }
        return;
    }
    chunk_.bytes += answer.bytes.substr(0, asked);
    complete_ = answer.bytes.size() < asked || chunk_.bytes.size() == most_;
    depth_ = std::min(depth_ + 1, deepest);  // doubles with each round trip
}

std::string SftpRead::askMore() {
    std::string requests;
    while (parts_.size() < depth_ && askedBytes_ < most_) {
        const std::size_t bytes = std::min(partBytes, most_ - askedBytes_);
        parts_.push_back({newId(), bytes, {}, {}});
        requests +=
            sftp::read(parts_.back().id, handle_, offset_ + askedBytes_, static_cast<std::uint32_t>(bytes));
        askedBytes_ += bytes;
    }
    return requests;
}

std::string SftpRead::end() {
    phase_ = Phase::Closing;
    return sftp::close(newId(), handle_);
}

Result<FileChunk> SftpRead::result(const std::string& where) {
    if (error_) {
        return fail(error_->what, where + ":" + path_, error_->remedy, error_->kind);
    }
    return std::move(chunk_);
}

}  // namespace dlperf::remote
