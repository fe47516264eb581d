// SPDX-License-Identifier: Apache-2.0
#include "core/run/container_image.h"

#include <algorithm>

#include "core/base/text.h"

namespace dlperf::run {
namespace {

constexpr std::size_t longest = 300;      // bytes of a name or a digest
constexpr std::size_t digestsAtMost = 8;  // an image may be known by several names

using Words = std::vector<std::string>;
using Word = Words::const_iterator;

bool isRuntime(const std::string& word) {
    const std::string name = word.substr(word.rfind('/') + 1);
    return name == "docker" || name == "podman";
}

// Options of exec whose value is a word of its own.
bool takesNext(const std::string& option) {
    static const Words longOnes{"--env", "--env-file", "--user", "--workdir", "--detach-keys"};
    if (option.starts_with("--")) {
        return std::find(longOnes.begin(), longOnes.end(), option) != longOnes.end();
    }
    const std::size_t at = option.find_first_of("euw");  // "-iu root", but "-uroot"
    return at != std::string::npos && at + 1 == option.size();
}

// The container behind exec and its options; end where there is none.
Word containerOf(Word word, Word end) {
    while (word != end && word->size() > 1 && word->front() == '-') {
        if (*word == "--") {
            return word + 1;
        }
        const bool skipsTwo = takesNext(*word) && word + 1 != end;
        word += skipsTwo ? 2 : 1;
    }
    return word;
}

// Words for a shell, with a blank behind the runtime's.
std::string askScript(const std::string& runtime, const std::string& container) {
    return "image=$(timeout 10 " + runtime +
           "inspect --type container --format '{{.Image}} {{.Config.Image}}' -- " + container +
           ") || exit 0\n"
           "printf '%s\\n' \"$image\" | head -n 1\n"
           "timeout 10 " +
           runtime +
           "image inspect --format '{{json .RepoDigests}}' -- \"${image%% *}\" | head -n 1\nexit 0\n";
}

}  // namespace

std::optional<std::string> imageScript(const cluster::Node& node) {
    if (!node.image.empty()) {
        return cluster::containerScript(node) + askScript("\"$runtime\" ", "\"$name\"");
    }
    const Words& prefix = node.container;
    Word word = prefix.begin();
    if (word != prefix.end() && word->substr(word->rfind('/') + 1) == "sudo") {
        do {
            ++word;
        } while (word != prefix.end() && (*word == "-n" || *word == "-E"));
    }
    if (word == prefix.end() || !isRuntime(*word) || word + 1 == prefix.end() || *(word + 1) != "exec") {
        return std::nullopt;
    }
    const Word container = containerOf(word + 2, prefix.end());
    if (container == prefix.end()) {
        return std::nullopt;
    }
    std::string runtime;
    std::for_each(prefix.begin(), word + 1,
                  [&](const std::string& one) { runtime += shellQuote(one) + " "; });
    return askScript(runtime, shellQuote(*container));
}

Json imageFrom(std::string_view printed) {
    const auto lines = split(printed, '\n');
    const std::string_view first = trim(lines.front());
    const std::size_t space = first.find(' ');
    if (first.empty() || space == std::string_view::npos) {
        return {};
    }
    Json image{{"id", cleanUtf8(first.substr(0, std::min(space, longest)))},
               {"name", cleanUtf8(trim(first.substr(space)).substr(0, longest))},
               {"digests", Json::array()}};
    const auto digests = parseJson(lines.size() > 1 ? trim(lines[1]) : "", "digests");
    for (const Json& digest : digests && digests->is_array() ? *digests : Json::array()) {
        if (digest.is_string() && image["digests"].size() < digestsAtMost) {
            image["digests"].push_back(cleanUtf8(digest.get<std::string>().substr(0, longest)));
        }
    }
    return image;
}

}  // namespace dlperf::run
