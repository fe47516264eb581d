// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/link_map.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/cluster/baseline.h"
#include "ui/pages/words_view.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme.h"
#include "ui/theme/tips.h"

namespace dlperf::ui {
namespace {

constexpr int belowFigure = 11;  // px: a caption's size

QString nameOf(const std::string& node) {
    return QString::fromStdString(node).toHtmlEscaped();
}

QString rateOf(double bandwidth) {
    return QString::fromStdString(cluster::shortFigure(bandwidth));
}

class LinkMap {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::LinkMap)

public:
    LinkMap(const cluster::LinkBaseline& links, const std::vector<cluster::SlowLink>& slow) : links_(links) {
        for (const cluster::PairBaseline& pair : links.pairs) {
            cells_[{pair.from, pair.to}].alone = &pair.series;
            cells_[{pair.to, pair.from}].alone = &pair.series;
            (isFromGpuToGpu(links, pair.series) ? byGpus_ : byHosts_) |= bandwidthOf(pair.series).has_value();
        }
        for (const cluster::RingLink& link : links.ring) {
            cells_[{link.from, link.to}].ring = &link;
        }
        for (const cluster::SlowLink& link : slow) {
            if (link.isShared) {
                cells_[{link.from, link.to}].isShared = true;
            } else {
                cells_[{link.from, link.to}].isSlow = true;
                cells_[{link.to, link.from}].isSlow = true;
            }
        }
    }

    QString html() const {
        QString html = QStringLiteral("<table cellspacing=\"3\" cellpadding=\"5\"><tr><td></td>");
        for (const std::string& column : links_.nodes) {
            html += QStringLiteral("<td align=\"center\">%1</td>").arg(nameOf(column));
        }
        for (const std::string& row : links_.nodes) {
            html += QStringLiteral("</tr><tr><td valign=\"middle\">%1</td>").arg(nameOf(row));
            for (const std::string& column : links_.nodes) {
                const auto cell = cells_.find({row, column});
                html += row == column || cell == cells_.end() ? cellHtml(row == column ? QString() : missing)
                                                              : cellHtml(row, column, cell->second);
            }
        }
        return html + QStringLiteral("</tr></table>") + legend();
    }

private:
    struct Cell {
        const cluster::LinkSeries* alone = nullptr;
        const cluster::RingLink* ring = nullptr;
        bool isSlow = false;    // alone
        bool isShared = false;  // in the ring
    };

    static QString cellHtml(const QString& figure) {
        return QStringLiteral("<td align=\"center\" valign=\"middle\" style=\"color:%1\">%2</td>")
            .arg(currentTheme().text3.name(), figure);
    }

    QString cellHtml(const std::string& row, const std::string& column, const Cell& cell) const {
        const auto bandwidth = cell.alone == nullptr ? std::nullopt : bandwidthOf(*cell.alone);
        const LinkStyle style = measuredLinkStyle(cell.isSlow);
        const QColor ground = bandwidth ? style.fill : currentTheme().panel;
        const QColor ink = bandwidth ? style.text : currentTheme().text3;
        QStringList below;
        if (bandwidth && byGpus_ && !isFromGpuToGpu(links_, *cell.alone)) {
            below << tr("hosts");
        }
        if (cell.ring != nullptr) {
            const QString ring = tr("ring %1").arg(rateOf(bandwidthOf(*cell.ring)));
            const LinkStyle shared = measuredLinkStyle(true);
            below << (cell.isShared
                          ? QStringLiteral("<span style=\"color:%1; background-color:%2\">%3</span>")
                                .arg(shared.text.name(), shared.fill.name(), ring)
                          : ring);
        }
        QString html = bandwidth ? rateOf(*bandwidth) : missing;
        if (!below.isEmpty()) {
            html += QStringLiteral("<br><span style=\"font-size:%1px\">%2</span>")
                        .arg(scaled(belowFigure))
                        .arg(below.join(comma()));
        }
        return QStringLiteral(
                   "<td align=\"center\" valign=\"middle\" bgcolor=\"%1\" style=\"color:%2\">"
                   "<span title=\"%3\">%4</span></td>")
            .arg(ground.name(), ink.name(), plainTip(tipOf(row, column, cell)).toHtmlEscaped(), html);
    }

    QString tipOf(const std::string& row, const std::string& column, const Cell& cell) const {
        QStringList lines;
        if (const auto bandwidth = cell.alone == nullptr ? std::nullopt : bandwidthOf(*cell.alone)) {
            lines << tr("%1 and %2 alone: %3 GB/s, %4 ms")
                         .arg(QString::fromStdString(row), QString::fromStdString(column), rateOf(*bandwidth),
                              rateOf(*latencyMsOf(*cell.alone)))
                  << localized(exchangedBy(links_, *cell.alone));
        } else if (cell.alone != nullptr) {
            lines << localized(cell.alone->missing);
        }
        if (cell.ring != nullptr) {
            lines << tr("%1 to %2 while all nodes exchange: %3 GB/s, by way of the hosts")
                         .arg(QString::fromStdString(row), QString::fromStdString(column),
                              rateOf(bandwidthOf(*cell.ring)));
        }
        return lines.join(QLatin1Char('\n'));
    }

    // What the words in the cells mean.
    QString legend() const {
        const QColor& ink = currentTheme().text2;
        QString html;
        if (byGpus_ && byHosts_) {
            html += paragraph(tr("<b>hosts</b>: by way of the hosts; the others from GPU to GPU"), ink, 8);
        }
        if (!links_.ring.empty()) {
            html += paragraph(
                byGpus_
                    ? tr("<b>ring</b>: what the row's node sends to the column's while all exchange, each "
                         "with the next one, by way of the hosts")
                    : tr("<b>ring</b>: what the row's node sends to the column's while all exchange, each "
                         "with the next one"),
                ink, 8);
        }
        return html;
    }

    const cluster::LinkBaseline& links_;
    std::map<std::pair<std::string, std::string>, Cell> cells_;  // by row and column
    bool byGpus_ = false;                                        // any of the pairs
    bool byHosts_ = false;
};

}  // namespace

QString linkMap(const cluster::LinkBaseline& links, const std::vector<cluster::SlowLink>& slow) {
    return LinkMap(links, slow).html();
}

}  // namespace dlperf::ui
