// SPDX-License-Identifier: Apache-2.0
// How long the GUI thread is held while 8 nodes write 1,000 lines a second each into real files and all of
// them are shown as one log that is followed. A frame is a time in which the thread does one thing after the
// other without a wait, where it painted the log. Prints, asserts nothing.
//   bench_log_frames [SECONDS] [NODES] [LINES A SECOND]
#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "bench/log/training_log.h"
#include "core/base/file.h"
#include "ui/log/log_view.h"
#include "ui/pages/log_panel.h"
#include "ui/session/background.h"
#include "ui/theme/theme_control.h"

namespace dlperf::bench {
namespace {

constexpr int lookEvery = 50;      // ms: thrice as often as the page Runs does
constexpr int writesASecond = 20;  // of each node

class FrameClock final : public QApplication {
public:
    FrameClock(int& argc, char** argv) : QApplication(argc, argv) { clock_.start(); }
    void watch(QWidget* painted) { painted_ = painted; }

    bool notify(QObject* receiver, QEvent* event) override {
        if (depth_++ == 0 && milliseconds() - last_ > gap) {
            endFrame();
            begin_ = milliseconds();
        }
        const bool done = QApplication::notify(receiver, event);
        paints_ = paints_ || (receiver == painted_ && event->type() == QEvent::Paint);
        if (--depth_ == 0) {
            last_ = milliseconds();
        }
        return done;
    }
    void report() {
        endFrame();
        print("frames with a paint", frames_);
        print("other work", others_);
    }

private:
    static constexpr double gap = 0.1;  // ms without an event: the thread has waited
    [[nodiscard]] double milliseconds() const { return static_cast<double>(clock_.nsecsElapsed()) / 1e6; }
    void endFrame() {
        (paints_ ? frames_ : others_).push_back(last_ - begin_);
        paints_ = false;
    }
    static void print(const char* what, std::vector<double> times) {
        std::ranges::sort(times);
        const auto at = [&](double share) {
            return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
        };
        if (!times.empty()) {
            const auto quick = std::ranges::lower_bound(times, 16.0) - times.begin();
            std::printf("%-22s %6zu   p50 %6.2f ms   p95 %6.2f ms   max %6.2f ms   under 16 ms: %.1f %%\n",
                        what, times.size(), at(0.5), at(0.95), times.back(),
                        100.0 * static_cast<double>(quick) / static_cast<double>(times.size()));
        }
    }

    QElapsedTimer clock_;
    QWidget* painted_ = nullptr;
    int depth_ = 0;
    bool paints_ = false;
    double begin_ = 0;
    double last_ = 0;
    std::vector<double> frames_;
    std::vector<double> others_;
};

void writeLogs(const std::stop_token& stop, const std::vector<std::filesystem::path>& files,
               int linesASecond) {
    std::vector<std::ofstream> logs;
    for (const auto& file : files) {
        logs.emplace_back(file, std::ios::binary | std::ios::app);
    }
    std::uint64_t line = 0;
    auto next = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        const auto until = line + static_cast<std::uint64_t>(linesASecond / writesASecond);
        for (std::size_t node = 0; node < logs.size(); ++node) {
            std::string text;
            for (std::uint64_t i = line; i < until; ++i) {
                appendTrainingLine(text, i, static_cast<int>(node) + 1);
            }
            logs[node] << text << std::flush;
        }
        line = until;
        next += std::chrono::milliseconds(1000 / writesASecond);
        std::this_thread::sleep_until(next);
    }
}

int run(int argc, char** argv) {
    FrameClock application(argc, argv);
    ui::ThemeControl theme(application);
    theme.start(ui::ThemeChoice::Light);
    const int seconds = argc > 1 ? std::stoi(argv[1]) : 20;
    const int nodes = argc > 2 ? std::stoi(argv[2]) : 8;
    const int linesASecond = argc > 3 ? std::stoi(argv[3]) : 1000;
    auto folder = TemporaryFolder::make("dlperf-log-frames");
    if (!folder) {
        return 1;
    }
    QStringList names;
    std::vector<std::filesystem::path> files;
    for (int i = 0; i < nodes; ++i) {
        names << QStringLiteral("node%1").arg(i + 1);
        files.push_back(folder->path() / ("node" + std::to_string(i) + ".log"));
    }
    ui::Background background;
    ui::LogPanel panel(background);
    panel.setLogs(names, files);
    panel.resize(1200, 760);
    panel.show();
    application.watch(panel.view().viewport());
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &panel, &ui::LogPanel::refresh);
    timer.start(lookEvery);
    QTimer::singleShot(seconds * 1000, &application, &QApplication::quit);
    {
        const std::jthread writer([&](const std::stop_token& stop) { writeLogs(stop, files, linesASecond); });
        QApplication::exec();
    }
    std::printf("%d nodes, %d lines/s each, %d s, all nodes as one, followed\n", nodes, linesASecond,
                seconds);
    application.report();
    return 0;
}

}  // namespace
}  // namespace dlperf::bench

int main(int argc, char** argv) {
    return dlperf::bench::run(argc, argv);
}
