// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/line_reader.h"

#include <utility>

#include "core/analysis/header_reader.h"
#include "core/analysis/rank_prefix.h"

namespace dlperf::analysis {

LineReader::LineReader(std::shared_ptr<const LineScanner> scanner, bool withDetails)
    : scanner_(std::move(scanner)), withDetails_(withDetails), followsShape_(scanner_->followsShape()) {}

LineShape LineReader::shapeFrom(std::string_view line) const {
    const auto place = [&](std::string_view text) {
        return Place{static_cast<std::uint32_t>(text.data() - line.data()),
                     static_cast<std::uint32_t>(text.size())};
    };
    const auto [text, rank] = withoutRank(line);
    LineShape shape;
    shape.size = static_cast<std::uint32_t>(line.size());
    shape.text = place(text);
    if (!rank.empty()) shape.rank = place(rank);
    shape.isHeader = isHeaderLine(scanner_->format().header.style, text);
    shape.mayCount = scanner_->mayCount(text);
    if (shape.mayCount) {
        shape.isOdd = scanner_->isOdd(text);
        shape.places = scanner_->find(text);
        shape.marker = scanner_->decidingMarker(text);
        shape.isSteady = !withDetails_ && !shape.isOdd && !shape.isHeader && scanner_->isSteady(shape.places);
    }
    return shape;
}

void LineReader::read(const Line& line, const LineShape& shape, RankMix& ranks, ScannedLine& scanned) const {
    scanned.line = line;
    scanned.text = shape.text.in(line.text);
    scanned.isHeader = shape.isHeader;
    scanned.counts = shape.mayCount && (!scanner_->digitsDecide() || shape.marker.standsIn(scanned.text) ||
                                        scanner_->counts(scanned.text));
    scanned.isOdd = shape.isOdd;
    if (!scanned.counts) return;
    ranks.add(shape.rank.in(line.text));
    scanner_->read(scanned.text, shape.places, withDetails_, scanned.counted);
}

}  // namespace dlperf::analysis
