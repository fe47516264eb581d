// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/series_look.h"

#include <algorithm>

#include "core/report/series_title.h"
#include "ui/theme/localized.h"

namespace dlperf::ui {

static_assert(positionHues == report::huesByPosition);  // which counts on by as many
static_assert(frameworkLooks == report::looksOfFramework);

std::vector<SeriesStyle> seriesLooks(const Theme& theme, const std::vector<report::Series>& series) {
    std::vector<SeriesStyle> looks;
    looks.reserve(series.size());
    for (const report::Series& one : series) {
        if (one.role == report::SeriesRole::Ideal) {
            looks.push_back({theme.ideal, Marker::Circle, Fill::Full});
        } else if (one.role == report::SeriesRole::RunningMedian) {
            looks.push_back({theme.text, Marker::None, Fill::Full});
        } else if (one.role == report::SeriesRole::Rest) {
            looks.push_back({one.fill == 0 ? theme.text3 : theme.border, Marker::None, Fill::Full});
        } else {
            looks.push_back(seriesStyle(theme, one.framework, one.fill));
        }
    }
    return looks;
}

QStringList shownTitles(const std::vector<std::string>& titles,
                        const std::function<bool(const QString&)>& fits) {
    const auto inWords = [](const std::vector<std::string>& some) {
        QStringList words;
        for (const std::string& title : some) {
            words << localizedPart(title);
        }
        return words;
    };
    const QStringList whole = inWords(titles);
    return std::ranges::all_of(whole, fits) ? whole : inWords(report::withoutSharedParts(titles));
}

}  // namespace dlperf::ui
