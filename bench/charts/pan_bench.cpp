// SPDX-License-Identifier: Apache-2.0
// Frame times of a live chart of 1,000,000 samples, in the real widget on Qt's offscreen platform: panned
// with the mouse at several zooms, then grown as a run grows it. A frame is the event and the whole repaint.
// Printed: median, 95 % and longest, in ms; 95 % should stay under 16. Arguments: samples, nodes.
#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QGraphicsView>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/report/live_chart.h"
#include "ui/charts/chart_view.h"
#include "ui/theme/theme_control.h"

namespace dlperf::ui {
namespace {

constexpr QSize viewSize(1100, 320);  // the chart of Runs at 1440 x 900
constexpr int frames = 600;

std::vector<analysis::Iteration> iterations(std::int64_t from, std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 40);
    std::vector<analysis::Iteration> result;
    for (std::int64_t i = from; i < from + count; ++i) {
        analysis::Iteration iteration;
        iteration.number = i;
        iteration.throughput = 2500 + 60 * std::sin(static_cast<double>(i) / 20000) + noise(random);
        result.push_back(iteration);
    }
    return result;
}

void report(const std::string& what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times[std::min(times.size() - 1,
                              static_cast<std::size_t>(share * static_cast<double>(times.size())))];
    };
    fmt::print("{:<44} p50 {:6.2f}  p95 {:6.2f}  max {:6.2f} ms\n", what, at(0.5), at(0.95), times.back());
}

class Pointer {
public:
    explicit Pointer(QWidget* target) : target_(target) {}

    void drag(QEvent::Type type, const QPointF& at, Qt::MouseButtons held) {
        QMouseEvent event(type, at, target_->mapToGlobal(at), Qt::MiddleButton, held, Qt::NoModifier);
        QCoreApplication::sendEvent(target_, &event);
    }
    void wheel(int notches) {
        const QPointF middle = QRectF(target_->rect()).center();
        QWheelEvent event(middle, target_->mapToGlobal(middle), {}, QPoint(0, 120 * notches), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(target_, &event);
    }

private:
    QWidget* target_;
};

// To and fro, a few pixels a frame.
void panIt(const std::string& what, QWidget* viewport) {
    Pointer pointer(viewport);
    std::vector<double> times;
    pointer.drag(QEvent::MouseButtonPress, {500, 150}, Qt::MiddleButton);
    for (int frame = 0; frame < frames; ++frame) {
        QElapsedTimer timer;
        timer.start();
        pointer.drag(QEvent::MouseMove, {500 + 300 * std::sin(frame / 40.0), 150}, Qt::MiddleButton);
        viewport->repaint();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    pointer.drag(QEvent::MouseButtonRelease, {500, 150}, Qt::NoButton);
    report(what, times);
}

// As the window does it: what is new goes in and the chart comes out (on a thread beside), then it is shown.
void growIt(const std::string& what, report::LiveChart& live, std::size_t nodes, std::int64_t from,
            ChartView& view, QWidget* viewport) {
    std::vector<double> taken;
    std::vector<double> shown;
    for (int frame = 0; frame < 100; ++frame) {
        QElapsedTimer timer;
        timer.start();
        for (std::size_t node = 0; node < nodes; ++node) {
            for (const analysis::Iteration& iteration : iterations(from, 100, static_cast<unsigned>(frame))) {
                live.add(node, iteration);
            }
        }
        live.update();
        const report::ChartSpec spec = live.chart();
        taken.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        timer.restart();
        view.setSpec(spec);
        viewport->repaint();
        shown.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        from += 100;
    }
    report(what + ", taken in", taken);
    report(what + ", shown", shown);
}

void run(std::int64_t samples, std::size_t nodes) {
    std::vector<std::string> names;
    for (std::size_t node = 0; node < nodes; ++node) {
        names.push_back("node" + std::to_string(node + 1));
    }
    report::LiveChart live(names, {20, 0}, "images/s");
    for (std::size_t node = 0; node < nodes; ++node) {
        for (const analysis::Iteration& iteration : iterations(1, samples, static_cast<unsigned>(node))) {
            live.add(node, iteration);
        }
    }
    live.update();
    ChartView view;
    view.resize(viewSize);
    view.show();
    view.setSpec(live.chart());
    QCoreApplication::processEvents();
    QWidget* viewport = view.findChild<QGraphicsView*>()->viewport();
    fmt::print("{} samples on each of {} nodes, {} x {} px\n", samples, nodes, viewSize.width(),
               viewSize.height());
    growIt("growing, all shown", live, nodes, samples + 1, view, viewport);
    Pointer(viewport).wheel(3);
    panIt("panning, half of it shown", viewport);
    Pointer(viewport).wheel(10);
    panIt("panning, a twentieth", viewport);
    Pointer(viewport).wheel(20);
    panIt("panning, a thousandth", viewport);
}

}  // namespace
}  // namespace dlperf::ui

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    dlperf::ui::ThemeControl theme(*qApp);
    theme.start(dlperf::ui::ThemeChoice::Light);
    const std::int64_t samples = argc > 1 ? std::stoll(argv[1]) : 1'000'000;
    if (argc > 2) {
        dlperf::ui::run(samples, std::stoul(argv[2]));
    } else {
        dlperf::ui::run(samples, 1);
        dlperf::ui::run(samples / 8, 8);
    }
}
