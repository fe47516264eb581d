// SPDX-License-Identifier: Apache-2.0
#include "core/publish/bundle.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/regular_file.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/model/campaign.h"
#include "core/publish/archive_writer.h"
#include "core/publish/mask.h"
#include "core/store/manifest.h"
#include "core/store/results.h"
#include "core/store/run_record.h"

namespace dlperf::publish {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largestFile = 1ULL << 30U;

// "results.tar.zst" is results.
std::string nameOf(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.substr(0, name.find('.'));
}

// The files of a bundle by their names in it, each read when its turn comes.
class Collection {
public:
    void add(const std::string& name, std::string text) { texts_[name] = std::move(text); }
    void addFile(const std::string& name, const fs::path& file) { files_[name] = file; }
    // All that is no folder below it, or the folder itself if it is a link: write() refuses what is no file.
    void addFolder(const std::string& name, const fs::path& folder) {
        std::error_code error;
        if (fs::is_symlink(folder, error)) {
            addFile(name, folder);
            return;
        }
        for (fs::recursive_directory_iterator entry(folder, error);
             !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            std::error_code ignored;
            if (entry->symlink_status(ignored).type() != fs::file_type::directory) {
                addFile(name + "/" + entry->path().lexically_relative(folder).string(), entry->path());
            }
        }
    }

    // Files of ranks keep theirs: node1.log is of rank 1, whatever a node is called.
    template <class Masked>
    static std::string maskedName(const std::string& name, const Masked& masked) {
        static const re2::RE2 ofRank(R"((.*/)(node\d+\.[^/]*))");
        std::string folder;
        std::string file;
        return re2::RE2::FullMatch(name, ofRank, &folder, &file) ? masked(folder) + file : masked(name);
    }

    // In the order of their names. `masked` is what is written of a text. What is published is in the
    // workspace: an Input error names a link, which may lead to anything.
    template <class Masked>
    Result<std::size_t> write(ArchiveWriter& archive, const std::string& folder, store::Manifest& manifest,
                              const Masked& masked) const {
        std::map<std::string, const fs::path*> all;
        for (const auto& [name, file] : files_) {
            all[name] = &file;
        }
        for (const auto& [name, text] : texts_) {
            all[name] = nullptr;
        }
        for (const auto& [name, file] : all) {
            const std::string bytes = TRY(file == nullptr ? Result<std::string>(texts_.at(name))
                                                          : readFile(*file, largestFile, Links::Refuse));
            const std::string shown = masked(bytes);
            Sha256 sum;
            sum.add(shown);
            const std::string shownName = maskedName(name, masked);
            manifest.files[shownName] = sum.digits();
            TRY(archive.add(fmt::format("{}/{}", folder, shownName), shown));
        }
        return all.size();
    }

private:
    std::map<std::string, std::string> texts_;
    std::map<std::string, fs::path> files_;
};

bool isOfAny(const RunResult& run, const std::set<std::string>& campaigns) {
    return std::ranges::any_of(campaigns, [&](const std::string& id) { return isOfCampaign(run, id); });
}

std::vector<RunResult> chosen(std::vector<RunResult> results, const BundleOptions& options) {
    std::erase_if(results, [&](const RunResult& run) {
        return !run.throughput || run.excluded || run.folder.empty() ||
               (!options.campaigns.empty() && !isOfAny(run, options.campaigns));
    });
    return results;
}

// The record says what the user sees: the range that the figure is of, wherever the run once had it.
Result<std::string> recordText(const fs::path& folder, const RunResult& run, Mask& mask) {
    auto record = TRY(store::readRunRecord(folder));
    mask.addCluster(record.facts);
    record.result.range = run.range;
    record.result.outcome = run.outcome;
    record.result.reason = run.reason;
    record.result.throughput = run.throughput;
    record.result.findings = run.findings;
    return store::recordText(record);
}

// A run's log stands beside its folder by DLPerf's name, so that node0.log inside would be the same once
// more.
Result<void> addRun(Collection& bundle, const store::Workspace& workspace, const RunResult& run, Mask& mask) {
    const fs::path folder = workspace.root() / run.folder;
    const std::string record = TRY(recordText(folder, run, mask));
    std::error_code error;
    bundle.addFile(run.folder + ".log", folder / "node0.log");
    for (const char* ending : {".log", ".mem"}) {
        fs::path beside = folder;
        beside += ending;
        if (fs::exists(fs::symlink_status(beside, error))) {
            bundle.addFile(run.folder + ending, beside);
        }
    }
    for (const fs::path& file : entriesOf(folder)) {
        const std::string name = file.filename().string();
        if (name != "node0.log" && name != "run.json" && !fs::is_directory(fs::symlink_status(file, error))) {
            bundle.addFile(run.folder + "/" + name, file);
        }
    }
    bundle.add(run.folder + "/run.json", record);
    return {};
}

void addCampaigns(Collection& bundle, const store::Workspace& workspace, const std::vector<RunResult>& runs,
                  Mask& mask) {
    std::set<std::string> campaigns;
    for (const RunResult& run : runs) {
        campaigns.insert(run.campaign);
    }
    for (const std::string& campaign : campaigns) {
        const fs::path folder = (workspace.campaigns() / campaign).lexically_normal();
        if (folder.lexically_relative(workspace.campaigns()).string().starts_with('.')) {
            continue;  // a damaged name leads elsewhere
        }
        bundle.addFolder("campaigns/" + campaign, folder);
        if (const auto cluster = readJsonFile(folder / "cluster.json")) {
            mask.addCluster(*cluster);
        }
    }
}

// Of what was measured of the nodes by themselves: campaigns may not have used them.
void addMeasuredNodes(Mask& mask, const store::Workspace& workspace,
                      const report::HardwareBaselines& hardware) {
    for (const fs::path& runs : {workspace.linkRuns(), workspace.computeRuns(), workspace.dataRuns()}) {
        for (const fs::path& campaign : entriesOf(runs / "campaigns")) {
            if (const auto cluster = readJsonFile(campaign / "cluster.json")) {
                mask.addCluster(*cluster);
            }
        }
    }
    if (hardware.links) {
        std::ranges::for_each(hardware.links->nodes, [&](const auto& name) { mask.addNode(name); });
        for (const cluster::PairBaseline& pair : hardware.links->pairs) {
            mask.addNode(pair.from);
            mask.addNode(pair.to);
        }
        for (const cluster::RingLink& link : hardware.links->ring) {
            mask.addNode(link.from);
            mask.addNode(link.to);
        }
        for (const cluster::NodeBaseline& node : hardware.links->within) {
            mask.addNode(node.node);
        }
    }
    if (hardware.compute) {
        std::ranges::for_each(hardware.compute->nodes, [&](const auto& node) { mask.addNode(node.node); });
    }
    if (hardware.data) {
        std::ranges::for_each(hardware.data->nodes, [&](const auto& node) { mask.addNode(node.node); });
    }
}

Result<void> addReports(Collection& bundle, report::Report& report, const Vocabulary& vocabulary) {
    for (const auto& [name, language] :
         {std::pair("README.md", "en"), std::pair("README_zh_CN.md", "zh_CN")}) {
        report.language = language;
        bundle.add(name, report::renderReadme(report, vocabulary));
    }
    const auto json = TRY(report::renderReport(report, "results.json", {}));
    bundle.add("results.json", json.front().bytes);
    return {};
}

}  // namespace

