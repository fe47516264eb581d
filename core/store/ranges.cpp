// SPDX-License-Identifier: Apache-2.0
#include "core/store/ranges.h"

#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/store/fields.h"

namespace dlperf::store {
namespace {

template <class Fields, class Change>
void listChange(Fields& fields, Change& changed) {
    fields("warmup", changed.range.warmup);
    fields("train", changed.range.train);
    fields("outcome", changed.outcome);
    fields("throughput", changed.figure);
    fields("reason", changed.reason);
    fields("findings", changed.findings);
}

Json changeJson(const ChangedRange& changed) {
    WriteFields fields;
    listChange(fields, changed);
    return std::move(fields.json());
}

ChangedRange readChange(JsonReader& reader) {
    ChangedRange changed;
    (void)reader.requiredText("outcome");
    ReadFields fields(reader);
    listChange(fields, changed);
    if (changed.figure.has_value() != (changed.outcome == Outcome::Ok)) {
        reader.addError("\"outcome\" and \"throughput\" do not fit");
    }
    return changed;
}

}  // namespace

Result<ChangedRanges> readRanges(const Workspace& workspace) {
    std::error_code error;
    if (!std::filesystem::exists(workspace.ranges(), error)) {
        if (!error) {
            return ChangedRanges();
        }
        return failBecause(error.message(), "cannot be read", workspace.ranges().string(),
                           "Check the permissions of the workspace.");
    }
    const auto json = TRY(readJsonFile(workspace.ranges()));
    if (!json.is_object()) {
        return fail("holds no measurement ranges", workspace.ranges().string(),
                    "Remove the file: runs then have the ranges that they were run with.");
    }
    ChangedRanges ranges;
    for (const auto& [id, one] : json.items()) {
        JsonReader reader(one, workspace.ranges().string() + ", " + id);
        ranges[id] = readChange(reader);
        TRY(reader.checked());
    }
    return ranges;
}

Result<void> changeRanges(const Workspace& workspace, const RangeChanges& changes) {
    const FileLock guard = TRY(guardOf(workspace.ranges()));
    auto ranges = TRY(readRanges(workspace));
    for (const auto& [id, changed] : changes) {
        if (changed) {
            ranges[id] = *changed;
        } else {
            ranges.erase(id);
        }
    }
    Json json = Json::object();
    for (const auto& [id, changed] : ranges) {
        json[id] = changeJson(changed);
    }
    return writeFileAtomically(workspace.ranges(),
                               json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace dlperf::store
