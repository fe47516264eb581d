// SPDX-License-Identifier: Apache-2.0
#include "core/measure/own_formats.h"

#include <fmt/format.h>

#include <utility>

#include "core/analysis/format_json.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/base/json.h"

namespace dlperf::measure {
namespace {

using analysis::Format;
using analysis::FormatBook;

Failure anotherOfItsName(const Format& format, bool isBuiltIn, const store::Workspace& workspace) {
    if (isBuiltIn) {
        return fail(
            fmt::format("the format {} has the name of a built-in one and says something else", format.name),
            format.name, "Give it another name.");
    }
    return fail(fmt::format("the workspace has a format {} already, which says something else", format.name),
                workspace.formats().string(),
                "Give yours another name, or change the one there: figures that it gave stay as they are.");
}

Result<void> write(const store::Workspace& workspace, const std::vector<Format>& formats) {
    Json rows = Json::array();
    for (const Format& format : formats) {
        rows.push_back(Json::parse(format.written));
    }
    const std::string text = rows.dump(1) + "\n";
    if (text.size() > analysis::mostFormatBytes) {
        return fail("would be larger than 1 MiB with these formats", workspace.formats().string(),
                    "Add fewer formats, or take out those that nothing needs.");
    }
    return writeFileAtomically(workspace.formats(), text);
}

}  // namespace

Result<FormatBook> readFormats(const store::Workspace& workspace) {
    std::error_code error;
    if (!std::filesystem::exists(workspace.formats(), error) && !error) {
        return FormatBook();
    }
    auto rows = analysis::readFormats(workspace.formats());
    return rows ? Result<FormatBook>(FormatBook(std::move(*rows))) : Failure(rows.error());
}

Result<FormatBook> readFormatsWith(const store::Workspace& workspace, const std::vector<Format>& added) {
    auto there = readFormats(workspace);
    if (!there) {
        return there;
    }
    std::vector<Format> all = there->own();
    for (const Format& format : added) {
        const Format* same = there->find(format.name);
        if (same == nullptr) {
            all.push_back(format);
        } else if (same->written != format.written) {
            return anotherOfItsName(format, same == analysis::findFormat(format.name), workspace);
        }
    }
    return FormatBook(std::move(all));
}

Result<void> keepFormats(const store::Workspace& workspace, const std::vector<Format>& added) {
    if (added.empty()) {
        return {};
    }
    // Two programs over one workspace lose no format.
    const FileLock guard(workspace.formats().string() + ".guard");
    if (!guard.held()) {
        return fail("the workspace cannot be written to", workspace.root().string(), "Check its permissions.",
                    ErrorKind::Work);
    }
    const auto all = readFormatsWith(workspace, added);
    return all ? write(workspace, all->own()) : Failure(all.error());
}

}  // namespace dlperf::measure
