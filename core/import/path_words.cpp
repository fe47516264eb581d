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

// PaddlePaddle's "n4c32": 4 nodes with 32 cards in all.
std::optional<Topology> cardsOnNodes(std::string_view word) {
    const std::size_t cards = word.find('c');
    if (!word.starts_with('n') || cards == std::string_view::npos) {
        return std::nullopt;
    }
    const int nodes = toInt(word.substr(1, cards - 1)).value_or(0);
    const int all = toInt(word.substr(cards + 1)).value_or(0);
    return nodes > 0 && all >= nodes && all % nodes == 0 ? std::optional(Topology{nodes, all / nodes})
                                                         : std::nullopt;
}

// 4n8g; the DataParallel script writes 1n8c.
std::optional<Topology> topologyOf(std::string word) {
    if (const auto topology = cardsOnNodes(word)) {
        return topology;
    }
    if (word.ends_with('c')) {
        word.back() = 'g';
    }
    return parseTopology(word);
}

bool isLetter(char c) {
    return c >= 'a' && c <= 'z';
}

// "xe9680x8h100", "l40sx8", "g5500v7x8xl40": the devices of one machine.
int devicesOfMachine(std::string_view word) {
    constexpr int most = 64;
    for (std::size_t x = word.rfind('x'); x != std::string_view::npos && x > 2; x = word.rfind('x', x - 1)) {
        const std::string_view rest = word.substr(x + 1);
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        const bool isDevice = digits == rest.size() || isLetter(rest[digits]);
        const bool isMachine = std::ranges::any_of(word.substr(0, x), isLetter);
        if (digits > 0 && isDevice && isMachine) {
            const int count = toInt(rest.substr(0, digits)).value_or(0);
            return count <= most ? count : 0;
        }
    }
    return 0;
}

// "gpu8", "8gpus", "8xh100", and "c8" or "n8" where whole nodes of cards are meant.
int devicesOf(std::string_view word) {
    constexpr int most = 65'536;
    constexpr int ofANode = 8;
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const std::string_view tail = word.substr(digits);
    int count = 0;
    if (digits > 0) {
        // "8xh100" and "2x3090", but neither "32x8d" nor "224x224".
        constexpr std::size_t fewestDigits = 4;
        const std::string_view name = tail.substr(std::min<std::size_t>(1, tail.size()));
        const bool isNumber =
            name.find_first_not_of("0123456789") >= fewestDigits && name.size() >= fewestDigits;
        const bool isNamed = tail.size() > 2 && tail.front() == 'x' && (isLetter(name.front()) || isNumber);
        count = isNamed || tail == "gpu" || tail == "gpus" ? toInt(word.substr(0, digits)).value_or(0) : 0;
    } else if (word.starts_with("gpu")) {
        count = toInt(word.substr(word.starts_with("gpus") ? 4 : 3)).value_or(0);
    } else if (word.starts_with('c') || word.starts_with('n')) {
        count = toInt(word.substr(1)).value_or(0);
        count = count <= ofANode || count % ofANode == 0 ? count : 0;  // C4140 is a machine
    }
    return count > 0 && count <= most ? count : 0;
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

// "n2", "c4": a name that is no more than this.
bool isTerse(std::string_view name) {
    return (name.starts_with('n') || name.starts_with('c')) && toInt(name.substr(1)).has_value();
}

class PathReader {
public:
    explicit PathReader(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

    PathWords read(const std::vector<std::string>& parts, std::size_t outer) {
        readFileName(parts.back());
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            if (static_cast<std::size_t>(parts.rend() - part) <= outer && isTerse(lower(*part))) {
                continue;
            }
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
        const bool areDevicesSaid = said_.devices > 0 || said_.devicesPerNode > 0;  // nearer to the log
        readModel(lower(name));
        const std::vector<std::string> all = words(name);
        readJoined(all);
        for (const std::string& word : all) {
            if (const auto topology = topologyOf(word)) {
                take(said_.topology, topology);
            } else if (const int devices = devicesOf(word)) {
                said_.devices = areDevicesSaid || said_.devices > 0 ? said_.devices : devices;
                readDevice(word);
            } else if (const int ofMachine = devicesOfMachine(word)) {
                said_.devicesPerNode =
                    areDevicesSaid || said_.devicesPerNode > 0 ? said_.devicesPerNode : ofMachine;
                readDevice(word);
            } else if (const auto batch = batchOf(word)) {
                take(said_.batchSize, *batch);
            } else if (std::find(precisions.begin(), precisions.end(), word) != precisions.end()) {
                take(said_.precision, word);
            } else {
                readModel(word);
                readFeature(word);
                readFramework(word);
            }
        }
        readFeature(lower(name));
    }

    // "bert", "large" is BERT large, and not BERT.
    void readJoined(const std::vector<std::string>& all) {
        for (std::size_t i = 1; i < all.size(); ++i) {
            readModel(all[i - 1] + "-" + all[i]);
        }
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

    void readFramework(const std::string& text) {
        const std::string id = vocabulary_.id(WordKind::Framework, text);
        if (said_.framework.empty() && vocabulary_.find(WordKind::Framework, id) != nullptr) {
            said_.framework = id;
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

    // "8xa100", "xe9680x8h100", "l40sx8": which devices they are.
    void readDevice(std::string_view word) {
        for (const std::string_view part : split(word, 'x')) {
            const std::size_t digits = std::min(part.find_first_not_of("0123456789"), part.size());
            readFeature(std::string(part.substr(digits)));
        }
    }

    const Vocabulary& vocabulary_;
    PathWords said_;
};

}  // namespace

std::span<const std::string_view> knownPrecisions() {
    return precisions;
}

PathWords readPath(const std::vector<std::string>& parts, const Vocabulary& vocabulary, std::size_t outer) {
    return PathReader(vocabulary).read(parts, outer);
}

}  // namespace dlperf::imports
