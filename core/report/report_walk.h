// SPDX-License-Identifier: Apache-2.0
// The order of a report's parts, said once. A dialect (Markdown, HTML, LaTeX) writes what it is handed; texts
// arrive plain, and escaping them is the dialect's business.
#pragma once

#include <string>
#include <vector>

#include "core/report/report.h"

namespace dlperf::report {

enum class Tone { Plain, Note, Warning };

class ReportDialect {
public:
    virtual ~ReportDialect() = default;

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

// Everything below the title. Without `canDraw` there are no charts, and a word about it.
[[nodiscard]] Result<void> walk(const Report& report, bool canDraw, ReportDialect& dialect);

}  // namespace dlperf::report
