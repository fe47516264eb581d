// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/html_style.h"
#include "core/report/report_walk.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

std::string safe(const std::string& text) {
    return escapeHtml(terminalText(text));
}

class HtmlDialect final : public ReportDialect {
public:
    explicit HtmlDialect(const ChartRenderer& renderer) : renderer_(renderer) {}

    void beginSection() override { text_ += "<section>\n"; }
    void endSection() override { text_ += "</section>\n"; }
    void heading(int level, const std::string& text) override {
        text_ += fmt::format("<h{0}>{1}</h{0}>\n", level, safe(text));
    }
    void paragraph(const std::string& text, Tone tone) override {
        text_ += fmt::format("<p{}>{}</p>\n", classOf(tone), safe(text));
    }
    void list(const std::string& lead, const std::vector<std::string>& items, Tone tone) override {
        std::string lines;
        for (const std::string& item : items) {
            lines += "<li>" + safe(item) + "</li>\n";
        }
        const std::string all = fmt::format("<ul>\n{}</ul>\n", lines);
        text_ += lead.empty() ? all : fmt::format("<div{}>{}\n{}</div>\n", classOf(tone), safe(lead), all);
    }
    void table(const Table& table) override {
        text_ += "<div class=\"wide\">\n" + toHtml(table) + "</div>\n";
    }
    void script(const ReportScript& script) override {
        text_ += fmt::format("<pre><code>{}</code></pre>\n", escapeHtml(cleanUtf8(script.text)));
    }

    Result<void> charts(const std::vector<ChartSpec>& charts) override {
        text_ += "<div class=\"charts\">\n";
        for (const ChartSpec& chart : charts) {
            const auto svg = renderer_(chart, chartWidth, chartHeight);
            if (!svg) {
                return Failure(svg.error());
            }
            text_ += fmt::format("<figure class=\"chart\" aria-label=\"{}\">{}</figure>\n",
                                 safe(chart.title + ", " + chart.unit), *svg);
        }
        text_ += "</div>\n";
        return {};
    }

    const std::string& text() const { return text_; }

private:
    static const char* classOf(Tone tone) {
        switch (tone) {
            case Tone::Note:
                return " class=\"note\"";
            case Tone::Warning:
                return " class=\"warnings\"";
            case Tone::Plain:
                break;
        }
        return "";
    }

    const ChartRenderer& renderer_;
    std::string text_;
};

}  // namespace

// The policy forbids scripts and anything from elsewhere, should an escape ever be forgotten.
Result<std::string> renderHtml(const Report& report, const ChartRenderer& renderer) {
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; "
        "img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p "
        "class=\"subtitle\">{2}</p>\n",
        safe(report.title), htmlStyle, safe(report.subtitle));
    HtmlDialect dialect(renderer);
    if (auto written = walk(report, static_cast<bool>(renderer), dialect); !written) {
        return Failure(written.error());
    }
    return text + dialect.text() + "</main>\n</body>\n</html>\n";
}

}  // namespace dlperf::report
