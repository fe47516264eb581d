// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/new_folder.h"
#include "app/status_line.h"
#include "app/stop_on_signal.h"
#include "core/analysis/format_json.h"
#include "core/analysis/format_row.h"
#include "core/base/file.h"
#include "core/base/printed_json.h"
#include "core/base/text.h"
#include "core/import/import_logs.h"
#include "core/import/path_words.h"
#include "core/measure/own_formats.h"
#include "core/report/finding.h"
#include "core/report/table.h"

namespace dlperf::app {
namespace {

using imports::Proposal;
using OrderedJson = nlohmann::ordered_json;

struct ImportOptions {
    std::string path;
    std::string workspace;
    std::string format;
    std::string formats;  // a file of the user's own
    std::string topology;
    std::string name;
    std::string json;  // a file, "-" for standard output, empty for none
    std::optional<int> warmup;
    std::optional<int> train;
    bool dryRun = false;
    imports::Corrections corrections;
};

Result<void> takeFormats(const ImportOptions& options, imports::ImportOptions& result) {
    auto known = formatsToCome(options.workspace);
    if (known && !options.formats.empty()) {
        const auto added = analysis::readNewFormats(expandHome(options.formats));
        known = added ? measure::withFormats(*known, *added, options.formats) : Failure(added.error());
    }
    if (!known) {
        return Failure(known.error());
    }
    result.formats = std::move(*known);
    const auto format =
        TRY(formatNamed(result.formats, options.format,
                        "`dlperf formats --workspace W` lists them; --formats FILE adds your own."));
    result.corrections.format = format;
    return {};
}

// How far an import is.
class ImportProgress {
public:
    void show(const imports::Progress& progress) {
        if (progress.stage == imports::Stage::Waiting) {
            showWaiting();
            return;
        }
        constexpr int all = 100;  // percent
        constexpr int barWidth = 20;
        const int step = line_.isOnTerminal() ? 1 : all / 4;  // a file of a log wants few lines
        const int percent = imports::percentOf(progress) / step * step;
        if (percent == percent_ && progress.stage == stage_) {
            return;
        }
        stage_ = progress.stage;
        percent_ = percent;
        const auto filled = static_cast<std::size_t>(percent * barWidth / all);
        const std::string what = told(std::string(imports::toString(stage_)) + " logs");
        line_.show(line_.isOnTerminal() ? fmt::format("{} [{}{}] {} %", what, std::string(filled, '#'),
                                                      std::string(barWidth - filled, '.'), percent)
                                        : fmt::format("{}: {} %", what, percent));
    }
    void clear() { line_.clear(); }

private:
    void showWaiting() {
        if (line_.isOnTerminal()) {
            line_.show(told("waiting for another import into this workspace"));
        }
    }

