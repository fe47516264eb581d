// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

// The interface's tokens, light and dark. Charts keep their light paper.
constexpr const char* htmlStyle = R"(
:root { color-scheme: light dark; --page: #F8F9FA; --panel: #FFFFFF; --text: #1A1E24; --text2: #4E5661;
  --line: #DDE1E6; --warn: #8A5A00; --warnground: #FFF3D6; --code: #F1F3F5; }
@media (prefers-color-scheme: dark) { :root { --page: #1A1D22; --panel: #20242A; --text: #E6E9ED; --text2: #B0B7C1;
  --line: #333942; --warn: #E8B84A; --warnground: #3A2F16; --code: #15181C; } }
body { margin: 0; background: var(--page); color: var(--text);
  font: 14px/1.45 Inter, "Noto Sans CJK SC", system-ui, sans-serif;
  font-feature-settings: "calt" 0; }  /* else Inter shows x86 with a multiplication sign */
main { max-width: 1080px; margin: 0 auto; padding: 24px; background: var(--panel); }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 8px; } h3 { font-size: 14px; }
.subtitle, .note, caption { color: var(--text2); }
.warnings { color: var(--warn); background: var(--warnground); padding: 8px 12px; border-radius: 6px; }
.warnings ul { margin: 4px 0 0; padding-left: 20px; }
.charts { display: flex; flex-wrap: wrap; gap: 12px; }
.chart { margin: 0; background: #FFFFFF; border: 1px solid var(--line); border-radius: 6px; max-width: 100%; }
.chart svg { display: block; max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 8px 0; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--text2); font-weight: 600; font-size: 12px; white-space: nowrap; }
.figure { text-align: right; white-space: nowrap; }
td.figure { font-family: "JetBrains Mono", ui-monospace, monospace; }
pre { background: var(--code); padding: 12px; overflow-x: auto; font: 12px/1.4 "JetBrains Mono", ui-monospace, monospace; }
@media print { :root { --page: #FFFFFF; --panel: #FFFFFF; --text: #1A1E24; --text2: #4E5661; --line: #B9C0CA; }
  main { padding: 0; max-width: none; } h2, h3 { break-after: avoid; } .chart, tr { break-inside: avoid; }
  .wide { overflow: visible; } pre { white-space: pre-wrap; } }
)";

std::string safe(const std::string& text) {
    return escapeHtml(terminalText(text));
}

class HtmlDialect final : public ReportDialect {
public:
    explicit HtmlDialect(const ChartRenderer& renderer) : renderer_(renderer) {}

    void beginPart(ReportPart part) override { begun_ = part; }
    void beginSection() override {
        begun_.reset();  // nothing was written of the part above
        text_ += "<section>\n";
    }
    void endSection() override { text_ += "</section>\n"; }
    void heading(int level, const std::string& text) override {
        write(fmt::format("<h{0}>{1}</h{0}>\n", level, safe(text)));
    }
    void paragraph(const std::string& text, Tone tone) override {
        write(fmt::format("<p{}>{}</p>\n", classOf(tone), safe(text)));
    }
    void list(const std::string& lead, const std::vector<std::string>& items, Tone tone) override {
        std::string lines;
        for (const std::string& item : items) {
            lines += "<li>" + safe(item) + "</li>\n";
        }
        const std::string all = fmt::format("<ul>\n{}</ul>\n", lines);
        write(lead.empty() ? all : fmt::format("<div{}>{}\n{}</div>\n", classOf(tone), safe(lead), all));
    }
    void table(const Table& table) override { write("<div class=\"wide\">\n" + toHtml(table) + "</div>\n"); }
    void script(const ReportScript& script) override {
        write(fmt::format("<pre><code>{}</code></pre>\n", escapeHtml(cleanUtf8(script.text))));
    }

    Result<void> charts(const std::vector<ChartSpec>& charts) override {
        write("<div class=\"charts\">\n");
        for (const ChartSpec& chart : charts) {
            const auto svg = TRY(renderer_(chart, chartWidth, chartHeight));
            write(fmt::format("<figure class=\"chart\" aria-label=\"{}\">{}</figure>\n",
                              safe(chart.title + ", " + chart.unit), svg));
        }
        write("</div>\n");
        return {};
    }

    const std::string& text() const { return text_; }

private:
    static const char* classOf(Tone tone) {
        constexpr std::array classes{"", " class=\"note\"", " class=\"warnings\""};
        return classes.at(static_cast<std::size_t>(tone));
    }

    // An element; the first that is written of a part has its name: "results", "results-2".
    void write(std::string element) {
        if (begun_) {
            const int number = ++parts_[*begun_];
            element.insert(element.find_first_of(" >"),
                           fmt::format(" id=\"{}{}\"", partName(*begun_),
                                       number == 1 ? std::string() : fmt::format("-{}", number)));
            begun_.reset();
        }
        text_ += element;
    }

    const ChartRenderer& renderer_;
    std::string text_;
    std::optional<ReportPart> begun_;  // nothing of it is written yet
    std::map<ReportPart, int> parts_;
};

}  // namespace

// The policy forbids scripts and anything from elsewhere, should an escape ever be forgotten.
Result<std::string> renderHtml(const Report& report, const ChartRenderer& renderer) {
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{3}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; "
        "img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p "
        "class=\"subtitle\">{2}</p>\n",
        safe(inItsLanguage(report, report.title)), htmlStyle, safe(inItsLanguage(report, report.subtitle)),
        report.language.starts_with("zh") ? "zh-CN" : "en");
    HtmlDialect dialect(renderer);
    TRY(walk(report, static_cast<bool>(renderer), dialect));
    return text + dialect.text() + "</main>\n</body>\n</html>\n";
}

}  // namespace dlperf::report
