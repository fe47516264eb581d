// SPDX-License-Identifier: Apache-2.0
#include "core/report/report_template.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf::report {
namespace {

bool holds(const std::vector<ReportPart>& parts, ReportPart part) {
    return std::ranges::find(parts, part) != parts.end();
}

std::vector<ReportPart> readParts(JsonReader& reader, const char* field) {
    std::vector<ReportPart> parts;
    for (const std::string& name : reader.texts(field)) {
        const auto part = static_cast<ReportPart>(reader.placeOf(name, reportPartNames, 0));
        if (!holds(parts, part)) {
            parts.push_back(part);
        }
    }
    return parts;
}

// What a new template shows and this one does not.
std::vector<ReportPart> leftOut(const std::vector<ReportPart>& parts) {
    std::vector<ReportPart> left;
    std::ranges::copy_if(templateParts(), std::back_inserter(left),
                         [&](ReportPart part) { return !holds(parts, part); });
    return left;
}

// Before the first of those that follow it in a new template.
void addAtItsPlace(std::vector<ReportPart>& parts, ReportPart added) {
    const auto& usual = templateParts();
    const auto following = std::ranges::find(usual, added);
    parts.insert(
        std::ranges::find_if(
            parts, [&](ReportPart part) { return std::find(following, usual.end(), part) != usual.end(); }),
        added);
}

// Of a template that leaves nothing out a newer version shows what it has besides; who left something out has
// made a choice, which stays.
std::vector<ReportPart> parseParts(JsonReader& reader) {
    if (reader.member("parts").is_null()) {
        return templateParts();
    }
    std::vector<ReportPart> parts = readParts(reader, "parts");
    const std::vector<ReportPart> missing = leftOut(parts);
    std::vector<ReportPart> refused = readParts(reader, "left_out");
    if (reader.member("left_out").is_null()) {  // written before it was, and perhaps before these parts were
        refused = missing;
        if (!holds(parts, ReportPart::Hardware)) {  // which came after losses
            std::erase(refused, ReportPart::Loss);
            std::erase(refused, ReportPart::Hardware);
        }
    }
    if (refused.empty()) {
        for (const ReportPart part : missing) {
            addAtItsPlace(parts, part);
        }
    }
    return parts;
}

Json partsJson(const std::vector<ReportPart>& parts) {
    return mapped(parts, [](ReportPart part) { return partName(part); });
}

std::vector<OwnSummary> parseSummaries(JsonReader& reader, const std::string& where) {
    std::vector<OwnSummary> summaries;
    const Json& list = reader.member("summaries");
    if (!list.is_null() && !list.is_array()) {
        reader.addError("\"summaries\" must be a list");
        return {};
    }
    for (const Json& json : list) {
        JsonReader one(json, where);
        summaries.push_back({one.requiredText("heading"), one.text("text"), one.text("in_place_of")});
        if (one.error() != nullptr) {
            reader.addError(one.error()->what, one.error()->remedy);
        }
    }
    return summaries;
}

const OwnSummary* summaryOf(const ReportTemplate& chosen, const std::string& heading) {
    const auto found = std::ranges::find(chosen.summaries, heading, &OwnSummary::heading);
    return found == chosen.summaries.end() ? nullptr : &*found;
}

bool areSame(const OwnSummary* one, const OwnSummary* other) {
    return one == nullptr || other == nullptr ? one == other : *one == *other;
}

void changeSummaries(const ReportTemplate& before, const ReportTemplate& after, ReportTemplate& there) {
    std::vector<OwnSummary> both;
    std::ranges::copy_if(there.summaries, std::back_inserter(both), [&](const OwnSummary& theirs) {
        return areSame(summaryOf(before, theirs.heading), summaryOf(after, theirs.heading));
    });
    std::ranges::copy_if(after.summaries, std::back_inserter(both), [&](const OwnSummary& own) {
        return !areSame(summaryOf(before, own.heading), &own);
    });
    there.summaries = std::move(both);
}

}  // namespace

