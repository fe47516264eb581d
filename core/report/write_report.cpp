// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/numbers.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

constexpr std::size_t mostUnexplained = 8;  // named in one sentence

bool holdsFigures(ReportPart part) {
    return part == ReportPart::Charts || part == ReportPart::Results || part == ReportPart::Repetitions;
}

// Parts of every section: those that stand beside each other are written together, section by section.
bool isOfSections(ReportPart part) {
    return part == ReportPart::Summary || holdsFigures(part);
}

// Where a section warns of what it mixes: above its figures, or above its summary where it has no other part.
ReportPart warnsAt(const std::vector<ReportPart>& parts) {
    const auto figures = std::ranges::find_if(parts, holdsFigures);
    return figures == parts.end() ? ReportPart::Summary : *figures;
}

class Walk {
public:
    Walk(const Report& report, bool canDraw, ReportDialect& dialect)
        : report_(report), draws_(canDraw), warnedAt_(warnsAt(report.parts)), dialect_(dialect) {}

    Result<void> write() {
        if (!draws_ && report_.shows(ReportPart::Charts) && !report_.sections.empty()) {
            dialect_.paragraph(noPictures, Tone::Note);
        }
        const std::span<const ReportPart> parts(report_.parts);
        for (std::size_t i = 0; i < parts.size();) {
            const auto end = std::ranges::find_if_not(parts.subspan(i), isOfSections);
            const auto together = static_cast<std::size_t>(end - parts.begin()) - i;
            if (together == 0) {
                TRY(writePart(parts[i++]));
                continue;
            }
            TRY(writeSections(parts.subspan(i, together)));
            i += together;
        }
        return {};
    }

private:
    Result<void> writePart(ReportPart part) {
        dialect_.beginPart(part);
        if (part == ReportPart::Pivot) {
            writePivot();
        } else if (part == ReportPart::Loss) {
            return writeLosses();
        } else if (part == ReportPart::Hardware) {
            writeHardware();
        } else if (part == ReportPart::Findings) {
            writeFindings();
        } else if (part == ReportPart::Environment) {
            writeEnvironment();
        } else if (part == ReportPart::Method) {
            dialect_.heading(2, "Method");
            dialect_.list({}, report_.method, Tone::Plain);
        } else {
            writeScripts();
        }
        return {};
    }

    [[nodiscard]] std::vector<std::string> linesOf(const Loss& loss) const {
        const Translation& language = Translation::to(report_.language);  // of what stands beside a number
        std::vector<std::string> lines = mapped(toldParts(loss), [&](const LossPart& part) {
            const std::string text = shareText(loss, part, LossUnit::Share, language) + ": " + part.words;
            return part.range ? fmt::format("{}. Range: {}", text, rangeText(loss, part)) : text;
        });
        for (const std::string& evidence : evidenceOf(loss)) {
            lines.push_back("Known from: " + evidence);
        }
        for (const std::string& remark : loss.remarks) {
            lines.push_back("Remark: " + remark);
        }
        return lines;
    }

    Result<void> writeLosses() {
        if (report_.losses.empty() && report_.unexplainedLosses.empty()) {
            return {};
        }
        dialect_.heading(2, "Where it goes");
        dialect_.paragraph(
            "The ideal is the throughput of one device alone times the devices. What is lost of it is split "
            "by cause; what neither logs nor measurements of the hardware tell is unknown.",
            Tone::Note);
        for (const auto& [title, campaign, losses, tries] : report_.losses) {
            dialect_.heading(3, title);
            if (draws_) {
                TRY(dialect_.charts({lossChart(losses)}));
            }
            dialect_.table(lossTable(losses));
            dialect_.list(
                fmt::format("{}: {}.", toString(losses.back().topology), lossHeading(losses.back())),
                linesOf(losses.back()), Tone::Plain);
            if (!tries.empty()) {
                dialect_.list("What to try:", tries, Tone::Plain);
            }
        }
        if (!report_.unexplainedLosses.empty()) {
            dialect_.paragraph(fmt::format("No cause is known of what these lose: {}.",
                                           joinSome(report_.unexplainedLosses, mostUnexplained, "; ")),
                               Tone::Plain);
        }
        return {};
    }

    void writeHardware() {
        if (report_.hardware.isEmpty()) {
            return;
        }
        dialect_.heading(2, "Hardware");
        if (!report_.hardware.unreadable.empty()) {
            dialect_.list("Measurements that cannot be read:", report_.hardware.unreadable, Tone::Warning);
        }
        for (const HardwarePart& part : hardwareParts(report_.hardware)) {
            writeHardware(part);
        }
    }

