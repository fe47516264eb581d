// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

std::vector<ReportFile> oneFile(const std::filesystem::path& path, std::string bytes) {
    return {ReportFile{path, std::move(bytes)}};
}

}  // namespace

Result<std::vector<ReportFile>> renderReport(const Report& report, const std::filesystem::path& path,
                                             const ChartRenderer& renderer) {
    const std::string ending = lower(path.extension().string());
    if (ending == ".md") {
        return renderMarkdown(report, path, renderer);
    }
    if (ending == ".html") {
        auto html = renderHtml(report, renderer);
        if (!html) {
            return Failure(html.error());
        }
        return oneFile(path, *std::move(html));
    }
    if (ending == ".csv") {
        return oneFile(path, renderCsv(report));
    }
    if (ending == ".json") {
        return oneFile(path, renderJson(report));
    }
    return fail(fmt::format("a report cannot be written as \"{}\"", ending.empty() ? "no ending" : ending),
                path.string(), "Name a file that ends in .md, .html, .csv or .json.");
}

Result<void> writeReport(const Report& report, const std::filesystem::path& path,
                         const ChartRenderer& renderer) {
    auto files = renderReport(report, path, renderer);
    if (!files) {
        return Failure(files.error());
    }
    if (auto made = path.has_parent_path() ? makeFolders(path.parent_path()) : Result<void>(); !made) {
        return made;
    }
    std::reverse(files->begin(), files->end());
    for (const ReportFile& file : *files) {
        if (auto written = writeFileAtomically(file.path, file.bytes); !written) {
            return written;
        }
    }
    return {};
}

}  // namespace dlperf::report
