// SPDX-License-Identifier: Apache-2.0
#include "core/import/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/analysis/capture.h"
#include "core/analysis/detect.h"
#include "core/analysis/format_row.h"
#include "core/analysis/line_reader.h"
#include "core/analysis/log_analyzer.h"
#include "core/analysis/log_folder.h"
#include "core/analysis/rank_prefix.h"
#include "core/analysis/terminal_escape.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/import/path_words.h"
#include "core/import/read_file.h"
#include "core/store/run_record.h"

namespace dlperf::imports {
namespace {

constexpr std::uint64_t headBytes = 4U << 20U;

std::string nameOf(const FoundLog& log) {
    return cleanUtf8(join(log.parts, "/"));
}

// The id, or what nobody knows as it was written.
std::string wordFor(WordKind kind, const std::string& written, const Vocabulary& vocabulary) {
    std::string id = vocabulary.id(kind, written);
    return vocabulary.find(kind, id) != nullptr ? id : std::string(trim(written));
}

void takeImplementation(Configuration& configuration, const std::string& implementation,
                        const Vocabulary& vocabulary) {
    configuration.implementation = wordFor(WordKind::Implementation, implementation, vocabulary);
    const Word* word = vocabulary.find(WordKind::Implementation, configuration.implementation);
    if (word != nullptr && !word->framework.empty()) {  // MLPerf's rules hold for any framework
        configuration.framework = word->framework;
    }
}

// The model that a format is made for stands at the end of its name: "ngc-pytorch-resnet50".
std::string modelOf(const analysis::Format& format, const Vocabulary& vocabulary) {
    for (const std::string_view part : split(analysis::name(format), '-')) {
        std::string id = vocabulary.id(WordKind::Model, part);
        if (vocabulary.find(WordKind::Model, id) != nullptr) {
            return id;
        }
    }
    return {};
}

// Who has read all of a log need not read it again to know it by its text.
void takeSize(Proposal& proposal, std::string_view head) {
    if (head.size() < headBytes) {
        LogTextReader reader;
        reader.add(head);
        proposal.bytes = head.size();
        proposal.text = reader.text();
    } else {
        std::error_code unknown;
        proposal.bytes = std::filesystem::file_size(proposal.log.file, unknown);
    }
}

void takePath(Proposal& proposal, const std::vector<std::string>& above, const Vocabulary& vocabulary) {
    std::vector<std::string> parts = above;
    parts.insert(parts.end(), proposal.log.parts.begin(), proposal.log.parts.end());
    PathWords said = readPath(parts, vocabulary, above.empty() ? 0 : above.size() - 1);
    proposal.topology = said.topology;
    proposal.devices = said.devices;
    proposal.devicesPerNode = said.devicesPerNode;
    proposal.repetition = said.repetition;
    proposal.configuration.model = cleanUtf8(said.model);
    proposal.configuration.framework = said.framework;
    proposal.configuration.precision = cleanUtf8(said.precision);
    proposal.configuration.batchSize = said.batchSize;
    proposal.configuration.features = std::move(said.features);
    proposal.notes = std::move(said.contradictions);
}

// The same bytes, or more of the log where long lines take up all of them.
Result<std::string> headOfLines(const std::filesystem::path& file, std::string head,
                                const std::stop_token& stop) {
    constexpr std::size_t many = 64;  // lines
    if (std::count(head.begin(), head.end(), '\n') > static_cast<std::ptrdiff_t>(many)) {
        return head;
    }
    analysis::LogHead lines;
    TRY(readPieces(file, analysis::LogHead::mostRead, stop, [&](std::string_view bytes) -> Result<void> {
        lines.add(bytes);
        return {};
    }));
    std::string text = lines.take();
    text.resize(std::max(text.size(), head.size()), '\n');  // it is not the whole log
    return text;
}

bool hasLine(const analysis::LineScanner& scanner, std::string_view head) {
    bool any = false;
    std::string plain;
    const auto look = [&](const analysis::Line& line) {
        any = any || scanner.counts(analysis::withoutRank(analysis::withoutEscapes(line.text, plain)).text);
    };
    analysis::LineSplitter lines;
    lines.feed(head, look);
    lines.feed("\n", look);
    return any;
}

void takeGiven(Proposal& proposal, std::string_view head, const analysis::Format& given,
               const analysis::FormatDetector& detector) {
    const analysis::Format& format = detector.flavourOf(given, head);
    // Further behind a log of many megabytes may still have them.
    if (head.size() < headBytes && !hasLine(*detector.scannerOf(format), head)) {
        proposal.why = noLineOf(format);
        return;
    }
    proposal.format = &format;
    proposal.why = "as you said";
}

void takeFormat(Proposal& proposal, std::string_view head, const analysis::Format* given,
                const analysis::FormatDetector& detector) {
    if (head.empty()) {
        proposal.why = "the file is empty";
        return;
    }
    if (given != nullptr) {
        takeGiven(proposal, head, *given, detector);
        return;
    }
    const analysis::Detection detection = detector.detect(head);
    proposal.format = detection.format;
    proposal.why = detection.why;
    proposal.isGuess = detection.format != nullptr;
    if (proposal.format != nullptr) {  // the others read the same lines and stand behind it
        return;
    }
    for (const analysis::Format* other : detection.others) {
        proposal.notes.push_back(fmt::format("may be {}", analysis::name(*other)));
    }
}

// The header says what was run; the path says what somebody typed.
class HeaderWords {
public:
    HeaderWords(Proposal& proposal, std::string_view head, const analysis::FormatDetector& detector,
                const Vocabulary& vocabulary)
        : proposal_(proposal), vocabulary_(vocabulary) {
        if (proposal.format->header.style == analysis::HeaderStyle::None) {
            return;  // nothing to be read
        }
        const analysis::RunShape hint{proposal.topology.value_or(Topology{}),
                                      proposal.configuration.batchSize};
        analysis::LogAnalyzer analyzer(detector.scannerOf(*proposal.format), hint,
                                       analysis::defaultRange(*proposal.format));
        analyzer.feed(head);
        figure_ = analyzer.figure();
    }

