// SPDX-License-Identifier: Apache-2.0
// The SFTP messages, and a read of a file against a made server that answers in any order.
#include "core/remote/ssh_files.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <string>

namespace dlperf::remote {
namespace {

using testing::HasSubstr;

std::string number(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU);
    }
    return bytes;
}

std::string text(const std::string& words) {
    return number(static_cast<std::uint32_t>(words.size())) + words;
}

std::string status(std::uint32_t id, std::uint32_t code, const std::string& words = {}) {
    return text('\x65' + number(id) + number(code) + text(words) + text(""));
}

void feed(sftp::AnswerReader& answers, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto room = answers.room();
        const auto now = bytes.substr(0, room.size());
        std::ranges::copy(now, room.begin());
        answers.feed(now.size());
        bytes.remove_prefix(now.size());
    }
}

std::uint32_t numberAt(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
        value = value << 8U | static_cast<unsigned char>(bytes.at(i));
    }
    return value;
}

// A server that has one file, "/log".
class Server {
public:
    explicit Server(std::string file) : file_(std::move(file)) {}

    bool backwards = false;  // answers the newest request first
    std::size_t most = 1U << 20U;
    int reads = 0;
    int handles = 0;     // open ones
    bool stale = false;  // the next read is of a file that is gone

    void hear(const std::string& requests) {
        for (std::size_t at = 0; at < requests.size(); at += 4 + numberAt(requests, at)) {
            waiting_.push_back(requests.substr(at, 4 + numberAt(requests, at)));
        }
    }
    bool idle() const { return waiting_.empty(); }
    std::string say() {
        const std::string request = backwards ? waiting_.back() : waiting_.front();
        backwards ? waiting_.pop_back() : waiting_.pop_front();
        return answer(request, numberAt(request, 5));
    }

private:
    std::string answer(const std::string& request, std::uint32_t id) {
        switch (request[4]) {
            case 3:
                if (request.find("/log") == std::string::npos) {
                    return status(id, request.find("/secret") == std::string::npos ? 2 : 3, "no way");
                }
                ++handles;
                return text('\x66' + number(id) + text("handle"));
            case 4:
                --handles;
                return status(id, 0);
            default:
                break;
        }
        ++reads;
        if (std::exchange(stale, false)) {
            return status(id, 4, "No such process");
        }
        const std::size_t at = 9 + 4 + 6;  // behind the head and the handle
        const std::size_t offset = (std::size_t{numberAt(request, at)} << 32U) + numberAt(request, at + 4);
        const std::size_t bytes = numberAt(request, at + 8);
        return offset >= file_.size() ? status(id, 1)
                                      : text('\x67' + number(id) + text(file_.substr(offset, bytes)));
    }

    std::string file_;
    std::deque<std::string> waiting_;
};

Result<FileChunk> readFrom(Server& server, SftpRead read) {
    sftp::AnswerReader answers;
    server.hear(read.begin());
    while (!server.idle()) {
        feed(answers, server.say());
        while (const auto answer = answers.next()) {
            server.hear(read.take(*answer));
        }
    }
    EXPECT_TRUE(read.gone());
    EXPECT_EQ(server.handles, read.handle().empty() ? 0 : 1);
    return read.result("node a");
}

std::string longFile() {
    std::string bytes;
    for (int i = 0; i < 500'000; ++i) {
        bytes += std::to_string(i);
    }
    return bytes;
}

TEST(SftpMessages, AreThoseOfTheDraft) {
    using namespace std::string_literals;
    EXPECT_EQ(sftp::init(), "\0\0\0\5\1\0\0\0\3"s);
    EXPECT_EQ(sftp::open(7, "/a"), "\0\0\0\x13\3\0\0\0\7\0\0\0\2/a\0\0\0\1\0\0\0\0"s);
    EXPECT_EQ(sftp::read(8, "h", 0x1'0000'0002U, 5),
              "\0\0\0\x16\5\0\0\0\x8\0\0\0\1h\0\0\0\1\0\0\0\2\0\0\0\5"s);
    EXPECT_EQ(sftp::close(9, "h"), "\0\0\0\xA\4\0\0\0\x9\0\0\0\1h"s);
}

TEST(SftpMessages, AnswersMayComeInPieces) {
    const std::string stream = text('\x67' + number(3) + text("some data")) + status(4, 2, "gone");
    sftp::AnswerReader reader;
    std::vector<std::string> heard;
    for (const char byte : stream) {
        feed(reader, {&byte, 1});
        while (const auto answer = reader.next()) {
            heard.push_back(std::to_string(answer->id) + std::string(answer->bytes));
        }
    }
    EXPECT_THAT(heard, testing::ElementsAre("3some data", "4gone"));
    EXPECT_FALSE(reader.broken());
}

