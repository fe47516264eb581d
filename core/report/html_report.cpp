// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/html_style.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

std::string safe(const std::string& text) {
    return escapeHtml(terminalText(text));
}

std::string list(const std::vector<std::string>& items) {
    std::string text = "<ul>\n";
    for (const std::string& item : items) {
        text += "<li>" + safe(item) + "</li>\n";
    }
    return text + "</ul>\n";
}

std::string wideTable(const Table& table) {
    return "<div class=\"wide\">\n" + toHtml(table) + "</div>\n";
}

bool shows(const Report& report, ReportPart part) {
    return report.parts.contains(part);
}

Result<std::string> charts(const Report& report, const ReportSection& section,
                           const ChartRenderer& renderer) {
    if (!shows(report, ReportPart::Charts) || !renderer) {
        return std::string();
    }
    std::string text = "<div class=\"charts\">\n";
    for (const ChartSpec& chart : section.charts) {
        const auto svg = renderer(chart, chartWidth, chartHeight);
        if (!svg) {
            return Failure(svg.error());
        }
        text += fmt::format("<figure class=\"chart\" aria-label=\"{}\">{}</figure>\n",
                            safe(chart.title + ", " + chart.unit), *svg);
    }
    return text + "</div>\n";
}

std::string tables(const Report& report, const Comparison& comparison) {
    std::string text;
    if (shows(report, ReportPart::Results)) {
        text += "<h3>Results</h3>\n" + wideTable(resultTable(comparison));
        text += "<p class=\"note\">" + safe(resultNote(comparison)) + "</p>\n";
        const auto missing = missingFigures(comparison);
        text += missing.empty() ? "" : "<div class=\"note\">No figure (–):\n" + list(missing) + "</div>\n";
    }
    if (shows(report, ReportPart::Repetitions)) {
        text += "<h3>Repetitions</h3>\n" + wideTable(repetitionTable(comparison));
    }
    return text;
}

Result<std::string> sectionHtml(const Report& report, const ReportSection& section,
                                const ChartRenderer& renderer) {
    if (section.batchSizes && (!renderer || !shows(report, ReportPart::Charts))) {
        return std::string();  // nothing but charts
    }
    std::string text = "<section>\n<h2>" + safe(section.heading) + "</h2>\n";
    if (shows(report, ReportPart::Summary) && !section.summary.empty()) {
        text += "<p>" + safe(section.summary) + "</p>\n";
    }
    if (!section.comparison.warnings.empty()) {
        text += "<div class=\"warnings\">What is compared here differs:\n" +
                list(section.comparison.warnings) + "</div>\n";
    }
    auto drawn = charts(report, section, renderer);
    if (!drawn) {
        return drawn;
    }
    text += *drawn;
    if (!section.batchSizes) {
        text += tables(report, section.comparison);
    }
    return text + "</section>\n";
}

std::string rest(const Report& report) {
    std::string text;
    if (shows(report, ReportPart::Findings)) {
        text += report.findings.empty() ? "" : "<h2>Findings</h2>\n" + list(report.findings);
        text += report.trouble.rows.empty()
                    ? ""
                    : "<h2>Runs that are not in the figures</h2>\n" + wideTable(report.trouble);
    }
    if (shows(report, ReportPart::Environment) && !report.environment.rows.empty()) {
        text += "<h2>Test environment</h2>\n" + wideTable(report.environment);
    }
    if (shows(report, ReportPart::Method)) {
        text += "<h2>Method</h2>\n" + list(report.method);
    }
    if (shows(report, ReportPart::Scripts) && !report.scripts.empty()) {
        text += "<h2>Scripts</h2>\n";
        for (const ReportScript& script : report.scripts) {
            text += fmt::format("<h3>{}</h3>\n<pre><code>{}</code></pre>\n", safe(script.name),
                                escapeHtml(cleanUtf8(script.text)));
        }
    }
    return text;
}

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
    if (shows(report, ReportPart::Charts) && !renderer && !report.sections.empty()) {
        text += fmt::format("<p class=\"note\">{}</p>\n", noPictures);
    }
    for (const ReportSection& section : report.sections) {
        auto html = sectionHtml(report, section, renderer);
        if (!html) {
            return html;
        }
        text += *html;
    }
    return text + rest(report) + "</main>\n</body>\n</html>\n";
}

}  // namespace dlperf::report
