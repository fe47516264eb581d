// SPDX-License-Identifier: Apache-2.0
#include "cuda/dnn/engine_choice.h"

#include <charconv>

namespace dlperf::worker::cuda::dnn {
namespace {

// Takes a number that is not negative off the front; nothing where there is none.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool takeLetter(std::string_view& text, char letter) {
    if (text.empty() || text.front() != letter) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

}  // namespace

std::string EngineChoice::text() const {
    std::string result = std::to_string(engine);
    for (const Knob& knob : knobs) {
        result.append(1, ' ').append(std::to_string(knob.type));
        result.append(1, '=').append(std::to_string(knob.value));
    }
    return result;
}

std::optional<EngineChoice> EngineChoice::parse(std::string_view text) {
    const std::optional<std::int64_t> engine = takeNumber(text);
    if (!engine) {
        return std::nullopt;
    }
    EngineChoice choice{*engine, {}};
    while (!text.empty()) {
        if (!takeLetter(text, ' ')) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> type = takeNumber(text);
        if (!type || !takeLetter(text, '=')) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> value = takeNumber(text);
        if (!value) {
            return std::nullopt;
        }
        choice.knobs.push_back({*type, *value});
    }
    return choice;
}

}  // namespace dlperf::worker::cuda::dnn
