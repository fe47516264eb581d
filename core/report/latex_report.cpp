// SPDX-License-Identifier: Apache-2.0
// A LaTeX document with booktabs tables, its charts as PDF files beside it. Needs lualatex or xelatex: names
// may hold any script.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

constexpr const char* preamble =
    "\\documentclass[a4paper,10pt]{article}\n"
    "% Compile with lualatex or xelatex.\n"
    "\\usepackage[margin=18mm]{geometry}\n"
    "\\usepackage{fontspec}\n"
    "\\usepackage{booktabs,longtable,graphicx,fancyvrb}\n"
    "\\setlength{\\parindent}{0pt}\n"
    "\\setlength{\\parskip}{4pt}\n";

std::string list(const std::vector<std::string>& items) {
    std::string text = "\\begin{itemize}\n";
    for (const std::string& item : items) {
        text += "\\item " + escapeLatex(item) + "\n";
    }
    return text + "\\end{itemize}\n";
}

// A table of many columns in small type, as wide as it is.
std::string small(const Table& table) {
    return "{\\footnotesize\\setlength{\\tabcolsep}{4pt}\n" + toLatex(table) + "}\n";
}

// Verbatim text ends at its own end mark, so that mark is broken.
std::string verbatim(const std::string& script) {
    std::string text = cleanUtf8(script);
    constexpr std::string_view end = "\\end{Verbatim}";
    for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at + 2)) {
        text.insert(at + 1, " ");
    }
    return "\\begin{Verbatim}[fontsize=\\scriptsize]\n" + text + (text.ends_with('\n') ? "" : "\n") +
           "\\end{Verbatim}\n";
}

class LatexWriter {
public:
    LatexWriter(const Report& report, const std::filesystem::path& path, const ChartRenderer& renderer)
        : report_(report), path_(path), renderer_(renderer) {}

    Result<std::vector<ReportFile>> write() {
        text_ = fmt::format("{}\\begin{{document}}\n\\section*{{{}}}\n{}\n", preamble,
                            escapeLatex(report_.title), escapeLatex(report_.subtitle));
        if (shows(ReportPart::Charts) && !renderer_ && !report_.sections.empty()) {
            text_ += "\n" + escapeLatex(noPictures) + "\n";
        }
        for (const ReportSection& section : report_.sections) {
            if (auto written = writeSection(section); !written) {
                return Failure(written.error());
            }
        }
        writeRest();
        text_ += "\\end{document}\n";
        std::vector<ReportFile> files{{path_, std::move(text_)}};
        std::move(charts_.begin(), charts_.end(), std::back_inserter(files));
        return files;
    }

private:
    bool shows(ReportPart part) const { return report_.parts.contains(part); }

    Result<void> writeSection(const ReportSection& section) {
        if (section.batchSizes && (!renderer_ || !shows(ReportPart::Charts))) {
            return {};  // nothing but charts
        }
        text_ += fmt::format("\n\\subsection*{{{}}}\n", escapeLatex(section.heading));
        if (shows(ReportPart::Summary) && !section.summary.empty()) {
            text_ += escapeLatex(section.summary) + "\n\n";
        }
        if (!section.comparison.warnings.empty()) {
            text_ += "What is compared here differs:\n" + list(section.comparison.warnings);
        }
        for (std::size_t i = 0; i < section.charts.size(); ++i) {  // two beside each other
            if (auto written = writeChart(section.charts[i]); !written) {
                return written;
            }
            text_ += i % 2 == 0 ? "\\hfill\n" : "\n\n";
        }
        if (!section.batchSizes) {
            writeTables(section.comparison);
        }
        return {};
    }

    Result<void> writeChart(const ChartSpec& chart) {
        if (!shows(ReportPart::Charts) || !renderer_) {
            return {};
        }
        auto pdf = renderer_(chart, chartWidth, chartHeight);
        if (!pdf) {
            return Failure(pdf.error());
        }
        // Only letters and digits: what else TeX makes of a file name is not worth knowing.
        std::string name = path_.stem().string();
        std::erase_if(name, [](unsigned char c) { return c >= 0x80 || std::isalnum(c) == 0; });
        name += fmt::format("-{}.pdf", charts_.size() + 1);
        charts_.push_back({path_.parent_path() / name, *std::move(pdf)});
        text_ += fmt::format("\\includegraphics[width=0.49\\linewidth]{{{}}}", name);
        return {};
    }

    void writeTables(const Comparison& comparison) {
        if (shows(ReportPart::Results)) {
            text_ += "\n" + small(resultTable(comparison));
            text_ += "\n" + escapeLatex(resultNote(comparison)) + "\n";
            const auto missing = missingFigures(comparison);
            text_ += missing.empty() ? "" : "\nNo figure (–):\n" + list(missing);
        }
        if (shows(ReportPart::Repetitions)) {
            text_ += "\n\\subsubsection*{Repetitions}\n" + small(repetitionTable(comparison));
        }
    }

    void writeRest() {
        const auto heading = [&](const char* text) { text_ += fmt::format("\n\\subsection*{{{}}}\n", text); };
        if (shows(ReportPart::Findings) && !report_.findings.empty()) {
            heading("Findings");
            text_ += list(report_.findings);
        }
        if (shows(ReportPart::Findings) && !report_.trouble.rows.empty()) {
            heading("Runs that are not in the figures");
            text_ += small(report_.trouble);
        }
        if (shows(ReportPart::Environment) && !report_.environment.rows.empty()) {
            heading("Test environment");
            text_ += small(report_.environment);
        }
        if (shows(ReportPart::Method)) {
            heading("Method");
            text_ += list(report_.method);
        }
        if (shows(ReportPart::Scripts)) {
            for (const ReportScript& script : report_.scripts) {
                heading(escapeLatex(script.name).c_str());
                text_ += verbatim(script.text);
            }
        }
    }

    const Report& report_;
    const std::filesystem::path& path_;
    const ChartRenderer& renderer_;
    std::string text_;
    std::vector<ReportFile> charts_;
};

}  // namespace

Result<std::vector<ReportFile>> renderLatex(const Report& report, const std::filesystem::path& path,
                                            const ChartRenderer& renderer) {
    return LatexWriter(report, path, renderer).write();
}

}  // namespace dlperf::report