    void take() {
        if (figure_.headerShape) {
            takeTopology(figure_.headerShape->topology);
            take(proposal_.configuration.batchSize, figure_.headerShape->batchSize, "batch size");
        }
        takeOptions();
        const std::string half = lower(word("use_fp16"));
        const std::string precision =
            !half.empty() ? (half == "true" ? "fp16" : "fp32") : lower(word("precision"));
        take(proposal_.configuration.precision, precision, "precision");
        const std::string model = vocabulary_.id(WordKind::Model, word("model"));
        if (vocabulary_.find(WordKind::Model, model) != nullptr) {
            take(proposal_.configuration.model, model, "model");
        }
    }

private:
    [[nodiscard]] std::string word(const std::string& key) const {
        const auto found = figure_.header.find(key);
        return found == figure_.header.end() ? std::string() : cleanUtf8(found->second);
    }

    // As a launched run has them, with each one's default: what is at it does not tell the case apart.
    void takeOptions() {
        for (const auto& [option, usual] : proposal_.format->header.asked) {
            takeOption(option, usual, word("asked_" + option));
        }
        for (const auto& [option, usual] : proposal_.format->header.options) {
            if (word("asked_" + option).empty()) {
                takeOption(option, usual, word(option));
            }
        }
    }

    void takeOption(const std::string& option, const std::vector<std::string>& usual,
                    const std::string& value) {
        if (value.empty()) {
            return;
        }
        proposal_.defaults[option] = usual.front();
        if (std::ranges::find(usual, value) == usual.end()) {
            proposal_.configuration.variant[option] = value;
        }
    }

    void contradict(const std::string& path, const std::string& header) {
        proposal_.notes.push_back(
            fmt::format("{}, as the log's header says, though its path says {}", header, path));
    }

    void takeTopology(const Topology& header) {
        if (proposal_.topology && *proposal_.topology != header) {
            contradict(toString(*proposal_.topology), toString(header));
        }
        proposal_.topology = header;
    }

    template <class Value>
    void take(Value& said, const Value& header, std::string_view what) {
        if (header == Value{}) {
            return;
        }
        if (said != Value{} && said != header) {
            contradict(fmt::format("{} {}", what, said), fmt::format("{} {}", what, header));
        }
        said = header;
    }

    Proposal& proposal_;
    const Vocabulary& vocabulary_;
    analysis::RunFigure figure_;
};

// "float16" is fp16, in the words that names have.
std::string precisionOf(const std::string& word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> types{
        {{"float32", "fp32"}, {"float16", "fp16"}, {"bfloat16", "bf16"}}};
    const auto* const known =
        std::ranges::find(types, std::string_view(word), &decltype(types)::value_type::first);
    return known != types.end() ? std::string(known->second) : word;
}

// What the log says in words of its own, where neither its header nor its path does.
class SaidWords {
public:
    SaidWords(const analysis::LineScanner& scanner, std::string_view head)
        : scanner_(&scanner), patterns_(&scanner.format().said), head_(head) {}

