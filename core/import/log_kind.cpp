// SPDX-License-Identifier: Apache-2.0
#include "core/import/log_kind.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/store/manifest.h"

namespace dlperf::imports {

namespace {

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

template <std::size_t count>
bool hasAny(std::string_view name, const std::array<std::string_view, count>& words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// Where the name has no ending that says it: what launchers, batch systems and shells call their output.
bool isOutput(std::string_view small) {
    using Words = std::array<std::string_view, 4>;
    const std::size_t dot = small.rfind('.');
    if (dot == std::string_view::npos) {
        return small.starts_with("log") || small.ends_with("log") ||
               hasAny(small, Words{"stdout", "stderr", "output", "_log"});
    }
    const std::string_view stem = small.substr(0, dot);
    const std::string_view ending = small.substr(dot + 1);
    const bool isOfJob = (ending.starts_with('o') || ending.starts_with('e')) && isNumber(ending.substr(1));
    const bool isNumbered = isNumber(ending) && stem.find("tfevents") == std::string_view::npos;
    return !stem.empty() &&
           (isOfJob || (isNumbered && (hasAny(stem, Words{"log", "out", "job", "slurm"}) ||
                                       hasAny(stem, Words{"err", "rank", "node", "train"}))));
}

}  // namespace

FileKind kindOf(std::string_view name) {
    using Ending = std::pair<std::string_view, FileKind>;
    constexpr std::array endings{Ending{".log", FileKind::Log},     Ending{".out", FileKind::Capture},
                                 Ending{".err", FileKind::Capture}, Ending{".txt", FileKind::Capture},
                                 Ending{".mem", FileKind::Memory},  Ending{".tar", FileKind::Archive},
                                 Ending{".tgz", FileKind::Archive}, Ending{".tzst", FileKind::Archive},
                                 Ending{".txz", FileKind::Archive}, Ending{".tbz2", FileKind::Archive},
                                 Ending{".zip", FileKind::Archive}, Ending{".gz", FileKind::Archive},
                                 Ending{".zst", FileKind::Archive}, Ending{".xz", FileKind::Archive},
                                 Ending{".bz2", FileKind::Archive}, Ending{".7z", FileKind::Archive},
                                 Ending{".rar", FileKind::Archive}};
    if (name == "run.json") {
        return FileKind::RunFacts;
    }
    if (name == store::manifestName) {
        return FileKind::Manifest;
    }
    if (name == "formats.json") {
        return FileKind::Formats;
    }
    const std::string small = lower(name);
    const auto found = std::find_if(endings.begin(), endings.end(), [&](const Ending& ending) {
        return small.size() > ending.first.size() && small.ends_with(ending.first);
    });
    if (found != endings.end()) {
        return found->second;
    }
    return isOutput(small) ? FileKind::Capture : FileKind::Other;
}

bool mayBeLog(FileKind kind) {
    return kind == FileKind::Log || kind == FileKind::Capture;
}

std::string packedLog(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    const std::string_view stem = name.substr(0, dot);
    constexpr std::array<std::string_view, 4> packers{".gz", ".xz", ".zst", ".bz2"};
    const bool isPacked =
        dot != std::string_view::npos && std::ranges::find(packers, lower(name.substr(dot))) != packers.end();
    return isPacked && mayBeLog(kindOf(stem)) ? std::string(stem) : std::string();
}

std::string rotatedLog(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    const std::string_view stem = name.substr(0, dot);
    const bool isPart = dot != std::string_view::npos && isNumber(name.substr(dot + 1));
    return isPart && mayBeLog(kindOf(stem)) ? std::string(stem) : std::string();
}

std::optional<std::vector<std::string>> partsOf(std::string_view name) {
    constexpr std::size_t longest = 4096;  // what a system lets a path have
    if (name.size() > longest) {
        return std::nullopt;
    }
    std::string slashes(name);
    std::replace(slashes.begin(), slashes.end(), '\\', '/');
    const bool drive = slashes.size() > 1 && slashes[1] == ':';
    if (slashes.starts_with('/') || drive || hasNul(slashes)) {
        return std::nullopt;
    }
    std::vector<std::string> parts;
    for (const std::string_view part : split(slashes, '/')) {
        if (part == "..") {
            return std::nullopt;
        }
        if (!part.empty() && part != ".") {
            parts.emplace_back(part);
        }
    }
    if (parts.empty() || parts.size() > deepest + 1) {
        return std::nullopt;
    }
    return parts;
}

bool isHidden(const std::vector<std::string>& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [](const std::string& part) { return part.starts_with('.'); });
}

}  // namespace dlperf::imports
