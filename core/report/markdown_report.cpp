// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

// A path in a link: bytes that would end it are %XX.
std::string linkTo(const std::string& fileName) {
    std::string link;
    for (const char c : fileName) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("._-~").find(c) != std::string_view::npos;
        link += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return link;
}

std::string list(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) {
        text += "- " + escapeMarkdown(item) + "\n";
    }
    return text;
}

// A fence longer than any that the text holds.
std::string fenced(const std::string& script) {
    std::size_t longest = 2;
    std::size_t run = 0;
    for (const char c : script) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    const std::string text = cleanUtf8(script);
    return fence + "bash\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

class MarkdownWriter {
public:
    MarkdownWriter(const Report& report, const std::filesystem::path& path, const ChartRenderer& renderer)
        : report_(report), path_(path), renderer_(renderer) {}

    Result<std::vector<ReportFile>> write() {
        text_ = fmt::format("# {}\n\n{}\n", escapeMarkdown(report_.title), escapeMarkdown(report_.subtitle));
        if (shows(ReportPart::Charts) && !renderer_ && !report_.sections.empty()) {
            text_ += fmt::format("\n{}\n", noPictures);
        }
        for (const ReportSection& section : report_.sections) {
            if (auto written = writeSection(section); !written) {
                return Failure(written.error());
            }
        }
        writeRest();
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
        text_ += fmt::format("\n## {}\n", escapeMarkdown(section.heading));
        if (shows(ReportPart::Summary) && !section.summary.empty()) {
            text_ += "\n" + escapeMarkdown(section.summary) + "\n";
        }
        if (!section.comparison.warnings.empty()) {
            text_ += "\nWhat is compared here differs:\n\n" + list(section.comparison.warnings);
        }
        for (const ChartSpec& chart : section.charts) {
            if (auto written = writeChart(chart); !written) {
                return written;
            }
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
        const auto svg = renderer_(chart, chartWidth, chartHeight);
        if (!svg) {
            return Failure(svg.error());
        }
        const std::string name = fmt::format("{}-{}.svg", path_.stem().string(), charts_.size() + 1);
        charts_.push_back({path_.parent_path() / name, *svg});
        text_ += fmt::format("\n![{}]({})\n", escapeMarkdown(chart.title + ", " + chart.unit), linkTo(name));
        return {};
    }

    void writeTables(const Comparison& comparison) {
        if (shows(ReportPart::Results)) {
            text_ += "\n" + toMarkdown(resultTable(comparison));
            text_ += "\n" + escapeMarkdown(resultNote(comparison)) + "\n";
            const auto missing = missingFigures(comparison);
            text_ += missing.empty() ? "" : "\nNo figure (–):\n\n" + list(missing);
        }
        if (shows(ReportPart::Repetitions)) {
            text_ += "\n### Repetitions\n\n" + toMarkdown(repetitionTable(comparison));
        }
    }

    void writeRest() {
        if (shows(ReportPart::Findings)) {
            text_ += report_.findings.empty() ? "" : "\n## Findings\n\n" + list(report_.findings);
            text_ += report_.trouble.rows.empty()
                         ? ""
                         : "\n## Runs that are not in the figures\n\n" + toMarkdown(report_.trouble);
        }
        if (shows(ReportPart::Environment) && !report_.environment.rows.empty()) {
            text_ += "\n## Test environment\n\n" + toMarkdown(report_.environment);
        }
        if (shows(ReportPart::Method)) {
            text_ += "\n## Method\n\n" + list(report_.method);
        }
        if (shows(ReportPart::Scripts) && !report_.scripts.empty()) {
            text_ += "\n## Scripts\n";
            for (const ReportScript& script : report_.scripts) {
                text_ += fmt::format("\n### {}\n\n{}", escapeMarkdown(script.name), fenced(script.text));
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

Result<std::vector<ReportFile>> renderMarkdown(const Report& report, const std::filesystem::path& path,
                                               const ChartRenderer& renderer) {
    return MarkdownWriter(report, path, renderer).write();
}

}  // namespace dlperf::report