    void take(Proposal& proposal, const Vocabulary& vocabulary) const {
        takeTopology(proposal);
        takeBatchSize(proposal);
        takePrecision(proposal);
        takeModel(proposal.configuration.model, vocabulary);
    }

private:
    void takeTopology(Proposal& proposal) const {
        const int nodes = count(patterns_->nodes);
        const int printed = count(patterns_->devices);
        const int perNode = printed > 0 ? printed : proposal.devicesPerNode;
        const int ofAll = devicesOfBatches();
        if (perNode > 0 && !proposal.topology) {
            proposal.topology = parseTopology(toString(Topology{std::max(nodes, 1), perNode}));
        } else if (nodes == 0) {  // else "8xNAME" is 8 nodes
            proposal.devices = proposal.devices > 0 ? proposal.devices : ofAll;
            spreadDevices(proposal);
        }
        if (ofAll > 0 && proposal.topology && proposal.topology->worldSize() != ofAll) {
            contradict(proposal, fmt::format("{} devices", proposal.topology->worldSize()), ofAll);
        }
    }

    void takeBatchSize(Proposal& proposal) const {
        const int ofOne = count(patterns_->batchSize);
        const int printed = ofOne > 0 ? ofOne : shareOfWorker(proposal);
        int& batch = proposal.configuration.batchSize;
        if (printed > 0 && batch > 0 && batch != printed) {
            contradict(proposal, fmt::format("batch size {}", batch), printed);
        }
        batch = batch > 0 ? batch : printed;
        if (const int all = count(patterns_->totalBatchSize); batch == 0 && proposal.topology) {
            batch = all / proposal.topology->worldSize();
        }
    }

    // Of each device of a worker; where nothing else says how many there are, it is the only one.
    int shareOfWorker(Proposal& proposal) const {
        const int all = count(patterns_->workerBatchSize);
        const int devices = all > 0 ? workerDevices() : 0;
        if (devices > 0 && !proposal.topology) {
            proposal.topology = parseTopology(toString(Topology{1, devices}));
            proposal.notes.push_back(
                fmt::format("the {} devices of one worker are taken for all: nothing says how many workers "
                            "there are",
                            devices));
        }
        return all / std::max(devices, 1);
    }

    void takePrecision(Proposal& proposal) const {
        const std::string printed = precisionOf(lower(said(patterns_->precision)));
        std::string& precision = proposal.configuration.precision;
        const bool mayBeMixed = precision == "amp" && printed == "fp16";  // MXNet prints float16 for both
        if (!printed.empty() && !precision.empty() && precision != printed && !mayBeMixed) {
            contradict(proposal, "precision " + precision, printed);
        }
        precision = precision.empty() ? printed : precision;
    }

    template <class Value>
    static void contradict(Proposal& proposal, const std::string& path, const Value& printed) {
        proposal.notes.push_back(fmt::format("{}, as its path says, though the log says {}", path, printed));
    }

    // Of all nodes, where the log says one's samples and all devices'.
    [[nodiscard]] int devicesOfBatches() const {
        const int one = count(patterns_->batchSize);
        const int all = count(patterns_->totalBatchSize);
        return one > 0 && all % one == 0 ? all / one : 0;
    }

    // That one worker drives, where the log lists them.
    [[nodiscard]] int workerDevices() const {
        int devices = 0;
        analysis::LineSplitter lines;
        std::string plain;
        lines.feed(head_, [&](const analysis::Line& line) {
            const std::string_view text = analysis::withoutEscapes(line.text, plain);
            devices = devices > 0 ? devices : scanner_->workerDevices(text).value_or(0);
        });
        return devices;
    }

    // A name said how many devices, and not on how many nodes.
    static void spreadDevices(Proposal& proposal) {
        constexpr int ofANode = 8;
        if (proposal.topology || proposal.devices == 0) {
            return;
        }
        const bool many = proposal.devices > ofANode && proposal.devices % ofANode == 0;
        proposal.topology =
            many ? Topology{proposal.devices / ofANode, ofANode} : Topology{1, proposal.devices};
        if (many) {
            proposal.notes.push_back(
                fmt::format("{} devices are taken for {}: nothing says on how many nodes", proposal.devices,
                            toString(*proposal.topology)));
        }
    }

    void takeModel(std::string& model, const Vocabulary& vocabulary) const {
        const std::string word = said(patterns_->model);
        const auto known = patterns_->models.find(word);
        const std::string id =
            known != patterns_->models.end() ? known->second : vocabulary.id(WordKind::Model, word);
        model = vocabulary.find(WordKind::Model, id) != nullptr ? id : model;
    }

    [[nodiscard]] std::string said(const std::string& pattern) const {
        if (pattern.empty()) {
            return {};
        }
        const RE2 compiled(pattern, analysis::patternOptions());
        return std::string(analysis::groupIn(&compiled, head_).value_or(""));
    }
    [[nodiscard]] int count(const std::string& pattern) const {
        return std::max(0, toInt(said(pattern)).value_or(0));
    }