    void writeHardware(const HardwarePart& part) {
        dialect_.heading(3, fmt::format("{}, measured {}", part.title, dayOf(part.measured)));
        dialect_.paragraph(part.method + ".", Tone::Note);
        dialect_.table(part.table);
        for (const std::string& note : part.notes) {
            dialect_.paragraph(note + ".", Tone::Note);
        }
        if (!part.slow.empty()) {
            dialect_.list(part.slowHeading, part.slow, Tone::Warning);
        } else if (!part.slowHeading.empty()) {
            dialect_.paragraph(part.slowHeading + ".", Tone::Plain);
        }
        if (!part.missing.empty()) {
            dialect_.list("Not measured:", missingTexts(part.missing), Tone::Note);
        }
    }

    void writePivot() {
        if (report_.pivot) {
            if (!report_.isPivot()) {
                dialect_.heading(2, "Pivot table");
            }
            dialect_.table(pivotTable(*report_.pivot));
            dialect_.paragraph(join(pivotNotes(*report_.pivot), " "), Tone::Note);
        }
    }

    void writeScripts() {
        if (!report_.scripts.empty()) {
            dialect_.heading(2, "Scripts");
            for (const ReportScript& script : report_.scripts) {
                dialect_.heading(3, script.name);
                dialect_.script(script);
            }
        }
    }

    Result<void> writeSections(std::span<const ReportPart> parts) {
        const bool charts = draws_ && std::ranges::find(parts, ReportPart::Charts) != parts.end();
        for (const ReportSection& section : report_.sections) {
            if (section.batchSizes && !charts) {
                continue;  // nothing but charts in it
            }
            dialect_.beginSection();
            dialect_.heading(2, section.heading);
            for (const ReportPart part : parts) {
                dialect_.beginPart(part);
                if (part == (section.batchSizes ? ReportPart::Charts : warnedAt_)) {
                    writeWarnings(section.comparison);
                }
                TRY(writePartOf(section, part));
            }
            dialect_.endSection();
        }
        return {};
    }

    void writeWarnings(const Comparison& comparison) {
        if (!comparison.warnings.empty()) {
            dialect_.list("What is compared here differs:", warningTexts(comparison.warnings), Tone::Warning);
        }
    }

    Result<void> writePartOf(const ReportSection& section, ReportPart part) {
        if (part == ReportPart::Summary) {
            const std::string& words = section.ownSummary.empty() ? section.summary : section.ownSummary;
            if (!words.empty()) {
                dialect_.paragraph(words, Tone::Plain);
            }
        } else if (part == ReportPart::Charts && draws_) {
            return dialect_.charts(section.charts);
        } else if (part == ReportPart::Results && !section.batchSizes) {
            writeResults(section.comparison);
        } else if (part == ReportPart::Repetitions && !section.batchSizes) {
            dialect_.heading(3, "Repetitions");
            dialect_.table(repetitionTable(section.comparison));
        }
        return {};
    }

    void writeResults(const Comparison& comparison) {
        dialect_.heading(3, "Results");
        dialect_.table(resultTable(comparison));
        dialect_.paragraph(resultNote(comparison), Tone::Note);
        if (const auto differences = differencesAtScaling(comparison); !differences.empty()) {
            dialect_.list(differencesHeading(comparison), differences, Tone::Note);
        }
        if (const auto sources = quotedSources(comparison); !sources.empty()) {
            dialect_.list("Quoted from:", sources, Tone::Note);
        }
        if (const auto missing = missingFigures(comparison); !missing.empty()) {
            dialect_.list("No figure (–):", missing, Tone::Note);
        }
    }

    void writeEnvironment() {
        if (report_.versions.rows.empty() && report_.environment.rows.empty()) {
            return;
        }
        dialect_.heading(2, "Test environment");
        for (const Table* table : {&report_.versions, &report_.environment}) {
            if (!table->rows.empty()) {
                dialect_.table(*table);
            }
        }
    }

    void writeFindings() {
        if (!report_.findings.empty()) {
            dialect_.heading(2, "Findings");
            dialect_.list({}, report_.findings, Tone::Plain);
        }
        if (!report_.trouble.rows.empty()) {
            dialect_.heading(2, "Runs that are not in the figures");
            dialect_.table(report_.trouble);
        }
    }

    const Report& report_;
    bool draws_;
    ReportPart warnedAt_;
    ReportDialect& dialect_;
};

