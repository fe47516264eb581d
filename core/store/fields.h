// SPDX-License-Identifier: Apache-2.0
// A struct as JSON, each field named once for writing and for reading:
//
//   template <class Fields, class Note>
//   void listFields(Fields& fields, Note& note) {
//       fields("note", note.note);
//       fields("excluded", note.excluded);
//   }
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/model/case.h"
#include "core/store/noise_json.h"

namespace dlperf::store {

// Findings of a run as files of a workspace keep them: clean text.
[[nodiscard]] Json findingsJson(const std::vector<RunFinding>& findings);

class WriteFields {
public:
    template <class Value>
    void operator()(const char* name, const Value& value) {
        if constexpr (requires { toString(value); }) {
            json_[name] = toString(value);
        } else {
            json_[name] = value;
        }
    }
    template <class Value>
    void operator()(const char* name, const std::optional<Value>& value) {
        json_[name] = value ? toJson(*value) : Json();
    }
    void operator()(const char* name, const std::vector<RunFinding>& findings) {
        json_[name] = findingsJson(findings);
    }
    // Nothing of none, as most results have.
    void operator()(const char* name, const std::vector<NodeNoise>& noise) {
        if (!noise.empty()) {
            json_[name] = noiseJson(noise);
        }
    }

    [[nodiscard]] Json& json() { return json_; }

private:
    static Json toJson(double value) { return value; }
    static Json toJson(TimePoint time) { return toIso8601(time); }
    Json json_ = Json::object();
};

// A missing field leaves the value as it is; a wrong one is the reader's error.
class ReadFields {
public:
    explicit ReadFields(JsonReader& reader) : reader_(reader) {}

    void operator()(const char* name, std::string& value) { value = reader_.text(name, value); }
    void operator()(const char* name, bool& value) { value = reader_.flag(name, value); }
    void operator()(const char* name, int& value);
    void operator()(const char* name, std::optional<double>& value);
    void operator()(const char* name, std::optional<TimePoint>& value);
    void operator()(const char* name, std::vector<std::string>& value) { value = reader_.texts(name, value); }
    void operator()(const char* name, std::map<std::string, std::string>& value);
    void operator()(const char* name, Topology& value) { readWord(name, value, parseTopology); }
    void operator()(const char* name, Origin& value) { readWord(name, value, parseOrigin); }
    void operator()(const char* name, Outcome& value) { readWord(name, value, parseOutcome); }
    // A bounded part of them, of texts that are bounded and clean: those of a hostile log are many and long.
    void operator()(const char* name, std::vector<RunFinding>& findings);
    void operator()(const char* name, std::vector<NodeNoise>& noise) {
        noise = noiseFromJson(reader_.member(name));
    }

private:
    template <class Value, class Parse>
    void readWord(const char* name, Value& value, const Parse& parse) {
        const std::string text = reader_.text(name);
        const auto parsed = parse(text);
        if (!text.empty() && !parsed) {
            reader_.addError("\"" + text + "\" is no " + name);
        }
        value = parsed.value_or(value);
    }
    JsonReader& reader_;
};

}  // namespace dlperf::store
