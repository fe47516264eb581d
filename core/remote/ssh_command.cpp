// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_command.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/remote/login_shell.h"

namespace dlperf::remote {
namespace {

constexpr std::size_t pieceBytes = 32U << 10U;

}  // namespace

SshCommand::SshCommand(Command command)
    : command_(std::move(command)), frame_(command_), line_(loginShellCommand(frame_.script())) {}

SshCommand::Step SshCommand::step(SshSession& session) {
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

SshCommand::Step SshCommand::open(SshSession& session) {
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

SshCommand::Step SshCommand::execute(SshSession& session) {
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

SshCommand::Step SshCommand::exchange(SshSession& session) {
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

SshCommand::Step SshCommand::close() {
    if (channel_ && libssh2_channel_free(channel_.get()) == LIBSSH2_ERROR_EAGAIN) {
        return Step::Idle;
    }
    forgetChannel();
    phase_ = Phase::Gone;
    return Step::Gone;
}

SshCommand::Step SshCommand::send(SshSession& session) {
    if (inputEnded_) {
        return Step::Idle;
    }
    if (sent_ == command_.input.size()) {
        const int code = libssh2_channel_send_eof(channel_.get());
        inputEnded_ = code != LIBSSH2_ERROR_EAGAIN;
        return inputEnded_ ? Step::Moved : Step::Idle;
    }
    const std::size_t bytes = std::min(command_.input.size() - sent_, pieceBytes);
    const ssize_t code = libssh2_channel_write_ex(channel_.get(), 0, command_.input.data() + sent_, bytes);
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

SshCommand::Step SshCommand::receive(SshSession& session, int stream) {
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

SshCommand::Step SshCommand::fail(const SshSession& session, const std::string& doing) {
    // Refused for this channel only: the host grants a connection a number of sessions (MaxSessions of sshd).
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

SshCommand::Step SshCommand::endEarly() {
    error_ = frame_.brokenOff();
    phase_ = Phase::Close;
    return Step::Moved;
}

Result<CommandResult> SshCommand::result(const std::string& where) {
    if (!frame_.ended()) {
        return dlperf::fail(error_.what, where, error_.remedy, error_.kind);
    }
    return frame_.result();
}

}  // namespace dlperf::remote