// Hands on all that is written, in another language.
class TranslatingDialect final : public ReportDialect {
public:
    TranslatingDialect(const Translation& language, ReportDialect& dialect)
        : language_(language), dialect_(dialect) {}

    void beginPart(ReportPart part) override { dialect_.beginPart(part); }
    void beginSection() override { dialect_.beginSection(); }
    void endSection() override { dialect_.endSection(); }
    void heading(int level, const std::string& text) override { dialect_.heading(level, language_(text)); }
    void paragraph(const std::string& text, Tone tone) override { dialect_.paragraph(language_(text), tone); }
    void list(const std::string& lead, const std::vector<std::string>& items, Tone tone) override {
        dialect_.list(language_(lead), mapped(items, std::ref(language_)), tone);
    }
    void table(const Table& table) override { dialect_.table(translated(table, language_)); }
    void script(const ReportScript& script) override { dialect_.script(script); }
    Result<void> charts(const std::vector<ChartSpec>& charts) override {
        return dialect_.charts(
            mapped(charts, [this](const ChartSpec& chart) { return translated(chart, language_); }));
    }

private:
    const Translation& language_;
    ReportDialect& dialect_;
};

using Files = Result<std::vector<ReportFile>>;

Files oneFile(const std::filesystem::path& path, Result<std::string> bytes) {
    return bytes ? Files({ReportFile{path, *std::move(bytes)}}) : Failure(bytes.error());
}

Result<std::string> renderPdf(const Report& report, const std::filesystem::path& path,
                              const Renderers& renderers) {
    return renderers.document ? renderers.document(report)
                              : fail("this dlperf was built without Qt and writes no PDF", path.string(),
                                     "Write .html or .tex, or build it with -DDLPERF_GUI=ON.");
}

}  // namespace

std::string inItsLanguage(const Report& report, const std::string& text) {
    return Translation::to(report.language)(text);
}

Result<void> walk(const Report& report, bool canDraw, ReportDialect& dialect) {
    TranslatingDialect translating(Translation::to(report.language), dialect);
    return Walk(report, canDraw, translating).write();
}

Result<std::vector<ReportFile>> DocumentDialect::write(const Report& report, const std::string& end) {
    TRY(walk(report, static_cast<bool>(renderer_), *this));
    std::vector<ReportFile> files{{path_, text_ + end}};
    std::ranges::move(beside_, std::back_inserter(files));
    return files;
}

Result<std::string> DocumentDialect::draw(const ChartSpec& chart, const std::string& stem,
                                          const char* ending) {
    auto drawn = TRY(renderer_(chart, chartWidth, chartHeight));
    const std::string name = fmt::format("{}-{}.{}", stem, ++drawn_, ending);
    addBeside(name, std::move(drawn));
    return name;
}

Files renderReport(const Report& report, const std::filesystem::path& path, const Renderers& renderers) {
    const std::string ending = lower(path.extension().string());
    if (ending == ".md") {
        return renderMarkdown(report, path, renderers.svg);
    }
    if (ending == ".tex") {
        return renderLatex(report, path, renderers.pdf);
    }
    if (ending == ".html") {
        return oneFile(path, renderHtml(report, renderers.svg));
    }
    if (ending == ".pdf") {
        return oneFile(path, renderPdf(report, path, renderers));
    }
    if (ending == ".xlsx") {
        return oneFile(path, renderSpreadsheet(report));
    }
    if (ending == ".csv") {
        return oneFile(
            path, toCsv(report.isPivot() ? withoutDashes(pivotFigures(*report.pivot)) : dataTable(report)));
    }
    if (ending == ".json") {
        return oneFile(path, renderJson(report));
    }
    return fail(fmt::format("a report cannot be written as \"{}\"", ending.empty() ? "no ending" : ending),
                path.string(), "Name a file that ends in .md, .html, .pdf, .tex, .xlsx, .csv or .json.");
}

Result<WrittenFiles> writeReport(const Report& report, const std::filesystem::path& path,
                                 const Renderers& renderers) {
    auto files = TRY(renderReport(report, path, renderers));
    TRY(path.has_parent_path() ? makeFolders(path.parent_path()) : Result<void>());
    std::ranges::reverse(files);
    WrittenFiles written;
    for (const ReportFile& file : files) {
        TRY(writeFileAtomically(file.path, file.bytes));
        ++written.count;
        written.bytes += file.bytes.size();
    }
    return written;
}

}  // namespace dlperf::report
