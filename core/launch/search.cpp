// SPDX-License-Identifier: Apache-2.0
#include "core/launch/search.h"

#include <fmt/format.h>

#include <algorithm>

namespace dlperf::launch {

std::optional<BatchSearch> searchFromJson(JsonReader& reader) {
    const Json& json = reader.member("search");
    if (json.is_null()) {
        return std::nullopt;
    }
    JsonReader search(json, {});
    JsonReader batchSize(search.member("batch_size"), {});
    BatchSearch found;
    found.multipleOf = batchSize.integer("multiple_of", found.multipleOf, 1, largestBatchSize);
    const int most = std::max(found.most / found.multipleOf, 1) * found.multipleOf;
    found.most = batchSize.integer("most", most, 1, largestBatchSize);
    search.refuseOthers({"batch_size"});
    batchSize.refuseOthers({"most", "multiple_of"});
    for (const Error* error : {search.error(), batchSize.error()}) {
        if (error != nullptr) {
            reader.addError(fmt::format("\"search\": {}", error->what), error->remedy);
        }
    }
    return found;
}

Json toJson(const BatchSearch& search) {
    return {{"batch_size", {{"most", search.most}, {"multiple_of", search.multipleOf}}}};
}

SearchState largestThatFits(const BatchSearch& search, int start, std::span<const Trial> trials) {
    SearchState state;
    for (const Trial& trial : trials) {
        if (trial.outcome == Outcome::Oom) {
            state.fails = std::min(state.fails.value_or(trial.value), trial.value);
        }
    }
    for (const Trial& trial : trials) {
        if (trial.outcome == Outcome::Ok && trial.value < state.fails.value_or(trial.value + 1)) {
            state.fits = std::max(state.fits.value_or(trial.value), trial.value);
        }
    }
    const bool failed = std::ranges::any_of(trials, [](const Trial& trial) {
        return trial.outcome != Outcome::Ok && trial.outcome != Outcome::Oom;
    });
    if (failed) {
        return state;
    }
    const int step = search.multipleOf;
    if (!state.fails) {
        const int doubled =
            state.fits ? (*state.fits > search.most / 2 ? search.most : *state.fits * 2) : start;
        (state.fits == search.most ? state.answer : state.next) = doubled;
    } else if (const int least = state.fits.value_or(0); *state.fails - least > step) {
        state.next = least + (*state.fails - least) / step / 2 * step;
    } else {
        state.answer = state.fits;
    }
    return state;
}

}  // namespace dlperf::launch
