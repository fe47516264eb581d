// SPDX-License-Identifier: Apache-2.0
// Real files that grow, are cut, are replaced and go; lines of every kind.
#include "core/log/log_book.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "core/base/file.h"
#include "core/log/line_text.h"

namespace dlperf::log {
namespace {

class LogBookTest : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_.path() / name, std::ios::binary | std::ios::app) << text;
        return folder_.path() / name;
    }
    static void readAll(LogBook& book) {
        while (book.grow().more) {
        }
    }
    static std::vector<std::string> texts(const LogBook& book, std::uint64_t first, std::uint64_t count) {
        std::vector<std::uint64_t> numbers(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            numbers[i] = first + i;
        }
        std::vector<std::string> texts;
        for (const LogLine& line : book.read(numbers)) {
            texts.push_back(line.bytes);
        }
        return texts;
    }
    static std::uint64_t lines(const LogBook& book) {
        return book.layout([](const LogLayout& layout) { return layout.lines(); });
    }
    static std::uint64_t rows(const LogBook& book) {
        return book.layout([](const LogLayout& layout) { return layout.rowCount({}); });
    }
    static std::vector<std::uint64_t> find(const LogBook& book, const std::string& what) {
        const std::atomic<bool> stop = false;
        const auto test = [&](std::string_view bytes) {
            return bytes.find(what) == std::string_view::npos ? LogBook::Answer::No : LogBook::Answer::Yes;
        };
        return book.find(test, 0, 1'000'000'000, stop).numbers;
    }

    TemporaryFolder folder_ = std::move(TemporaryFolder::make("log-test").value());
};

using Texts = std::vector<std::string>;

