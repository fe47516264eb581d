// SPDX-License-Identifier: Apache-2.0
#include "core/measure/own_formats.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/analysis/format_json.h"
#include "core/base/file.h"
#include "core/base/json.h"

namespace dlperf::measure {
namespace {

using analysis::Format;
using analysis::FormatBook;

Result<void> write(const store::Workspace& workspace, const std::vector<Format>& formats) {
    Json rows = Json::array();
    for (const Format& format : formats) {
        rows.push_back(Json::parse(format.written));
    }
    const std::string text = rows.dump(1) + "\n";
    const std::string file = workspace.formats().string();
    if (text.size() > analysis::mostFormatBytes || !analysis::formatsFromJson(text, file)) {
        return fail("would hold too many formats", file, "Take out those that nothing needs.",
                    ErrorKind::Work);
    }
    return writeFileAtomically(file, text);
}

}  // namespace

Result<FormatBook> readFormats(const store::Workspace& workspace) {
    std::error_code error;
    if (!std::filesystem::exists(workspace.formats(), error) && !error) {
        return FormatBook();
    }
    const auto rows = analysis::readFormats(workspace.formats());
    return rows ? withFormats(FormatBook(), *rows, workspace.formats().string()) : Failure(rows.error());
}

Result<FormatBook> withFormats(const FormatBook& there, const std::vector<Format>& added,
                               const std::string& where) {
    return there.with(added, where, "in the workspace's formats.json");
}

Result<std::vector<std::string>> keepFormats(const store::Workspace& workspace,
                                             const std::vector<Format>& added, const std::string& where) {
    if (added.empty()) {
        return std::vector<std::string>();
    }
    const FileLock guard = TRY(guardOf(workspace.formats()));
    const auto there = readFormats(workspace);
    const auto all = TRY(there ? withFormats(*there, added, where) : there);
    std::vector<std::string> names;
    std::transform(all.own().begin() + static_cast<std::ptrdiff_t>(there->own().size()), all.own().end(),
                   std::back_inserter(names), [](const Format& format) { return format.name; });
    if (!names.empty()) {
        TRY(write(workspace, all.own()));
    }
    return names;
}

}  // namespace dlperf::measure
