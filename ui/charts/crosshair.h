// SPDX-License-Identifier: Apache-2.0
// What all series of a chart say at one x.
#pragma once

#include <QPointF>
#include <QString>
#include <optional>
#include <vector>

#include "ui/charts/plot.h"

namespace dlperf::ui {

struct CrosshairRow {
    std::size_t series = 0;
    QString value;  // as tables write it; – where the series has none
};

struct Crosshair {
    double x = 0;
    QString title;  // "4n8g", "Iteration 84"
    std::vector<CrosshairRow> rows;
};

// At the x nearest to a position in the scene that some series has a point at; nothing outside the plot.
[[nodiscard]] std::optional<Crosshair> crosshairNear(const Plot& plot, const QPointF& position);
[[nodiscard]] Crosshair crosshairAt(const Plot& plot, double x);

// Lines of name, tab, value, for the clipboard and for screen readers.
[[nodiscard]] QString crosshairText(const Plot& plot, const Crosshair& crosshair);

}  // namespace dlperf::ui
