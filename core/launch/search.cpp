// SPDX-License-Identifier: Apache-2.0
#include "core/launch/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace dlperf::launch {
namespace {

constexpr double asFast = 0.98;  // of the best

// Halves what is left between a value that will not do and one that does; nothing once they are neighbours.
std::optional<int> between(int low, int high, int step) {
    return high - low > step ? std::optional(low + (high - low) / step / 2 * step) : std::nullopt;
}

int doubled(const Search& search, int value) {
    return value > search.most / 2 ? search.most : value * 2;
}

SearchState largestThatFits(const Search& search, int start, std::span<const Trial> trials) {
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
    if (!state.fails) {
        const int next = state.fits ? doubled(search, *state.fits) : start;
        (state.fits == search.most ? state.answer : state.next) = next;
    } else {
        state.next = between(state.fits.value_or(0), *state.fails, search.multipleOf);
        state.answer = state.next ? std::nullopt : state.fits;
    }
    return state;
}

SearchState leastAsFast(const Search& search, int start, std::span<const Trial> trials) {
    std::map<int, double> speeds;  // the better of several of a value
    bool failed = false;
    for (const Trial& trial : trials) {
        failed = failed || trial.outcome != Outcome::Ok || trial.throughput <= 0;
        speeds[trial.value] = std::max(speeds[trial.value], trial.throughput);
    }
    SearchState state;
    if (failed || start < 1) {
        return state;
    }
    if (speeds.empty()) {
        state.next = start;
        return state;
    }
    const auto best = std::ranges::max_element(speeds, {}, [](const auto& one) { return one.second; });
    const auto least =
        std::ranges::find_if(speeds, [&](const auto& one) { return one.second >= asFast * best->second; });
    state.fits = best->first;
    if (least != speeds.begin()) {
        state.fails = std::prev(least)->first;
    }
    const int largest = speeds.rbegin()->first;
    if (least->first == largest && largest < search.most) {
        state.next = doubled(search, largest);  // it was worth it so far
    } else {
        state.next = between(state.fails.value_or(0), least->first, search.multipleOf);
        state.answer = state.next ? std::nullopt : std::optional(least->first);
    }
    return state;
}

}  // namespace

std::optional<Search> searchFromJson(JsonReader& reader) {
    const Json& json = reader.member("search");
    if (json.is_null()) {
        return std::nullopt;
    }
    JsonReader search(json, {});
    Search found;
    const bool ofOption = json.is_object() && json.contains("option");
    JsonReader what(search.member(ofOption ? "option" : "batch_size"), {});
    if (ofOption) {
        found.option = what.requiredText("name");
        found.most = mostOfAnOption;
        what.refuseOthers({"name", "most", "multiple_of"});
    } else {
        what.refuseOthers({"most", "multiple_of"});
    }
    found.multipleOf = what.integer("multiple_of", found.multipleOf, 1, largestBatchSize);
    const int most = std::max(found.most / found.multipleOf, 1) * found.multipleOf;
    found.most = what.integer("most", most, 1, largestBatchSize);
    search.refuseOthers({"batch_size", "option"});
    if (ofOption && json.contains("batch_size")) {
        search.addError("one thing is found at a time", "Remove \"batch_size\" or \"option\".");
    }
    for (const Error* error : {search.error(), what.error()}) {
        if (error != nullptr) {
            reader.addError(fmt::format("\"search\": {}", error->what), error->remedy);
        }
    }
    return found;
}

Json toJson(const Search& search) {
    Json what{{"most", search.most}, {"multiple_of", search.multipleOf}};
    if (search.option.empty()) {
        return {{"batch_size", std::move(what)}};
    }
    what["name"] = search.option;
    return {{"option", std::move(what)}};
}

SearchState stateOf(const Search& search, int start, std::span<const Trial> trials) {
    return search.option.empty() ? largestThatFits(search, start, trials)
                                 : leastAsFast(search, start, trials);
}

}  // namespace dlperf::launch
