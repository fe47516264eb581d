// SPDX-License-Identifier: Apache-2.0
#include "core/import/path_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/log_name.h"
#include "core/base/text.h"

namespace dlperf::imports {
namespace {

constexpr std::array precisions{std::string_view("fp32"), std::string_view("fp16"), std::string_view("bf16"),
                                std::string_view("tf32"), std::string_view("amp")};

bool isWordByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// "resnet50_1node_bz128" is resnet50, 1node, bz128.
std::vector<std::string> words(std::string_view name) {
    std::vector<std::string> found(1);
    for (const char c : lower(name)) {
        if (isWordByte(c)) {
            found.back() += c;
        } else if (!found.back().empty()) {
            found.emplace_back();
        }
    }
    return found;
}

// 4n8g; the DataParallel script writes 1n8c.
std::optional<Topology> topologyOf(std::string word) {
    if (word.ends_with('c')) {
        word.back() = 'g';
    }
    return parseTopology(word);
}

// "b128", "bz128", "bs128", "batch128"
std::optional<int> batchOf(std::string_view word) {
    for (const std::string_view head : {"batch", "bz", "bs", "b"}) {
        if (word.starts_with(head)) {
            const auto number = toInt(word.substr(head.size()));
            return number && *number > 0 ? number : std::nullopt;
        }
    }
    return std::nullopt;
}

class PathReader {
public:
    explicit PathReader(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

    PathWords read(const std::vector<std::string>& parts) {
        readFileName(parts.back());
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            readName(part == parts.rbegin() ? part->substr(0, part->rfind('.')) : *part);
        }
        std::sort(said_.features.begin(), said_.features.end());
        return std::move(said_);
    }

private:
    // DLPerf's own fields; another name is read word by word like a folder's.
    void readFileName(const std::string& name) {
        const auto fields = analysis::parseLogName(name.substr(0, name.rfind('.')) + ".log");
        if (!fields) {
            return;
        }
        said_.model = vocabulary_.id(WordKind::Model, fields->model);
        said_.batchSize = fields->batchSize;
        said_.precision = lower(fields->precision);
        said_.repetition = fields->repetition;
    }

    void readName(const std::string& name) {
        readModel(lower(name));
        for (const std::string& word : words(name)) {
            if (const auto topology = topologyOf(word)) {
                take(said_.topology, topology);
            } else if (const auto batch = batchOf(word)) {
                take(said_.batchSize, *batch);
            } else if (std::find(precisions.begin(), precisions.end(), word) != precisions.end()) {
                take(said_.precision, word);
            } else {
                readModel(word);
                readFeature(word);
            }
        }
        readFeature(lower(name));
    }

    // What is nearer to the log counts.
    template <class Value>
    void take(Value& said, const Value& found) {
        if (said == Value{}) {
            said = found;
        } else if (said != found) {
            said_.contradictions.push_back(
                fmt::format("{}, though a folder says {}", textOf(said), textOf(found)));
        }
    }

    static std::string textOf(const std::optional<Topology>& topology) { return toString(*topology); }
    static std::string textOf(int batch) { return fmt::format("batch size {}", batch); }
    static std::string textOf(const std::string& precision) { return precision; }

    void readModel(const std::string& text) {
        const std::string id = vocabulary_.id(WordKind::Model, text);
        if (said_.model.empty() && vocabulary_.find(WordKind::Model, id) != nullptr) {
            said_.model = id;
        }
    }

    void readFeature(const std::string& text) {
        const std::string id = vocabulary_.id(WordKind::Feature, text);
        auto& features = said_.features;
        if (vocabulary_.find(WordKind::Feature, id) != nullptr &&
            std::find(features.begin(), features.end(), id) == features.end()) {
            features.push_back(id);
        }
    }

    const Vocabulary& vocabulary_;
    PathWords said_;
};

}  // namespace

PathWords readPath(const std::vector<std::string>& parts, const Vocabulary& vocabulary) {
    return PathReader(vocabulary).read(parts);
}

}  // namespace dlperf::imports
