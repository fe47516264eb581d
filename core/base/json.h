// SPDX-License-Identifier: Apache-2.0
// JSON at the edges: parse with a message a person understands, read fields with their names in the error.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

// Compiled once, in json.cpp: it takes a third of the time of a file that uses it.
extern template class nlohmann::basic_json<>;
extern template class nlohmann::detail::serializer<nlohmann::json>;

namespace dlperf {

using Json = nlohmann::json;

// Parses UTF-8 JSON (comments are refused, as everywhere else). `where` names the source in errors.
[[nodiscard]] Result<Json> parseJson(std::string_view text, const std::string& where);

[[nodiscard]] Result<Json> readJsonFile(const std::filesystem::path& path);

// The field if it is a text, else an empty one: for what may be anything, such as a journal's events.
[[nodiscard]] std::string textOf(const Json& object, const char* field);

// Reads the fields of one object. Collects the first error, so that a reader is a list of plain calls:
//   JsonReader r(json, "plan.json"); plan.name = r.text("name", ""); … TRY(r.checked());
// A missing field takes the fallback; a field of the wrong type is an error that names it.
class JsonReader {
public:
    JsonReader(const Json& object, std::string where);

    std::string text(const char* field, std::string fallback = {});
    std::string requiredText(const char* field);
    bool flag(const char* field, bool fallback);
    // Integers within [lowest, highest]; anything else is an error that says the range.
    int integer(const char* field, int fallback, int lowest, int highest);
    // Nothing where it is missing.
    std::optional<double> number(const char* field);
    std::vector<std::string> texts(const char* field, std::vector<std::string> fallback = {});
    std::vector<int> integers(const char* field, int lowest, int highest);
    // Where `name` stands among `names`; an error that says them where it is none of them, and `fallback`.
    std::size_t placeOf(std::string_view name, std::span<const char* const> names, std::size_t fallback);
    // The member itself, or null when missing.
    const Json& member(const char* field);

    // Reports fields that are none of `known`: a typing error must not be silently ignored. "$schema", by
    // which editors find what may be written, is known everywhere.
    void refuseOthers(const std::vector<std::string_view>& known);

    void addError(std::string what, std::string remedy = {});
    const Error* error() const { return failed_ ? &error_ : nullptr; }
    Result<void> checked() const { return failed_ ? Result<void>(Failure(error_)) : Result<void>(); }

private:
    const Json& object_;
    std::string where_;
    Error error_;
    bool failed_ = false;
};

}  // namespace dlperf
