// SPDX-License-Identifier: Apache-2.0
#include "core/import/log_kind.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/store/manifest.h"

namespace dlperf::imports {

FileKind kindOf(std::string_view name) {
    using Ending = std::pair<std::string_view, FileKind>;
    constexpr std::array endings{Ending{".log", FileKind::Log},      Ending{".out", FileKind::Capture},
                                 Ending{".txt", FileKind::Capture},  Ending{".mem", FileKind::Memory},
                                 Ending{".tar", FileKind::Archive},  Ending{".tgz", FileKind::Archive},
                                 Ending{".tzst", FileKind::Archive}, Ending{".txz", FileKind::Archive},
                                 Ending{".tbz2", FileKind::Archive}, Ending{".zip", FileKind::Archive},
                                 Ending{".gz", FileKind::Archive},   Ending{".zst", FileKind::Archive},
                                 Ending{".xz", FileKind::Archive},   Ending{".bz2", FileKind::Archive},
                                 Ending{".7z", FileKind::Archive},   Ending{".rar", FileKind::Archive}};
    if (name == "run.json") {
        return FileKind::RunFacts;
    }
    if (name == store::manifestName) {
        return FileKind::Manifest;
    }
    const std::string small = lower(name);
    const auto found = std::find_if(endings.begin(), endings.end(), [&](const Ending& ending) {
        return small.size() > ending.first.size() && small.ends_with(ending.first);
    });
    if (found != endings.end()) {
        return found->second;
    }
    return small == "log" || small.ends_with("_log") ? FileKind::Capture : FileKind::Other;
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
