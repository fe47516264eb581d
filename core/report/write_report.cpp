// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

using Files = Result<std::vector<ReportFile>>;

Files oneFile(const std::filesystem::path& path, Result<std::string> bytes) {
    return bytes ? Files({ReportFile{path, *std::move(bytes)}}) : Failure(bytes.error());
}

Result<std::string> renderPdf(const Report& report, const std::filesystem::path& path,
                              const Renderers& renderers) {
    return renderers.document ? renderers.document(report)
                              : fail("this dlperf was built without Qt and writes no PDF", path.string(),
                                     "Write .html or .tex, or build it with -DDLPERF_GUI=ON.");
}

}  // namespace

Files renderReport(const Report& report, const std::filesystem::path& path, const Renderers& renderers) {
    const std::string ending = lower(path.extension().string());
    if (ending == ".md") {
        return renderMarkdown(report, path, renderers.svg);
    }
    if (ending == ".tex") {
        return renderLatex(report, path, renderers.pdf);
    }
    if (ending == ".html") {
        return oneFile(path, renderHtml(report, renderers.svg));
    }
    if (ending == ".pdf") {
        return oneFile(path, renderPdf(report, path, renderers));
    }
    if (ending == ".xlsx") {
        return oneFile(path, renderSpreadsheet(report));
    }
    if (ending == ".csv") {
        return oneFile(path, toCsv(dataTable(report)));
    }
    if (ending == ".json") {
        return oneFile(path, renderJson(report));
    }
    return fail(fmt::format("a report cannot be written as \"{}\"", ending.empty() ? "no ending" : ending),
                path.string(), "Name a file that ends in .md, .html, .pdf, .tex, .xlsx, .csv or .json.");
}

Result<void> writeReport(const Report& report, const std::filesystem::path& path,
                         const Renderers& renderers) {
    auto files = renderReport(report, path, renderers);
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
