// SPDX-License-Identifier: Apache-2.0
// LaTeX with booktabs tables, its charts as PDF files beside it, each with a caption and a label: a document,
// or parts for one's own. Needs lualatex or xelatex: names may hold any script.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
    "\\usepackage{array,booktabs,longtable,graphicx,fancyvrb,caption}\n"
    "\\captionsetup{justification=raggedright,singlelinecheck=false,labelfont=bf}\n"
    "\\setlength{\\parindent}{0pt}\n"
    "\\setlength{\\parskip}{4pt}\n";

constexpr const char* partsHead =
    "% Tables and figures, each a file of its own with a caption and a label. The document that \\input's "
    "them\n"
    "% needs \\usepackage{array,booktabs,longtable,graphicx} and, for names in any script, lualatex or "
    "xelatex.\n"
    "% From another folder: \\graphicspath and \\input@path, or the import package.\n";

// A table in small type, of many columns in smaller type, as wide as it is.
std::string small(const Table& table, const std::string& caption) {
    constexpr std::size_t many = 9;
    return fmt::format("{{\\{}\\setlength{{\\tabcolsep}}{{4pt}}\n{}}}\n",
                       table.columns.size() > many ? "scriptsize" : "footnotesize", toLatex(table, caption));
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

class LatexDialect : public DocumentDialect {
public:
    LatexDialect(const Report& report, const std::filesystem::path& path, const ChartRenderer& renderer,
                 std::string begin)
        : DocumentDialect(path, renderer, std::move(begin)), title_(inItsLanguage(report, report.title)) {}

    void heading(int level, const std::string& text) override {
        goBelow(level, text);
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
    void table(const Table& table) override { text_ += "\n" + labelled(table); }
    void script(const ReportScript& script) override { text_ += verbatim(script.text); }

    // Two beside each other.
    Result<void> charts(const std::vector<ChartSpec>& charts) override {
        for (std::size_t i = 0; i < charts.size(); ++i) {
            const std::string picture = TRY(drawn(charts[i]));
            text_ += fmt::format("{}\\begin{{minipage}}[t]{{0.49\\linewidth}}\n{}{}\\end{{minipage}}{}\n",
                                 i % 2 == 0 ? "\n" : "", picture, labelled("\\captionof{figure}", charts[i]),
                                 i % 2 == 0 ? "\\hfill" : "");
        }
        return {};
    }

protected:
    void goBelow(int level, const std::string& text) {
        headings_.resize(static_cast<std::size_t>(level) - 2);
        headings_.push_back(text);
    }
    // The headings that what follows stands below, or the title.
    std::string place() const { return headings_.empty() ? title_ : join(headings_, ": "); }
    // "ResNet50 v1.5, fp32, batch size 128: Results" stands above a table, and its label.
    std::string labelled(const Table& table) {
        return small(table, fmt::format("\\caption{{{}}}\\label{{tab:{}-{}}}", escapeLatex(place()),
                                        plainStem(), ++tables_));
    }
    std::string labelled(const char* command, const ChartSpec& chart) {
        const std::string of = headings_.empty() ? "" : headings_.front() + ": ";
        return fmt::format("{}{{{}}}\\label{{fig:{}-{}}}\n", command,
                           escapeLatex(of + chart.title + ", " + chart.unit), plainStem(), ++figures_);
    }
    Result<std::string> drawn(const ChartSpec& chart) {
        return fmt::format("\\includegraphics[width=\\linewidth]{{{}}}\n",
                           TRY(draw(chart, plainStem(), "pdf")));
    }
    // Only letters and digits: what else TeX makes of a file name is not worth knowing.
    std::string plainStem() const {
        std::string name = stem();
        std::erase_if(name, [](unsigned char c) { return c >= 0x80 || std::isalnum(c) == 0; });
        return name;
    }
    int tables_ = 0;
    int figures_ = 0;

private:
    std::string title_;
    std::vector<std::string> headings_;
};

// Figures and tables as files; the document only names them.
class LatexParts final : public LatexDialect {
public:
    using LatexDialect::LatexDialect;

    void heading(int level, const std::string& text) override { goBelow(level, text); }
    void paragraph(const std::string&, Tone) override {}
    void list(const std::string&, const std::vector<std::string>&, Tone) override {}
    void script(const ReportScript&) override {}
    void table(const Table& table) override {
        std::string text = labelled(table);
        addPart("table", tables_, std::move(text));
    }
    Result<void> charts(const std::vector<ChartSpec>& charts) override {
        for (const ChartSpec& chart : charts) {
            std::string text = "\\begin{figure}[tbp]\n\\centering\n" + TRY(drawn(chart));
            text += labelled("\\caption", chart) + "\\end{figure}\n";
            addPart("figure", figures_, std::move(text));
        }
        return {};
    }
    // What names them all.
    Result<std::vector<ReportFile>> writeParts(const Report& report) {
        auto files = TRY(write(report));
        files.front().bytes = partsHead + inputs_;
        return files;
    }

private:
    void addPart(const char* kind, int number, std::string text) {
        const std::string name = fmt::format("{}-{}-{}.tex", plainStem(), kind, number);
        inputs_ += fmt::format("\\input{{{}}}  % {}\n", name, terminalText(place()));
        addBeside(name, std::move(text));
    }

    std::string inputs_;
};

}  // namespace

Result<std::vector<ReportFile>> renderLatex(const Report& report, const std::filesystem::path& path,
                                            const ChartRenderer& renderer) {
    if (report.latexParts) {
        return LatexParts(report, path, renderer, {}).writeParts(report);
    }
    return LatexDialect(report, path, renderer,
                        fmt::format("{}{}\\begin{{document}}\n\\section*{{{}}}\n{}\n", preamble,
                                    report.language.starts_with("zh") ? "\\usepackage{ctex}\n" : "",
                                    escapeLatex(inItsLanguage(report, report.title)),
                                    escapeLatex(inItsLanguage(report, report.subtitle))))
        .write(report, "\\end{document}\n");
}

}  // namespace dlperf::report
