// SPDX-License-Identifier: Apache-2.0
#include "core/log/line_level.h"

#include <re2/re2.h>

#include <cctype>

#include "core/analysis/capture.h"
#include "core/log/line_text.h"

namespace dlperf::log {
namespace {

struct Patterns {
    // Words count as levels where programs put them: in capitals, in brackets or before a colon. "top-1
    // error 0.3" and "0 failed" are no errors. Of Python's exceptions the last line counts, which names them,
    // not the lines of the traceback: one exception is one error.
    RE2 error{
        R"(\b(?:ERROR|FATAL|CRITICAL)\b|\b(?i:error|fatal|critical)\s?[:\]>]|^\[?[EF]\d{4,8}[ -]|^\[E\d* )"
        R"(|^(?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b(?::|$)|^__main__\.\w+(?::|$))"
        R"(|(?i:out of memory|segmentation fault|core dumped|\bpanic:))"
        R"(|\b(?:Aborted|Killed)\b)",
        analysis::byBytes()};
    RE2 failed{R"(\b(?i:failed|failure)\b)", analysis::byBytes()};
    RE2 warning{R"(\bWARN(?:ING)?\b|\b(?i:warn|warning)\s?[:\]>]|\w+Warning\b|^\[?W\d{4,8}[ -]|^\[W\d* )",
                analysis::byBytes()};
    RE2 info{R"(\bINFO\b|\b(?i:info)\s?[:\]>]|^\[?I\d{4,8}[ -]|^\[I\d* )", analysis::byBytes()};
    RE2 quiet{R"(^#|\b(?:DEBUG|TRACE)\b|\b(?i:debug|trace)\s?[:\]>])", analysis::byBytes()};
    // Whatever an error or a warning holds by the patterns above; findHint() knows letters of each.
    RE2 suspect{R"((?i:error|fatal|critical|exception|interrupt|__main__|out of memory|segmentation)"
                R"(|core dumped|panic:|aborted|killed|fail|warn)|[EFW]\d{4,8}[ -]|\[[EW]\d* )",
                analysis::byBytes()};
};

const Patterns& patterns() {
    static const Patterns all;
    return all;
}

// "3 failed" is an error, "0 failed" is none.
bool saysFailed(std::string_view text) {
    re2::StringPiece found;
    std::size_t from = 0;
    while (patterns().failed.Match(text, from, text.size(), RE2::UNANCHORED, &found, 1)) {
        const auto at = static_cast<std::size_t>(found.data() - text.data());
        const bool zero = at >= 2 && text.substr(at - 2, 2) == "0 ";
        const bool word =
            at >= 3 && (std::isalnum(static_cast<unsigned char>(text[at - 3])) != 0 || text[at - 3] == '_');
        if (!zero || word) {
            return true;
        }
        from = at + found.size();
    }
    return false;
}

}  // namespace

Level levelOf(std::string_view text) {
    const Patterns& all = patterns();
    if (RE2::PartialMatch(text, all.error) || saysFailed(text)) {
        return Level::Error;
    }
    if (RE2::PartialMatch(text, all.warning)) {
        return Level::Warning;
    }
    if (RE2::PartialMatch(text, all.info)) {
        return Level::Info;
    }
    return RE2::PartialMatch(text, all.quiet) ? Level::Quiet : Level::Plain;
}

Level levelOfLine(std::string_view bytes, const std::vector<std::string>& nodes) {
    const std::string plain = plainLine(bytes);
    return levelOf(afterPrefix(plain, nodes));
}

bool isSuspect(std::string_view bytes) {
    return RE2::PartialMatch(bytes, patterns().suspect);
}

}  // namespace dlperf::log