TEST_F(LogBookTest, EveryLineOfALongLogIsWhereItIs) {
    std::string text;
    for (int i = 0; i < 300'000; ++i) {
        text += fmt::format("line {}{}\n", i, i % 1000 == 7 ? " needle" : "");
    }
    LogBook book({{"node1", write("a.log", text)}}, {});
    EXPECT_TRUE(book.grow().more);  // the first screen comes before the whole
    EXPECT_GT(lines(book), 100U);
    readAll(book);
    ASSERT_EQ(lines(book), 300'000U);
    for (const std::uint64_t at : {0U, 63U, 64U, 65U, 150'000U, 299'998U}) {
        EXPECT_EQ(texts(book, at, 2).front().substr(0, fmt::format("line {}", at).size()),
                  fmt::format("line {}", at));
    }
    EXPECT_EQ(texts(book, 299'998, 9), (Texts{"line 299998", "line 299999"}));
    const auto hits = find(book, "needle");
    ASSERT_EQ(hits.size(), 300U);
    EXPECT_EQ(hits[1], 1007U);
}

TEST_F(LogBookTest, LinesOfManyMegabytesAreBounded) {
    const std::string much(3U << 20U, 'x');
    std::string bar;
    while (bar.size() < (2U << 20U)) {
        bar += "epoch 1\repoch 2\r";
    }
    LogBook book({{"node1", write("a.log", "first\n" + much + "\n" + bar + "done\r\nlast\n")}}, {});
    readAll(book);
    const auto read = book.read({0, 1, 2, 3});
    ASSERT_EQ(read.size(), 4U);
    EXPECT_EQ(read[1].bytes.size(), shownBytes);
    EXPECT_TRUE(read[1].isCut);
    EXPECT_EQ(read[1].length, much.size() + 1);
    EXPECT_EQ(read[2].bytes, "done");
    EXPECT_FALSE(read[2].isCut);
    EXPECT_EQ(read[3].bytes, "last");
    write("a.log", std::string(200'000, 'y'));  // grows without an end
    readAll(book);
    write("a.log", std::string(200'000, 'y') + "\nend\n");
    readAll(book);
    ASSERT_EQ(lines(book), 6U);
    EXPECT_EQ(book.read({4}).front().length, 400'001U);
    EXPECT_EQ(texts(book, 5, 1), Texts{"end"});
}

TEST_F(LogBookTest, AnyBytesAreLines) {
    const std::string odd = std::string("nul \0 byte\n", 11) + "bad \xff\xfe utf\n\n\r\n10%\r90%\n";
    LogBook book({{"node1", write("a.log", odd + "torn")}}, {});
    readAll(book);
    EXPECT_EQ(texts(book, 0, 9),
              (Texts{std::string("nul \0 byte", 10), "bad \xff\xfe utf", "", "", "90%", "torn"}));
    write("a.log", " no more\nnext");
    readAll(book);
    EXPECT_EQ(texts(book, 5, 9), (Texts{"torn no more", "next"}));
}

// Whatever stands around them: the same lines are found with the needle as without.
TEST_F(LogBookTest, LinesWithoutTheNeedleAreSkippedAndNoOthers) {
    std::string text;
    for (int i = 0; i < 60'000; ++i) {
        text += i % 997 == 0 ? "Loss SPIKE\r\n" : i % 1013 == 0 ? "\n" : fmt::format("line {}\n", i);
        if (i % 20'000 == 11) {
            text += "loss \x1b[31mspike\x1b[0m\n";  // one text, as it is shown
        }
        if (i % 30'000 == 17) {
            text += std::string(200'000, 'x') + "\rloss spike\n";
        }
    }
    LogBook book({{"node1", write("a.log", text + "loss spike")}, {"node2", write("b.log", text)}}, {});
    readAll(book);
    const std::atomic<bool> stop = false;
    const LineSearch search("loss spike", false);
    int tested = 0;
    const auto test = [&](std::string_view bytes) {
        ++tested;
        return search.finds(plainLine(bytes)) ? LogBook::Answer::Yes : LogBook::Answer::No;
    };
    const auto all = book.find(test, 0, 1'000'000, stop);
    EXPECT_EQ(all.numbers.size(), 2U * (61 + 3 + 2) + 1);
    const int without = tested;
    tested = 0;
    EXPECT_EQ(book.find(test, 0, 1'000'000, stop, search.needle()).numbers, all.numbers);
    EXPECT_LT(tested, without);
    // From anywhere, for any number of lines.
    for (const std::uint64_t first : {1U, 63U, 64U, 9'970U, 59'999U, 100'000U}) {
        for (const std::uint64_t count : {1U, 100U, 30'000U}) {
            EXPECT_EQ(book.find(test, first, count, stop, search.needle()).numbers,
                      book.find(test, first, count, stop).numbers)
                << first << " " << count;
        }
    }
    // Without an escape in sight only what holds the needle is tested.
    LogBook plain({{"node1", write("c.log", "a\nb\nloss spike\nc\n")}}, {});
    readAll(plain);
    tested = 0;
    EXPECT_EQ(plain.find(test, 0, 9, stop, search.needle()).numbers, std::vector<std::uint64_t>{2});
    EXPECT_EQ(tested, 1);
}

TEST_F(LogBookTest, AnUnfinishedLineIsSearchedAgain) {
    LogBook book({{"node1", write("a.log", "one\nnee")}}, {});
    readAll(book);
    const std::atomic<bool> stop = false;
    const auto test = [](std::string_view bytes) {
        return bytes == "needle" ? LogBook::Answer::Yes : LogBook::Answer::No;
    };
    EXPECT_EQ(book.find(test, 0, 100, stop).next, 1U);
    write("a.log", "dle\nthree\n");
    readAll(book);
    const auto hits = book.find(test, 1, 100, stop);
    EXPECT_EQ(hits.numbers, std::vector<std::uint64_t>{1});
    EXPECT_EQ(hits.next, 3U);
}

TEST_F(LogBookTest, ACutFileBeginsAnew) {
    const auto path = write("a.log", "one\ntwo\nthree\n");
    LogBook book({{"node1", path}}, {});
    readAll(book);
    std::filesystem::resize_file(path, 4);
    EXPECT_EQ(texts(book, 0, 9), Texts{"one"});  // before anybody noticed
    const auto growth = book.grow();
    EXPECT_TRUE(growth.isAnew);
    readAll(book);
    EXPECT_EQ(texts(book, 0, 9), Texts{"one"});
    EXPECT_EQ(lines(book), 1U);
}

TEST_F(LogBookTest, AReplacedOrRewrittenFileBeginsAnew) {
    const auto path = write("a.log", "old\nold\n");
    LogBook book({{"node1", path}}, {});
    readAll(book);
    std::filesystem::rename(path, folder_.path() / "a.log.1");
    EXPECT_EQ(book.grow().gone, 1U);
    EXPECT_EQ(texts(book, 0, 1), Texts{"old"});  // it can still be read
    write("a.log", "new line\nand another\n");
    EXPECT_TRUE(book.grow().isAnew);
    readAll(book);
    EXPECT_EQ(texts(book, 0, 9), (Texts{"new line", "and another"}));
    std::ofstream(path, std::ios::trunc) << "rewritten, and longer than before\n";  // the same file
    EXPECT_TRUE(book.grow().isAnew);
    readAll(book);
    EXPECT_EQ(texts(book, 0, 9), Texts{"rewritten, and longer than before"});
}

TEST_F(LogBookTest, ALogThatIsNotThereYetComesLater) {
    LogBook book({{"node1", folder_.path() / "a.log"}}, {});
    const auto growth = book.grow();
    EXPECT_FALSE(growth.news);
    EXPECT_EQ(growth.gone, 0U);
    write("a.log", "here\n");
    EXPECT_TRUE(book.grow().news);
    EXPECT_EQ(texts(book, 0, 9), Texts{"here"});
}

TEST_F(LogBookTest, SeveralLogsStandInTheOrderOfArrival) {
    const auto a = write("a.log", "a0\na1\n");
    const auto b = write("b.log", "b0\nb1\nb2\nb3\n");
    LogBook book({{"node1", a}, {"node2", b}}, {});
    readAll(book);
    EXPECT_EQ(texts(book, 0, 9), (Texts{"b0", "a0", "b1", "b2", "a1", "b3"}));
    write("b.log", "b4\n");
    readAll(book);
    write("a.log", "a2\n");
    readAll(book);
    EXPECT_EQ(texts(book, 6, 9), (Texts{"b4", "a2"}));
    EXPECT_EQ(find(book, "a"), (std::vector<std::uint64_t>{1, 4, 7}));
    EXPECT_EQ(book.read({7}).front().spot, (LineSpot{0, 2}));
    write("a.log", "a3\na4\n");  // in one moment: each in one piece
    write("b.log", "b5\nb6\n");
    readAll(book);
    EXPECT_EQ(texts(book, 8, 9), (Texts{"a3", "a4", "b5", "b6"}));
}

TEST_F(LogBookTest, RepeatsFoldWithoutTheirRank) {
    const auto path = write("a.log", "[rank0]: Use GPU\n[rank1]: Use GPU\n[rank2]: Use GPU\nother\n\n\n\n");
    LogBook book({{"node1", path}}, {});
    readAll(book);
    EXPECT_EQ(rows(book), 5U);  // blank lines stay
    write("a.log", "wait\n");
    readAll(book);
    write("a.log", "wait\nwait\n");  // goes on where it was
    readAll(book);
    EXPECT_EQ(rows(book), 6U);
    EXPECT_EQ(lines(book), 10U);
}

TEST_F(LogBookTest, ALaterRepeatJoinsOnlyWhatIsLast) {
    const auto a = write("a.log", "wait\n");
    const auto b = write("b.log", "");
    LogBook book({{"node1", a}, {"node2", b}}, {});
    readAll(book);
    write("b.log", "between\n");
    readAll(book);
    write("a.log", "wait\n");
    readAll(book);
    EXPECT_EQ(texts(book, 0, 9), (Texts{"wait", "between", "wait"}));
    EXPECT_EQ(rows(book), 3U);
}

TEST_F(LogBookTest, WarningsAndErrorsAreCountedOnce) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) {
        text += i % 1000 == 0 ? "libibverbs: Warning: no driver\n" : "Epoch: [0] top-1 error 0.3\n";
        text += i == 40'000 ? "[rank1]: ValueError: no\n" : "";
    }
    LogBook book({{"node1", write("a.log", text + "ERROR: to")}}, {});
    readAll(book);
    book.layout([](const LogLayout& layout) {
        EXPECT_EQ(layout.warnings(), 50U);
        EXPECT_EQ(layout.errors(), 1U);  // the unfinished line is not judged yet
        EXPECT_EQ(layout.nextOf(Level::Warning, 0), 1000U);
        EXPECT_EQ(layout.nextOf(Level::Error, 0), 40'001U);
    });
    write("a.log", "rn\n");
    readAll(book);
    EXPECT_EQ(book.layout([](const LogLayout& layout) { return layout.errors(); }), 2U);
}

// As the window does it: one thread indexes, others ask and read.
TEST_F(LogBookTest, IsAskedWhileItGrows) {
    const auto a = write("a.log", "a 0\n");
    const auto b = write("b.log", "b 0\n");
    LogBook book({{"node1", a}, {"node2", b}}, {});
    readAll(book);
    std::atomic<bool> done = false;
    std::jthread grower([&] {
        for (int i = 1; i <= 300; ++i) {
            write("a.log", fmt::format("a {}\n", i));
            write("b.log", fmt::format("b {0}\nWarning: {0}\n", i));
            readAll(book);
        }
        done = true;
    });
    const std::atomic<bool> stop = false;
    const auto test = [](std::string_view bytes) {
        return bytes.starts_with("Warning") ? LogBook::Answer::Yes : LogBook::Answer::No;
    };
    while (!done) {
        const std::uint64_t all = lines(book);
        const auto rows = book.layout([](const LogLayout& layout) { return layout.rows({}, 0, 50); });
        ASSERT_GE(rows.size(), 2U);
        const auto last = book.read({all - 1});
        ASSERT_EQ(last.size(), 1U);
        ASSERT_EQ(last.front().bytes[0], last.front().spot.log == 0 ? 'a' : last.front().bytes[0]);
        for (const std::uint64_t hit : book.find(test, 0, all, stop).numbers) {
            ASSERT_LT(hit, all);
        }
    }
    EXPECT_EQ(lines(book), 902U);
    EXPECT_EQ(find(book, "Warning").size(), 300U);
}

TEST_F(LogBookTest, AFloodOfWarningsIsCountedButNotKept) {
    std::string text;
    for (int i = 0; i < 120'000; ++i) {
        text += fmt::format("driver: Warning: slow {}\n", i);
    }
    LogBook book({{"node1", write("a.log", text)}, {"node2", write("b.log", text)}}, {});
    readAll(book);
    book.layout([](const LogLayout& layout) {
        EXPECT_EQ(layout.warnings(), 240'000U);
        EXPECT_EQ(layout.nextOf(Level::Warning, 0), 1U);
        EXPECT_EQ(layout.nextOf(Level::Warning, 239'000), 0U);  // not kept: from the begin
    });
}

TEST_F(LogBookTest, TheWarmupIsFoldedOnceTheWindowBegins) {
    const auto iteration = [](int i) {
        return fmt::format(
            "iteration {} epoch 0 loss 6.9 time 0.5 s data 0.1 s comm 0.1 s throughput 16 images/s\n", i);
    };
    std::string text = "# dlperf-worker 0.1.0\n# batch_size: 8\n# world_size: 1\n";
    for (int i = 1; i <= 20; ++i) {
        text += iteration(i);
    }
    Measured measured;
    measured.format = analysis::findFormat("dlperf-worker");
    ASSERT_NE(measured.format, nullptr);
    measured.shape = {{1, 1}, 8};
    measured.range = {20, 120};
    LogBook book({{"node1", write("a.log", text)}}, measured);
    readAll(book);
    EXPECT_EQ(rows(book), 23U);  // while it goes on it is shown
    write("a.log", iteration(21));
    readAll(book);
    ASSERT_EQ(rows(book), 5U);
    const auto rowsNow = book.layout([](const LogLayout& layout) { return layout.rows({}, 3, 2); });
    EXPECT_EQ(rowsNow[0].kind, Row::Kind::Warmup);
    EXPECT_EQ(rowsNow[0].lines, 20U);
    EXPECT_EQ(rowsNow[1].number, 23U);
}

}  // namespace
}  // namespace dlperf::log
