// SPDX-License-Identifier: Apache-2.0
// bench_log_search FILE PATTERN: the log view's search for a regular expression, from the query until all
// lines are searched, without a window. Prints "seconds hits seconds-of-the-first" on one line, for
// search.sh.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <cstdio>
#include <memory>

#include "core/log/log_book.h"
#include "ui/log/log_search.h"
#include "ui/session/background.h"

namespace {

std::shared_ptr<dlperf::log::LogBook> indexed(const char* file) {
    auto book = std::make_shared<dlperf::log::LogBook>(std::vector<dlperf::log::LogSource>{{"node1", file}},
                                                       dlperf::log::Measured{});
    while (book->grow().more) {
    }
    return book;
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    if (argc != 3) {
        std::fputs("usage: bench_log_search FILE PATTERN\n", stderr);
        return 2;
    }
    dlperf::ui::Background background;
    dlperf::ui::LogSearch search(background);
    search.setBook(indexed(argv[1]));
    double first = -1;
    QElapsedTimer clock;
    QObject::connect(&search, &dlperf::ui::LogSearch::changed, [&] {
        const double seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
        if (first < 0 && !search.hits().empty()) {
            first = seconds;
        }
        if (!search.isSearching() && search.share() >= 1) {
            std::printf("%.3f %zu %.3f\n", seconds, search.hits().size(), first);
            QCoreApplication::quit();
        }
    });
    QTimer::singleShot(0, &search, [&] {
        clock.start();
        search.ask({QString::fromLocal8Bit(argv[2]), true});
    });
    return QCoreApplication::exec();
}