    StatusLine line_;
    imports::Stage stage_ = imports::Stage::Reading;
    int percent_ = -1;  // shown last
};

std::string known(const std::string& text) {
    return text.empty() ? "?" : refusedName(text);
}

// "PyTorch examples": the words that the user may correct, in one line.
std::string caseOf(const Proposal& proposal) {
    if (proposal.format == nullptr) {
        return "";
    }
    const Configuration& configuration = proposal.configuration;
    std::string text =
        fmt::format("{} {} b{} {} {}", known(configuration.implementation), known(configuration.model),
                    configuration.batchSize > 0 ? std::to_string(configuration.batchSize) : "?",
                    known(configuration.precision), proposal.topology ? toString(*proposal.topology) : "?");
    for (const std::string& feature : configuration.features) {
        text += " +" + feature;
    }
    for (const auto& [option, value] : configuration.variant) {
        text += fmt::format(" +{}={}", option, value);
    }
    return proposal.repetition ? text + fmt::format(", repetition {}", *proposal.repetition) : text;
}

std::string remarkOf(const Proposal& proposal) {
    std::vector<std::string> parts;
    if (proposal.verdict != imports::Verdict::New) {
        parts.emplace_back(toString(proposal.verdict));
    }
    if (proposal.verdict == imports::Verdict::Duplicate) {
        parts.back() += " of " + proposal.sameAs;
    } else if (proposal.format != nullptr && !proposal.missing.empty()) {
        parts.push_back("not known: " + join(proposal.missing, ", "));
    }
    if (proposal.format == nullptr) {
        parts.push_back(proposal.why);
    }
    parts.insert(parts.end(), proposal.notes.begin(), proposal.notes.end());
    return join(parts, "; ");
}

OrderedJson textOrNull(const std::string& text) {
    return text.empty() ? OrderedJson() : OrderedJson(text);
}

OrderedJson caseJson(const Proposal& proposal) {
    const Configuration& configuration = proposal.configuration;
    return {
        {"framework", textOrNull(configuration.framework)},
        {"implementation", textOrNull(configuration.implementation)},
        {"model", textOrNull(configuration.model)},
        {"precision", textOrNull(configuration.precision)},
        {"batch_size", configuration.batchSize > 0 ? OrderedJson(configuration.batchSize) : OrderedJson()},
        {"topology", proposal.topology ? OrderedJson(toString(*proposal.topology)) : OrderedJson()},
        {"features", configuration.features},
        {"variant", configuration.variant},
        {"repetition", proposal.repetition ? OrderedJson(*proposal.repetition) : OrderedJson()}};
}

OrderedJson logJson(const Proposal& proposal) {
    OrderedJson json{{"log", proposal.name},
                     {"verdict", toString(proposal.verdict)},
                     {"format", proposal.format != nullptr ? OrderedJson(analysis::name(*proposal.format))
                                                           : OrderedJson()},
                     {"why", proposal.why},
                     {"case", caseJson(proposal)},
                     {"missing", proposal.missing},
                     {"notes", proposal.notes}};
    if (!proposal.sameAs.empty()) {
        json["same_as"] = proposal.sameAs;
    }
    if (!proposal.target.empty()) {
        json["file"] = "logs/" + proposal.target.string();
    }
    return json;
}

void addOutcome(OrderedJson& json, const imports::SavedLog& log) {
    json["run"] = log.result.id;
    json["outcome"] = toString(log.result.outcome);
    json["throughput"] = log.result.throughput ? OrderedJson(*log.result.throughput) : OrderedJson();
    json["figure"] = log.figure ? OrderedJson(*log.figure) : OrderedJson();
    json["unit"] = log.result.unit;
    json["excluded"] = log.result.excluded;
    json["sha256"] = log.checksum;
}

// Why of each format once, not in a column: the lines of its logs are alike.
std::string formatLines(const imports::ImportPlan& plan) {
    std::map<std::string, std::vector<const Proposal*>> byFormat;
    for (const Proposal& proposal : plan.proposals) {
        if (proposal.format != nullptr) {
            byFormat[analysis::name(*proposal.format)].push_back(&proposal);
        }
    }
    std::string lines;
    for (const auto& [format, logs] : byFormat) {
        lines += told(fmt::format("format: {} ({} log{}): {}, {}", format, logs.size(),
                                  logs.size() == 1 ? "" : "s", logs.front()->name, logs.front()->why)) +
                 '\n';
    }
    return lines;
}

// One row a log: what it is, its case, what is missing and what becomes of it.
std::string planTable(const imports::ImportPlan& plan) {
    report::Table table;
    table.columns = {{"Log"}, {"Format"}, {"Case"}, {"Remarks"}};
    for (const Proposal& proposal : plan.proposals) {
        table.rows.push_back(
            {report::textCell(printable(proposal.name)),
             report::textCell(proposal.format != nullptr ? analysis::name(*proposal.format) : "?"),
             report::textCell(printable(caseOf(proposal))), report::textCell(printable(remarkOf(proposal)))});
    }
    return report::toTerminal(report::translated(table, terminalTranslation()));
}

// {"name": …, "imported": n, "duplicates": n, "logs": [{"log": …, "verdict": …, …}], "left_out": [texts]};
// `imported` is null where nothing was saved.
std::string outcomeJson(const imports::ImportPlan& plan, const imports::Imported* imported) {
    OrderedJson logs = OrderedJson::array();
    for (const Proposal& proposal : plan.proposals) {
        logs.push_back(logJson(proposal));
    }
    OrderedJson skipped = OrderedJson::array();
    std::vector<Error> problems = plan.leftOut;
    if (imported != nullptr) {  // what follows the remarks
        problems.insert(problems.end(),
                        imported->problems.begin() + static_cast<std::ptrdiff_t>(plan.remarks.size()),
                        imported->problems.end());
    }
    for (const Error& problem : problems) {
        skipped.push_back(cleanUtf8(describe(problem)));
    }
    if (imported != nullptr) {
        for (const imports::SavedLog& log : imported->saved) {
            addOutcome(logs[log.proposal], log);
        }
    }
    const OrderedJson said{{"name", plan.name},
                           {"imported", imported != nullptr ? imported->logs : 0},
                           {"duplicates", plan.count(imports::Verdict::Duplicate)},
                           {"logs", logs},
                           {"left_out", skipped}};
    return escapeControls(said.dump(2));
}

// It may be a new one: it is taken, and a slip of the finger is seen.
void warnOfPrecision(const std::string& precision) {
    const auto known = imports::knownPrecisions();
    if (!precision.empty() && std::ranges::find(known, lower(precision)) == known.end()) {
        std::cerr << told(fmt::format("note: \"{}\" is not a precision known here: {}",
                                      refusedName(precision), fmt::join(known, ", ")))
                  << '\n';
    }
}

// A new one is taken, too; and one that the implementation is not of contradicts it in each record.
void warnOfFramework(const std::string& said, const imports::ImportPlan& plan, const Vocabulary& vocabulary) {
    if (said.empty()) {
        return;
    }
    const std::string framework = vocabulary.id(WordKind::Framework, said);
    if (vocabulary.find(WordKind::Framework, framework) == nullptr) {
        std::cerr << told(fmt::format("note: \"{}\" is not a framework known here", refusedName(said)))
                  << '\n';
    }
    for (const Proposal& proposal : plan.proposals) {
        const std::string& implementation = proposal.configuration.implementation;
        const Word* word = vocabulary.find(WordKind::Implementation, implementation);
        const bool hasOne = proposal.format != nullptr && word != nullptr && !word->framework.empty();
        if (hasOne && word->framework != framework) {
            std::cerr << told(
                             fmt::format("note: the logs are of {}, which is of the framework {}, not of {}: "
                                         "leave out --framework, or name the --implementation",
                                         implementation, word->framework, refusedName(said)))
                      << '\n';
            return;
        }
    }
}

// All that can be refused before there is a workspace.
Result<imports::ImportOptions> importOptions(const ImportOptions& options) {
    imports::ImportOptions result;
    result.corrections = options.corrections;
    result.name = options.name;
    if (!options.name.empty() && !isPlainName(options.name)) {
        return fail("\"" + refusedName(options.name) + "\" cannot be a folder's name", "--name",
                    "Use letters, digits and . _ -");
    }
    if (!options.topology.empty()) {
        result.corrections.topology = parseTopology(options.topology);
        if (!result.corrections.topology) {
            return fail("\"" + refusedName(options.topology) + "\" is no topology", "--topology",
                        "Write it like 2n8g.");
        }
    }
    if (options.warmup || options.train) {
        result.corrections.range = MeasurementRange{options.warmup.value_or(0), options.train.value_or(0)};
        if (!options.train || *options.train <= options.warmup.value_or(0)) {
            return fail("the measurement range has no end behind its beginning", "--warmup, --train",
                        "Give both, like --warmup 20 --train 120.");
        }
    }
    const auto taken = takeFormats(options, result);
    warnOfPrecision(options.corrections.precision);
    return taken ? Result<imports::ImportOptions>(std::move(result)) : Failure(taken.error());
}

// Trying leaves nothing behind, not even a workspace.
struct Place {
    std::optional<TemporaryFolder> temporary;
    store::Workspace workspace;
};

Result<Place> openPlace(const ImportOptions& options) {
    const std::filesystem::path root = expandHome(options.workspace);
    std::error_code ignored;
    if (!options.dryRun || std::filesystem::exists(root, ignored)) {
        auto workspace = store::Workspace::open(root);
        return workspace ? Result<Place>(Place{{}, std::move(*workspace)}) : Failure(workspace.error());
    }
    auto temporary = TRY(TemporaryFolder::make("dlperf-import"));
    auto workspace = store::Workspace::open(temporary.path());
    return workspace ? Result<Place>(Place{std::move(temporary), std::move(*workspace)})
                     : Failure(workspace.error());
}

void printProblems(const std::vector<Error>& problems) {
    for (const Error& problem : problems) {
        std::cerr << told("skipped: " + describe(problem)) << '\n';
    }
}

// All are there already: there is nothing to do, and that is no failure.
bool isKnown(const imports::ImportPlan& plan) {
    return plan.count(imports::Verdict::Duplicate) == plan.proposals.size();
}

// The first log's without a figure.
std::string whyNone(const imports::Imported& imported) {
    const auto log = std::ranges::find_if_not(
        imported.saved, [](const imports::SavedLog& saved) { return saved.figure.has_value(); });
    return log == imported.saved.end() ? std::string() : log->result.reason;
}

void printEnd(const imports::Imported& imported, const ImportOptions& options) {
    for (const RunFinding& finding : imported.findings) {
        const std::string what = report::withWhy(finding.kind, finding.what);
        std::cerr << told("finding: " + finding.where + ": " + what) << '\n';
    }
    printProblems(imported.problems);
    const bool isOne = imported.logs == 1;
    std::string line =
        isOne ? fmt::format("1 log is in {}/logs/imported-{} now", options.workspace, imported.name)
              : fmt::format("{} logs are in {}/logs/imported-{} now", imported.logs, options.workspace,
                            imported.name);
    if (isOne && imported.withoutFigure > 0) {
        line += ", it has no figure: " + whyNone(imported);
    } else if (imported.withoutFigure == 1) {
        line += ", 1 of them has no figure: " + whyNone(imported);
    } else if (imported.withoutFigure > 0) {
        line += fmt::format(", {} of them have no figure; the first one: {}", imported.withoutFigure,
                            whyNone(imported));
    }
    if (imported.duplicates == 1) {
        line += "; 1 is a copy of another there";
    } else if (imported.duplicates > 0) {
        line += fmt::format("; {} are copies of others there", imported.duplicates);
    }
    std::cerr << told(line) << '\n';
}

Result<void> writeOutcome(const ImportOptions& options, const imports::ImportPlan& plan,
                          const imports::Imported* imported) {
    return options.json.empty() ? flushOutput()
                                : writeOutput(options.json, outcomeJson(plan, imported) + '\n');
}

Result<int> tried(const ImportOptions& options, const imports::ImportPlan& plan) {
    printProblems(plan.remarks);
    TRY(writeOutcome(options, plan, nullptr));
    const std::size_t wanted = plan.count(imports::Verdict::New);
    std::cerr << told(fmt::format("{} of {} logs would be imported as imported-{}", wanted,
                                  plan.proposals.size(), plan.name))
              << '\n';
    return wanted > 0 || isKnown(plan) ? 0 : 1;
}

Result<int> saved(const ImportOptions& options, imports::ImportPlan& plan, const Place& place,
                  const Vocabulary& vocabulary, const std::stop_token& stop) {
    ImportProgress printer;
    const auto imported =
        imports::saveImport(plan, place.workspace, vocabulary, stop,
                            [&](const imports::Progress& progress) { printer.show(progress); });
    printer.clear();
    TRY(writeOutcome(options, plan, imported ? &*imported : nullptr));
    if (!imported) {
        printProblems(plan.remarks);
        const int code = complain("import", imported.error());
        return isKnown(plan) ? 0 : code;
    }
    printEnd(*imported, options);
    return imported->refused == 0 ? 0 : 1;
}

// The plan is seen before anything is written; Ctrl-C ends either.
Result<int> work(const ImportOptions& options) {
    const StopOnSignal signals;
    const auto settings = importOptions(options);
    const auto vocabulary = readVocabulary();
    if (!settings || !vocabulary) {
        return Failure(settings ? vocabulary.error() : settings.error());
    }
    const NewFolder folder(expandHome(options.workspace));
    const auto place = TRY(openPlace(options));
    ImportProgress printer;
    const auto onProgress = [&](const imports::Progress& progress) { printer.show(progress); };
    auto plan = imports::planImport(expandHome(options.path), place.workspace, *vocabulary, *settings,
                                    signals.token(), onProgress);
    printer.clear();
    if (!plan) {
        return Failure(plan.error());
    }
    if (options.json != "-") {
        std::cout << planTable(*plan) << std::flush;
        std::cerr << formatLines(*plan);
    }
    warnOfFramework(options.corrections.framework, *plan, *vocabulary);
    if (options.dryRun) {
        return tried(options, *plan);
    }
    return saved(options, *plan, place, *vocabulary, signals.token());
}

void addCorrections(CLI::App& command, ImportOptions& options) {
    imports::Corrections& said = options.corrections;
    command.add_option("--format", options.format,
                       "The logs' format (see `dlperf formats`); found out log by log if not given");
    command
        .add_option("--formats", options.formats,
                    "A JSON file with formats of your own, as `dlperf formats --json` writes them; "
                    "the workspace keeps those that logs are of")
        ->type_name("FILE");
    command.add_option("--framework", said.framework,
                       "The logs' framework, where nothing says it or something says it wrong; as all below");
    command.add_option("--implementation", said.implementation,
                       "Their implementation, which names the framework too, like \"NGC PyTorch\"");
    command.add_option("--model", said.model, "Their model, like r50");
    command.add_option("--topology", options.topology, "Their nodes and devices per node, like 2n8g");
    constexpr int largestBatch = 1 << 24;
    command.add_option("--batch-size", said.batchSize, "Their samples per device")
        ->check(CLI::Range(1, largestBatch));
    command.add_option("--precision", said.precision, "Their precision, like fp16");
    constexpr int mostIterations = 100'000'000;
    command
        .add_option("--warmup", options.warmup,
                    "Iterations before the measured ones; with --train, in place of each format's own "
                    "measurement range")
        ->check(CLI::Range(0, mostIterations));
    command.add_option("--train", options.train, "The last measured iteration")
        ->check(CLI::Range(1, mostIterations));
}

}  // namespace

void addImportCommand(CLI::App& app, int& exitCode) {
    CLI::App* command =
        app.add_subcommand("import", "Take logs of elsewhere into a workspace, with their figures");
    const auto options = std::make_shared<ImportOptions>();
    command
        ->add_option("PATH", options->path,
                     "A folder of logs, an archive (.tar, .zip; packed by gzip, xz, bzip2, zstd) or a log")
        ->type_name("FILE")
        ->required();
    command->add_option("--workspace", options->workspace, "The folder that they are copied into")
        ->type_name("FOLDER")
        ->required();
    addCorrections(*command, *options);
    command->add_option("--name", options->name,
                        "Import them as imported-NAME, beside what is there; else under a free name");
    command->add_flag("--dry-run", options->dryRun, "Show the plan and write nothing");
    command
        ->add_option("--json", options->json,
                     "Write what became of each log to this file, or - to standard output")
        ->type_name("FILE");
    command->callback([options, &exitCode] { exitCode = exitCodeOf("import", work(*options)); });
}

}  // namespace dlperf::app
