// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"

template class nlohmann::basic_json<>;
template class nlohmann::detail::serializer<nlohmann::json>;

namespace dlperf {
namespace {

const Json& nothing() {
    static const Json null;
    return null;
}

}  // namespace

Result<Json> parseJson(std::string_view text, const std::string& where) {
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        // nlohmann's text: "[json.exception.parse_error.101] parse error at line 1, column 2: …"
        std::string details = error.what();
        if (const auto end = details.find("] "); end != std::string::npos) {
            details.erase(0, end + 2);
        }
        return failBecause(std::move(details), "is not valid JSON", where,
                           "Mend the file at the place named.");
    }
}

Result<Json> readJsonFile(const std::filesystem::path& path) {
    auto text = TRY(readFile(path));
    return parseJson(text, path.string());
}

std::string textOf(const Json& object, const char* field) {
    const auto found = object.find(field);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

JsonReader::JsonReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) {
        addError("is not a JSON object",
                 "Write { … } with the fields that the manual lists in its chapter Files.");
    }
}

void JsonReader::addError(std::string what, std::string remedy) {
    if (!failed_) {
        failed_ = true;
        error_ = Error{std::move(what), where_, std::move(remedy), ErrorKind::Input};
    }
}

const Json& JsonReader::member(const char* field) {
    if (!object_.is_object()) {
        return nothing();
    }
    const auto found = object_.find(field);
    return found == object_.end() ? nothing() : *found;
}

std::string JsonReader::text(const char* field, std::string fallback) {
    const Json& value = member(field);
    if (value.is_null()) {
        return fallback;
    }
    if (!value.is_string()) {
        addError(fmt::format("\"{}\" must be a text", field));
        return fallback;
    }
    return value.get<std::string>();
}

std::string JsonReader::requiredText(const char* field) {
    std::string value = text(field);
    if (value.empty()) {
        addError(fmt::format("\"{}\" is missing", field), fmt::format("Add \"{}\".", field));
    }
    return value;
}

bool JsonReader::flag(const char* field, bool fallback) {
    const Json& value = member(field);
    if (value.is_null()) {
        return fallback;
    }
    if (!value.is_boolean()) {
        addError(fmt::format("\"{}\" must be true or false", field));
        return fallback;
    }
    return value.get<bool>();
}

int JsonReader::integer(const char* field, int fallback, int lowest, int highest) {
    const Json& value = member(field);
    if (value.is_null()) {
        return fallback;
    }
    if (!value.is_number_integer() || value < lowest || value > highest) {
        addError(fmt::format("\"{}\" must be a whole number from {} to {}", field, lowest, highest));
        return fallback;
    }
    return value.get<int>();
}

std::optional<double> JsonReader::number(const char* field) {
    const Json& value = member(field);
    if (value.is_number() && std::isfinite(value.get<double>())) {
        return value.get<double>();
    }
    if (!value.is_null()) {
        addError(fmt::format("\"{}\" must be a number", field));
    }
    return std::nullopt;
}

std::vector<std::string> JsonReader::texts(const char* field, std::vector<std::string> fallback) {
    const Json& value = member(field);
    if (value.is_null()) {
        return fallback;
    }
    const bool good = value.is_array() && std::all_of(value.begin(), value.end(),
                                                      [](const Json& item) { return item.is_string(); });
    if (!good) {
        addError(fmt::format("\"{}\" must be a list of texts", field));
        return fallback;
    }
    return value.get<std::vector<std::string>>();
}

std::vector<int> JsonReader::integers(const char* field, int lowest, int highest) {
    const Json& value = member(field);
    if (value.is_null()) {
        return {};
    }
    const auto good = [&](const Json& item) {
        return item.is_number_integer() && item >= lowest && item <= highest;
    };
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), good)) {
        addError(fmt::format("\"{}\" must be a list of whole numbers from {} to {}", field, lowest, highest));
        return {};
    }
    return value.get<std::vector<int>>();
}

std::size_t JsonReader::placeOf(std::string_view name, std::span<const char* const> names,
                                std::size_t fallback) {
    const auto found = std::ranges::find(names, name, [](const char* one) { return std::string_view(one); });
    if (found == names.end()) {
        addError(fmt::format("\"{}\" is not known here", name),
                 fmt::format("Write one of {}.", fmt::join(names, ", ")));
        return fallback;
    }
    return static_cast<std::size_t>(found - names.begin());
}

void JsonReader::refuseOthers(const std::vector<std::string_view>& known) {
    if (!object_.is_object()) {
        return;
    }
    for (const auto& item : object_.items()) {
        const std::string& field = item.key();
        if (field == "$schema" || std::ranges::find(known, field) != known.end()) {
            continue;
        }
        const std::string meant = nearestOf(field, {known.begin(), known.end()});
        addError(fmt::format("\"{}\" is not a known field", refusedName(field)),
                 meant.empty() ? fmt::format("Known are {}.", fmt::join(known, ", "))
                               : fmt::format("Write \"{}\", or remove it.", meant));
    }
}

}  // namespace dlperf