    const analysis::LineScanner* scanner_;
    const analysis::SaidPatterns* patterns_;
    std::string_view head_;
};

void takeCase(Proposal& proposal, std::string_view head, const analysis::FormatDetector& detector,
              const Vocabulary& vocabulary) {
    takeImplementation(proposal.configuration, analysis::implementation(*proposal.format), vocabulary);
    HeaderWords(proposal, head, detector, vocabulary).take();
    SaidWords(*detector.scannerOf(*proposal.format), head).take(proposal, vocabulary);
    if (proposal.configuration.model.empty()) {
        proposal.configuration.model = modelOf(*proposal.format, vocabulary);
    }
}

// What a run recorded of itself counts over what names and headers say.
void takeRecord(Proposal& proposal) {
    if (proposal.log.record.empty()) {
        return;
    }
    const auto json = readJsonFile(proposal.log.record);
    const auto record = json ? store::runRecordFromJson(*json, proposal.name) : Failure(json.error());
    if (!record) {
        proposal.notes.push_back(
            fmt::format("the run's record cannot be read: {}", reasonOf(record.error())));
        return;
    }
    const RunResult& run = record->result;
    proposal.configuration = run.benchmarkCase.configuration;
    proposal.topology = run.benchmarkCase.topology;
    proposal.repetition = run.repetition;
    if (run.range.train > run.range.warmup) {
        proposal.range = run.range;
    }
    proposal.recorded = run;
}

}  // namespace

const char* toString(Verdict verdict) {
    constexpr std::array names{"new", "duplicate", "no format", "incomplete"};
    return names.at(static_cast<std::size_t>(verdict));
}

std::string noLineOf(const analysis::Format& format) {
    return fmt::format("no line of the format {} is in it", analysis::name(format));
}

bool measuresThroughput(const analysis::Format& format) {
    return !analysis::measuresLatency(format);
}

Result<Proposal> propose(const FoundLog& log, const std::vector<std::string>& above,
                         const analysis::Format* format, const analysis::FormatDetector& detector,
                         const Vocabulary& vocabulary, const std::stop_token& stop) {
    Proposal proposal;
    proposal.log = log;
    proposal.name = nameOf(log);
    std::string head;
    TRY(readPieces(log.file, headBytes, stop, [&](std::string_view bytes) -> Result<void> {
        head += bytes;
        return {};
    }));
    takeSize(proposal, head);
    if (head.size() >= headBytes) {
        head = TRY(headOfLines(log.file, std::move(head), stop));
    }
    takePath(proposal, above, vocabulary);
    takeFormat(proposal, head, format, detector);
    if (proposal.format != nullptr) {
        takeCase(proposal, head, detector, vocabulary);
    }
    takeRecord(proposal);
    judge(proposal);
    return proposal;
}

void correct(Proposal& proposal, const Corrections& corrections, const Vocabulary& vocabulary) {
    Configuration& configuration = proposal.configuration;
    // The flavour of it that the log is of is the format, too.
    const bool isIt =
        proposal.format != nullptr && corrections.format != nullptr &&
        (proposal.format == corrections.format || proposal.format->flavourOf == corrections.format->name);
    proposal.isGuess = proposal.isGuess && corrections.format == nullptr;
    if (corrections.format != nullptr && !isIt) {
        proposal.format = corrections.format;
        proposal.why = "as you said";
        takeImplementation(configuration, analysis::implementation(*proposal.format), vocabulary);
    }
    if (!corrections.implementation.empty()) {
        takeImplementation(configuration, corrections.implementation, vocabulary);
    }
    if (!corrections.framework.empty()) {
        configuration.framework = wordFor(WordKind::Framework, corrections.framework, vocabulary);
    }
    if (!corrections.model.empty()) {
        configuration.model = vocabulary.id(WordKind::Model, corrections.model);
    }
    if (!corrections.precision.empty()) {
        configuration.precision = lower(corrections.precision);
    }
    configuration.batchSize = corrections.batchSize.value_or(configuration.batchSize);
    proposal.topology = corrections.topology ? corrections.topology : proposal.topology;
    proposal.repetition = corrections.repetition ? corrections.repetition : proposal.repetition;
    proposal.range = corrections.range ? corrections.range : proposal.range;
    judge(proposal);
}

void judge(Proposal& proposal) {
    proposal.missing.clear();
    proposal.sameAs.clear();
    proposal.target.clear();
    const auto miss = [&](bool absent, const char* what) {
        if (absent) {
            proposal.missing.emplace_back(what);
        }
    };
    miss(!proposal.topology, "topology");
    miss(proposal.configuration.batchSize <= 0, "batch size");
    const bool incomplete = !proposal.missing.empty();
    miss(proposal.configuration.precision.empty(), "precision");
    miss(proposal.configuration.model.empty(), "model");
    if (proposal.format == nullptr) {
        proposal.verdict = Verdict::NoFormat;
    } else {
        // A log of latencies says its case itself and needs none for its figure.
        proposal.verdict =
            incomplete && measuresThroughput(*proposal.format) ? Verdict::Incomplete : Verdict::New;
    }
}

}  // namespace dlperf::imports
