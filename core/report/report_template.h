// SPDX-License-Identifier: Apache-2.0
// What is chosen for a report beside its figures: under a name in W/templates/<name>.json, and as the window
// was left in W/report.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/report/report.h"
#include "core/store/named_files.h"
#include "core/store/workspace.h"

namespace dlperf::report {

// The user's words in place of a section's summary.
struct OwnSummary {
    std::string heading;    // of the section
    std::string text;       // the user's
    std::string inPlaceOf;  // what stood there: it speaks of the figures that the user had seen
    friend bool operator==(const OwnSummary&, const OwnSummary&) = default;
};

// Without scripts, all repetitions and the pivot table, which are long or of a use of their own.
[[nodiscard]] const std::vector<ReportPart>& templateParts();

struct ReportTemplate {
    std::string title{};                              // empty: what the figures have in common
    std::string language{};                           // of the report's texts; empty: the program's
    std::vector<ReportPart> parts = templateParts();  // each once, in their order
    std::vector<std::string> files{"html", "md"};     // endings of what is exported
    bool latexParts = false;                          // see Report::latexParts
    bool dated = false;                               // the time in the files' names: earlier files stay
    std::vector<OwnSummary> summaries{};
    friend bool operator==(const ReportTemplate&, const ReportTemplate&) = default;
};

// All that a report can be written as.
[[nodiscard]] const std::vector<std::string>& reportEndings();

[[nodiscard]] Json toJson(const ReportTemplate& chosen);
// What is missing is as in a new template. One that leaves no part out has those that came after it, too. An
// Input error for what is of the wrong type or is not known.
[[nodiscard]] Result<ReportTemplate> parseTemplate(const Json& json, const std::string& where);

// Everything but title and files. A summary of one's own stands only where the figures still say what they
// said: the headings of the sections where they do not.
[[nodiscard]] std::vector<std::string> applyTemplate(Report& report, const ReportTemplate& chosen);

// What is there with what was changed from `before` to `after`: field by field, summaries by their heading.
[[nodiscard]] ReportTemplate bothChanges(const ReportTemplate& before, const ReportTemplate& after,
                                         ReportTemplate there);
// The same in a file, which another window may have changed: what stands in it now. A file that cannot be
// read gets all that is chosen.
[[nodiscard]] Result<ReportTemplate> changeTemplate(const std::filesystem::path& file,
                                                    const ReportTemplate& before,
                                                    const ReportTemplate& after);

[[nodiscard]] store::NamedFiles<ReportTemplate> readTemplates(const store::Workspace& workspace);

}  // namespace dlperf::report
