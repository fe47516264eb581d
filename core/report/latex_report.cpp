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

class LatexDialect final : public DocumentDialect {
public:
    using DocumentDialect::DocumentDialect;

    void heading(int level, const std::string& text) override {
        text_ += fmt::format("\n\\{}section*{{{}}}\n", level == 2 ? "sub" : "subsub", escapeLatex(text));
    }
    void paragraph(const std::string& text, Tone) override { text_ += "\n" + escapeLatex(text) + "\n"; }
    void list(const std::string& lead, const std::vector<std::string>& items, Tone) override {
        text_ += fmt::format("\n{}\n\\begin{{itemize}}\n", escapeLatex(lead));
        for (const std::string& item : items) {
            text_ += "\\item " + escapeLatex(item) + "\n";
        }
        text_ += "\\end{itemize}\n";
    }
    void table(const Table& table) override { text_ += "\n" + small(table); }
    void script(const ReportScript& script) override { text_ += verbatim(script.text); }

    // Two beside each other.
    Result<void> charts(const std::vector<ChartSpec>& charts) override {
        for (std::size_t i = 0; i < charts.size(); ++i) {
            const auto name = TRY(draw(charts[i], plainStem(), "pdf"));
            text_ += fmt::format("\n\\includegraphics[width=0.49\\linewidth]{{{}}}{}\n", name,
                                 i % 2 == 0 ? "\\hfill" : "\n");
        }
        return {};
    }

private:
    // Only letters and digits: what else TeX makes of a file name is not worth knowing.
    std::string plainStem() const {
        std::string name = stem();
        std::erase_if(name, [](unsigned char c) { return c >= 0x80 || std::isalnum(c) == 0; });
        return name;
    }
};

}  // namespace

Result<std::vector<ReportFile>> renderLatex(const Report& report, const std::filesystem::path& path,
                                            const ChartRenderer& renderer) {
    return LatexDialect(path, renderer,
                        fmt::format("{}{}\\begin{{document}}\n\\section*{{{}}}\n{}\n", preamble,
                                    report.language.starts_with("zh") ? "\\usepackage{ctex}\n" : "",
                                    escapeLatex(inItsLanguage(report, report.title)),
                                    escapeLatex(inItsLanguage(report, report.subtitle))))
        .write(report, "\\end{document}\n");
}

}  // namespace dlperf::report