Result<Bundled> writeBundle(const store::Workspace& workspace, const Vocabulary& vocabulary,
                            const report::ReportView& view, const fs::path& file,
                            const BundleOptions& options) {
    const auto stored = TRY(store::readResults(workspace));
    for (const std::string& campaign : options.campaigns) {
        if (std::ranges::none_of(stored.results,
                                 [&](const RunResult& run) { return isOfCampaign(run, campaign); })) {
            return fail(
                fmt::format("there is no campaign or import {} that has ended runs", refusedName(campaign)),
                workspace.root().string(), "`dlperf status` lists them.");
        }
    }
    const std::vector<RunResult> runs = chosen(stored.results, options);
    if (runs.empty()) {
        return fail("there is no run with a figure to publish", workspace.root().string(),
                    "Name another --campaign, or run a plan first.");
    }
    report::Report report = report::buildReport(runs, vocabulary, options.title, view);
    report::addWorkspaceFacts(report, workspace);
    Collection bundle;
    Mask mask;
    TRY(addReports(bundle, report, vocabulary));
    addCampaigns(bundle, workspace, runs, mask);  // first: its nodes are numbered as in its node list
    for (const RunResult& run : runs) {
        TRY(addRun(bundle, workspace, run, mask));
    }
    addMeasuredNodes(mask, workspace, report.hardware);
    if (fs::exists(workspace.formats())) {
        bundle.addFile("formats.json", workspace.formats());
    }
    const auto masked = [&](const std::string& text) { return options.masked ? mask(text) : text; };

    auto archive = TRY(ArchiveWriter::make(file));
    store::Manifest manifest{options.program, toIso8601(now()), masked(report.title), options.masked, {}};
    const auto written = [&]() -> Result<std::size_t> {
        const std::size_t files = TRY(bundle.write(archive, nameOf(file), manifest, masked));
        TRY(archive.add(nameOf(file) + "/" + store::manifestName, toJson(manifest).dump(1) + "\n"));
        TRY(archive.close());
        return files;
    }();
    if (!written) {
        std::error_code ignored;
        fs::remove(ArchiveWriter::partOf(file), ignored);
        return Failure(written.error());
    }
    return Bundled{runs.size(), *written + 1};
}

}  // namespace dlperf::publish