const std::vector<ReportPart>& templateParts() {
    using enum ReportPart;
    static const std::vector<ReportPart> parts{Summary,  Charts,   Results,     Loss,
                                               Hardware, Findings, Environment, Method};
    return parts;
}

const std::vector<std::string>& reportEndings() {
    static const std::vector<std::string> endings{"html", "pdf", "md", "tex", "xlsx", "csv", "json"};
    return endings;
}

Json toJson(const ReportTemplate& chosen) {
    Json json{{"title", chosen.title},
              {"language", chosen.language},
              {"parts", partsJson(chosen.parts)},
              {"left_out", partsJson(leftOut(chosen.parts))},
              {"files", chosen.files},
              {"latex_parts", chosen.latexParts},
              {"dated", chosen.dated},
              {"summaries", Json::array()}};
    for (const OwnSummary& summary : chosen.summaries) {
        json["summaries"].push_back(
            {{"heading", summary.heading}, {"text", summary.text}, {"in_place_of", summary.inPlaceOf}});
    }
    return json;
}

Result<ReportTemplate> parseTemplate(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    ReportTemplate chosen;
    chosen.title = reader.text("title");
    chosen.language = reader.text("language");
    if (!chosen.language.empty()) {
        (void)reader.placeOf(chosen.language, reportLanguages, 0);
    }
    chosen.parts = parseParts(reader);
    chosen.files = reader.texts("files", chosen.files);
    for (const std::string& ending : chosen.files) {
        if (std::ranges::find(reportEndings(), ending) == reportEndings().end()) {
            reader.addError("a report cannot be written as \"" + ending + "\"",
                            "Write one of " + join(reportEndings(), ", ") + ".");
        }
    }
    chosen.latexParts = reader.flag("latex_parts", false);
    chosen.dated = reader.flag("dated", false);
    chosen.summaries = parseSummaries(reader, where);
    TRY(reader.checked());
    return chosen;
}

std::vector<std::string> applyTemplate(Report& report, const ReportTemplate& chosen) {
    report.parts = chosen.parts;
    report.latexParts = chosen.latexParts;
    if (!chosen.language.empty()) {
        report.language = chosen.language;
    }
    std::vector<std::string> outdated;
    for (const OwnSummary& own : chosen.summaries) {
        for (ReportSection& section : report.sections) {
            if (section.heading != own.heading) {
                continue;
            }
            if (section.summary == own.inPlaceOf) {
                section.ownSummary = own.text;
            } else {
                outdated.push_back(section.heading);
            }
        }
    }
    return outdated;
}

ReportTemplate bothChanges(const ReportTemplate& before, const ReportTemplate& after, ReportTemplate there) {
    const auto change = [&](auto field) {
        if (before.*field != after.*field) {
            there.*field = after.*field;
        }
    };
    change(&ReportTemplate::title);
    change(&ReportTemplate::language);
    change(&ReportTemplate::parts);
    change(&ReportTemplate::files);
    change(&ReportTemplate::latexParts);
    change(&ReportTemplate::dated);
    changeSummaries(before, after, there);
    return there;
}

Result<ReportTemplate> changeTemplate(const std::filesystem::path& file, const ReportTemplate& before,
                                      const ReportTemplate& after) {
    const FileLock guard = TRY(guardOf(file));
    ReportTemplate both = after;
    if (const auto json = readJsonFile(file)) {
        if (auto there = parseTemplate(*json, file.string())) {
            both = bothChanges(before, after, *std::move(there));
        }
    }
    TRY(writeFileAtomically(file, toJson(both).dump(1) + "\n"));
    return both;
}

store::NamedFiles<ReportTemplate> readTemplates(const store::Workspace& workspace) {
    return store::readNamed<ReportTemplate>(workspace.templates(), {}, parseTemplate);
}

}  // namespace dlperf::report
