// SPDX-License-Identifier: Apache-2.0
// One writer for each ending. The order of a report's parts is said once, in walk(): a dialect (Markdown,
// HTML, LaTeX) writes what it is handed; texts arrive plain, and escaping them is the dialect's business.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/report/report.h"

namespace dlperf::report {

inline constexpr const char* noPictures =
    "The pictures need the full build: this dlperf was built without Qt (DLPERF_GUI=OFF).";
inline constexpr int chartWidth = 504;  // two beside each other on a page
inline constexpr int chartHeight = 340;

enum class Tone { Plain, Note, Warning };

class ReportDialect {
public:
    virtual ~ReportDialect() = default;

    virtual void beginPart(ReportPart /*part*/) {}  // of a section, where the part is one of sections
    virtual void beginSection() {}
    virtual void endSection() {}
    virtual void heading(int level, const std::string& text) = 0;  // 2 or 3; 1 is the title
    virtual void paragraph(const std::string& text, Tone tone) = 0;
    virtual void list(const std::string& lead, const std::vector<std::string>& items, Tone tone) = 0;
    virtual void table(const Table& table) = 0;
    virtual void script(const ReportScript& script) = 0;
    // All charts of a section; an error is the renderer's.
    [[nodiscard]] virtual Result<void> charts(const std::vector<ChartSpec>& charts) = 0;
};

// The report's own words in its language.
[[nodiscard]] std::string inItsLanguage(const Report& report, const std::string& text);

// Everything below the title. Without `canDraw` there are no charts, and a word about it.
[[nodiscard]] Result<void> walk(const Report& report, bool canDraw, ReportDialect& dialect);

// A dialect whose charts, or other parts, are files beside the document: "report-1.svg", "report-2.svg", …
class DocumentDialect : public ReportDialect {
public:
    DocumentDialect(std::filesystem::path path, const ChartRenderer& renderer, std::string begin)
        : text_(std::move(begin)), path_(std::move(path)), renderer_(renderer) {}

    // The document with `end` below it, then what stands beside it; an error is the renderer's.
    [[nodiscard]] Result<std::vector<ReportFile>> write(const Report& report, const std::string& end = {});

protected:
    // Draws the next chart; its file's name.
    [[nodiscard]] Result<std::string> draw(const ChartSpec& chart, const std::string& stem,
                                           const char* ending);
    void addBeside(const std::string& name, std::string bytes) {
        beside_.push_back({path_.parent_path() / name, std::move(bytes)});
    }
    [[nodiscard]] std::string stem() const { return path_.stem().string(); }
    std::string text_;

private:
    std::filesystem::path path_;
    const ChartRenderer& renderer_;
    int drawn_ = 0;
    std::vector<ReportFile> beside_;
};

[[nodiscard]] Result<std::vector<ReportFile>> renderMarkdown(const Report& report,
                                                             const std::filesystem::path& path,
                                                             const ChartRenderer& renderer);
[[nodiscard]] Result<std::string> renderHtml(const Report& report, const ChartRenderer& renderer);
[[nodiscard]] Result<std::vector<ReportFile>> renderLatex(const Report& report,
                                                          const std::filesystem::path& path,
                                                          const ChartRenderer& renderer);
// Sheets: the tables of the page, then all that is known of the figures.
[[nodiscard]] Result<std::string> renderSpreadsheet(const Report& report);
// DLPerf's own layout ({"r50": {"1n1g": {"average_speed": …}}}), each case with everything else that is known
// of it; beside the models "hardware", where any was measured.
[[nodiscard]] std::string renderJson(const Report& report);

}  // namespace dlperf::report
