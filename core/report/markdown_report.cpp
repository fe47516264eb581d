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

class MarkdownDialect final : public DocumentDialect {
public:
    using DocumentDialect::DocumentDialect;

    void heading(int level, const std::string& text) override {
        text_ +=
            fmt::format("\n{} {}\n", std::string(static_cast<std::size_t>(level), '#'), escapeMarkdown(text));
    }
    void paragraph(const std::string& text, Tone) override { text_ += "\n" + escapeMarkdown(text) + "\n"; }
    void list(const std::string& lead, const std::vector<std::string>& items, Tone) override {
        text_ += lead.empty() ? "\n" : fmt::format("\n{}\n\n", lead);
        for (const std::string& item : items) {
            text_ += "- " + escapeMarkdown(item) + "\n";
        }
    }
    void table(const Table& table) override { text_ += "\n" + toMarkdown(table); }
    void script(const ReportScript& script) override { text_ += "\n" + fenced(script.text); }

    Result<void> charts(const std::vector<ChartSpec>& charts) override {
        for (const ChartSpec& chart : charts) {
            const auto name = TRY(draw(chart, stem(), "svg"));
            text_ +=
                fmt::format("\n![{}]({})\n", escapeMarkdown(chart.title + ", " + chart.unit), linkTo(name));
        }
        return {};
    }
};

}  // namespace

Result<std::vector<ReportFile>> renderMarkdown(const Report& report, const std::filesystem::path& path,
                                               const ChartRenderer& renderer) {
    const std::string subtitle =
        report.subtitle.empty() ? "" : "\n" + escapeMarkdown(inItsLanguage(report, report.subtitle)) + "\n";
    return MarkdownDialect(
               path, renderer,
               fmt::format("# {}\n{}", escapeMarkdown(inItsLanguage(report, report.title)), subtitle))
        .write(report);
}

}  // namespace dlperf::report