TEST(SftpMessages, WhatIsNoneBreaksTheStream) {
    for (const std::string& bytes :
         {std::string("Welcome to node a\n"), number(0) + "12345678", text("x"),
          text('\x67' + number(1) + number(4'000'000'000U)), text("z" + number(1) + text("unknown kind"))}) {
        sftp::AnswerReader reader;
        feed(reader, bytes + std::string(16, 'x'));
        EXPECT_FALSE(reader.next()) << bytes;
        EXPECT_TRUE(reader.broken()) << bytes;
    }
}

TEST(SftpRead, BringsWhatWasAskedFor) {
    const std::string file = longFile();
    for (const bool backwards : {false, true}) {
        for (const std::size_t most :
             {std::size_t{0}, std::size_t{1}, std::size_t{32768}, std::size_t{100'000},
              std::size_t{2'000'000}, std::size_t{9'000'000}}) {
            for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{12'345}, file.size() + 5}) {
                Server server(file);
                server.backwards = backwards;
                const auto chunk = readFrom(server, {1, "/log", offset, most});
                ASSERT_TRUE(chunk);
                EXPECT_FALSE(chunk->missing);
                EXPECT_EQ(chunk->bytes, offset < file.size() ? file.substr(offset, most) : "")
                    << most << " bytes from " << offset << (backwards ? ", backwards" : "");
            }
        }
    }
}

TEST(SftpRead, ALookAtAFewLinesIsCheap) {
    Server server("a line\n");
    EXPECT_EQ(readFrom(server, {1, "/log", 0, 256U << 10U})->bytes, "a line\n");
    EXPECT_EQ(server.reads, 1);
    EXPECT_EQ(readFrom(server, {2, "/log", 2, 256U << 10U, "handle"})->bytes, "line\n");
    EXPECT_EQ(server.reads, 2);
    EXPECT_EQ(server.handles, 1) << "opened once";
}

TEST(SftpRead, AFileThatIsGoneSinceItWasOpenedIsLookedForAgain) {
    Server server("a line\n");
    server.handles = 1;
    server.stale = true;
    EXPECT_EQ(readFrom(server, {1, "/log", 0, 100, "handle"})->bytes, "a line\n");
    EXPECT_EQ(server.handles, 1) << "the old one was closed";
    server.stale = true;
    EXPECT_TRUE(readFrom(server, {2, "/none", 0, 100, "handle"})->missing);
    EXPECT_EQ(server.handles, 0);
}

TEST(SftpRead, AMissingFileIsNoError) {
    Server server("");
    EXPECT_TRUE(readFrom(server, {1, "/none", 0, 10})->missing);
    const auto forbidden = readFrom(server, {1, "/secret", 0, 10});
    ASSERT_FALSE(forbidden);
    EXPECT_THAT(describe(forbidden.error()), HasSubstr("node a:/secret: cannot be read: no way"));
}

TEST(SftpRead, OneThatIsAbandonedClosesItsFile) {
    const std::string file = longFile();
    for (const int answered : {0, 1, 3}) {
        Server server(file);
        sftp::AnswerReader answers;
        SftpRead read(1, "/log", 0, 2'000'000);
        server.hear(read.begin());
        for (int i = 0; !server.idle(); ++i) {
            if (i == answered) {
                server.hear(read.abandon());
            }
            feed(answers, server.say());
            while (const auto answer = answers.next()) {
                server.hear(read.take(*answer));
            }
        }
        EXPECT_TRUE(read.gone());
        EXPECT_EQ(server.handles, 0);
        EXPECT_LE(server.reads, 70) << "nothing more is asked for";
    }
}

TEST(SftpRead, AnswersThatNobodyAskedForAreNotKept) {
    sftp::AnswerReader answers;
    SftpRead read(1, "/log", 0, 100);
    (void)read.begin();
    const std::string junk(32'768, 'x');
    feed(answers, text('\x66' + number(1U << 16U) + text("handle")));
    (void)read.take(*answers.next());
    for (std::uint32_t id = 100; id < 200; ++id) {
        feed(answers, text('\x67' + number((1U << 16U) + id) + text(junk)));
        (void)read.take(*answers.next());
    }
    feed(answers, text('\x67' + number((1U << 16U) + 1) + text(junk)));
    (void)read.take(*answers.next());
    ASSERT_TRUE(read.ended());
    EXPECT_EQ(read.result("a")->bytes, junk.substr(0, 100)) << "more than was asked for is cut";
}

}  // namespace
}  // namespace dlperf::remote
