// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/measured_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/text.h"
#include "core/cluster/baseline.h"
#include "ui/pages/words_view.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"

namespace dlperf::ui {
namespace {

constexpr int aboveSection = 18;  // px
constexpr int aboveLine = 4;

QString asHtml(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

// One node's part of the three.
class MeasuredNode {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::MeasuredNode)

public:
    MeasuredNode(const MeasuredHardware& measured, const std::string& node, const store::Workspace& workspace)
        : measured_(measured), node_(node), workspace_(workspace), theme_(currentTheme()) {}

    QString text() {
        for (const std::string& problem : measured_.hardware.unreadable) {
            line(escaped(problem), theme_.fail.text);
        }
        addCompute();
        addReading();
        addLinks();
        return html_;
    }

private:
    void line(const QString& text, const QColor& ink) { html_ += paragraph(text, ink, aboveLine); }

    void heading(const QString& title, const QString& more) {
        html_ += paragraph(QStringLiteral("<b>%1</b> <span style=\"color:%2\">%3</span>")
                               .arg(title, theme_.text2.name(), more),
                           theme_.text, html_.isEmpty() ? 0 : aboveSection);
    }

    // Keeps the places of what stands below.
    void blankLine() { line(QStringLiteral("&nbsp;"), theme_.text2); }

    // False, and the command, where it was never measured.
    template <class Baseline>
    bool beginPart(const QString& title, const std::optional<Baseline>& baseline, const char* command) {
        if (baseline) {
            heading(title, tr("measured %1").arg(dayOf(baseline->measured)));
            return true;
        }
        heading(title, tr("not measured yet"));
        const QString words =
            QStringLiteral("dlperf bench %1 CLUSTER.json --workspace %2")
                .arg(QLatin1String(command), asHtml(shellQuote(workspace_.root().string())));
        line(QStringLiteral("<code>%1</code>").arg(words), theme_.text2);
        return false;
    }

    // Null, and a line that says why.
    template <class Node>
    const Node* found(const std::vector<Node>& nodes) {
        const auto node = std::ranges::find(nodes, node_, &Node::node);
        if (node != nodes.end() && node->isMeasured()) {
            return &*node;
        }
        if (node == nodes.end()) {
            line(tr("This node was not among those that were measured."), theme_.text2);
        } else {
            line(tr("<b>Missing:</b> %1").arg(escaped(node->missing)), theme_.warn.text);
        }
        blankLine();
        blankLine();
        return nullptr;
    }

    template <class Node>
    void judge(const std::vector<Node>& nodes, const std::vector<cluster::SlowNode>& slow) {
        QStringList sentences;
        for (const cluster::SlowNode& one : slow) {
            if (one.node == node_) {
                sentences << escaped(one.sentence);
            }
        }
        if (!sentences.isEmpty()) {
            line(tr("<b>Slow:</b> %1").arg(sentences.join(QStringLiteral("; "))), theme_.warn.text);
        } else if (std::ranges::count_if(nodes, &Node::isMeasured) > 1) {
            line(tr("Not slow beside the other nodes"), theme_.text2);
        } else {
            blankLine();
        }
    }

    void addCompute() {
        const auto& baseline = measured_.hardware.compute;
        if (!beginPart(tr("Computing"), baseline, "compute")) {
            return;
        }
        const cluster::NodeCompute* node = found(baseline->nodes);
        if (node == nullptr) {
            return;
        }
        const auto [least, most] = std::ranges::minmax(node->throughputs);
        line(tr("<b>%1 images/s</b> on one device, median of %2 (%3 to %4)")
                 .arg(figureText(*cluster::throughputOf(*node)))
                 .arg(node->throughputs.size())
                 .arg(figureText(least), figureText(most)),
             theme_.text);
        line(tr("%1 × %2 px, by %3").arg(node->batchSize).arg(node->imageSize).arg(asHtml(node->backend)),
             theme_.text2);
        judge(baseline->nodes, measured_.computing);
    }

    void addReading() {
        const auto& baseline = measured_.hardware.data;
        if (!beginPart(tr("Reading"), baseline, "data")) {
            return;
        }
        const cluster::NodeReading* node = found(baseline->nodes);
        if (node == nullptr) {
            return;
        }
        QString figures =
            tr("<b>%1 MB/s</b>, %2 files/s")
                .arg(figureText(*cluster::readingSpeedOf(*node)), figureText(*cluster::fileRateOf(*node)));
        if (node->imagesPerSecond) {
            figures = tr("%1, %2 images/s prepared").arg(figures, figureText(*node->imagesPerSecond));
        }
        line(figures, theme_.text);
        line(node->mayBeCached() ? tr("%1; files may have been in the page cache, which makes reading fast")
                                       .arg(asHtml(node->folder))
                                 : asHtml(node->folder),
             theme_.text2);
        judge(baseline->nodes, measured_.reading);
    }

    void addLinks() {
        const auto& baseline = measured_.hardware.links;
        if (!beginPart(tr("Links"), baseline, "links")) {
            return;
        }
        if (std::ranges::find(baseline->nodes, node_) == baseline->nodes.end()) {
            line(tr("This node was not among those that were measured."), theme_.text2);
            return;
        }
        QString rows;
        for (const cluster::PairBaseline& pair : baseline->pairs) {
            if (pair.from == node_ || pair.to == node_) {
                const std::string& other = pair.from == node_ ? pair.to : pair.from;
                rows += row(asHtml(other), pair.series, isSlow(pair), inRing(other));
            }
        }
        for (const cluster::NodeBaseline& node : baseline->within) {
            if (node.node == node_) {
                rows += row(tr("its %1 devices").arg(node.series.ranks), node.series, false);
            }
        }
        if (baseline->all) {
            rows += row(tr("all %1 nodes together").arg(baseline->nodes.size()), *baseline->all, false);
        }
        html_ += QStringLiteral(
                     "<table cellspacing=\"3\" cellpadding=\"4\" style=\"margin-top:6px\">"
                     "<tr style=\"color:%1\"><td>%2</td><td align=\"right\">GB/s</td>%3"
                     "<td align=\"right\">%4</td><td></td></tr>%5</table>")
                     .arg(theme_.text2.name(), tr("To"),
                          baseline->ring.empty() ? QString() : figureCell(tr("in the ring")),
                          tr("Latency, ms"), rows);
        if (!baseline->ring.empty()) {
            line(tr("GB/s in the ring, while all nodes exchange: → what this node sends, ← what it gets"),
                 theme_.text2);
        }
        for (const cluster::SlowLink& link : measured_.links) {
            if (link.from == node_ || link.to == node_) {
                line(tr("<b>Slow:</b> %1").arg(escaped(link.sentence)), theme_.warn.text);
            }
        }
        line(escaped(baseline->by), theme_.text2);
    }

    bool isSlow(const cluster::PairBaseline& pair) const {
        return std::ranges::any_of(measured_.links, [&](const cluster::SlowLink& link) {
            return !link.isShared && link.from == pair.from && link.to == pair.to;
        });
    }

    static QString figureCell(const QString& figure) {
        return QStringLiteral("<td align=\"right\">%1</td>").arg(figure);
    }

    // What this node and another pass on while all do; nothing where they are no neighbours.
    QString inRing(const std::string& other) const {
        for (const cluster::RingLink& link : measured_.hardware.links->ring) {
            const bool sends = link.from == node_ && link.to == other;
            if (sends || (link.from == other && link.to == node_)) {
                return (sends ? QStringLiteral("→ ") : QStringLiteral("← ")) +
                       asHtml(cluster::shortFigure(bandwidthOf(link)));
            }
        }
        return {};
    }

    // `to` and `ring` are HTML. Slow ones stand out by colour and by a word.
    QString row(const QString& to, const cluster::LinkSeries& series, bool slow,
                const QString& ring = {}) const {
        const QString ringCell = measured_.hardware.links->ring.empty() ? QString() : figureCell(ring);
        const auto bandwidth = cluster::bandwidthOf(series);
        const auto latency = cluster::latencyMsOf(series);
        if (!bandwidth || !latency) {
            return QStringLiteral(
                       "<tr><td>%1</td><td align=\"right\">%2</td>%3<td align=\"right\">%2</td>"
                       "<td style=\"color:%4\">%5</td></tr>")
                .arg(to, missing, ringCell, theme_.warn.text.name(), escaped(series.missing));
        }
        const LinkStyle look = measuredLinkStyle(slow);
        return QStringLiteral(
                   "<tr><td>%1</td><td align=\"right\" bgcolor=\"%2\" style=\"color:%3\">%4</td>%5"
                   "<td align=\"right\">%6</td><td style=\"color:%7\"><b>%8</b></td></tr>")
            .arg(to, look.fill.name(), look.text.name(), asHtml(cluster::shortFigure(*bandwidth)), ringCell,
                 asHtml(cluster::shortFigure(*latency)), theme_.warn.text.name(),
                 slow ? tr("slow") : QString());
    }

    const MeasuredHardware& measured_;
    const std::string& node_;
    const store::Workspace& workspace_;
    const Theme& theme_;
    QString html_;
};

}  // namespace

MeasuredHardware readMeasured(const store::Workspace& workspace) {
    MeasuredHardware measured{.hardware = report::readHardwareBaselines(workspace)};
    const report::HardwareBaselines& hardware = measured.hardware;
    if (hardware.compute) {
        measured.computing = cluster::slowNodes(*hardware.compute);
    }
    if (hardware.data) {
        measured.reading = cluster::slowReaders(*hardware.data);
    }
    if (hardware.links) {
        measured.links = cluster::slowLinks(*hardware.links);
    }
    return measured;
}

QString measuredText(const MeasuredHardware& measured, const std::string& node,
                     const store::Workspace& workspace) {
    return MeasuredNode(measured, node, workspace).text();
}

}  // namespace dlperf::ui
