// SPDX-License-Identifier: Apache-2.0
#include "core/base/translation.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/base/catalog_zh_cn.h"
#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/base/text.h"

namespace dlperf {
namespace {

// What stands inside of a text inside of a text may be translated too: "… failed: 2 of 3 nodes …".
constexpr int deepest = 10;
constexpr std::size_t mostBytes = 100'000;  // looked up for one text: hostile ones fit many patterns at once
constexpr std::size_t fewLetters = 12;
constexpr std::size_t fewestLetters = 4;  // " of "
constexpr std::size_t mostSentences = 4;  // of one text of the catalog
constexpr std::size_t longest = 4'096;    // bytes; longer texts are logs and scripts, and stay

// Behind this, and between quotation marks, stands what another program printed: nobody's to translate.
constexpr std::string_view printedBehind = "its last line: ";

// Where the printed words begin, with the words that announce them; its end where there are none.
std::size_t beginOfPrinted(std::string_view text) {
    return std::min(text.find(printedBehind), text.size());
}

// "\"{}\"", "its last line: {}"
bool isPrinted(const std::vector<std::string>& pieces, std::size_t word) {
    return (pieces[word].ends_with('"') && pieces[word + 1].starts_with('"')) ||
           pieces[word].ends_with(printedBehind);
}

std::vector<std::string> piecesOf(std::string_view pattern) {
    std::vector<std::string> pieces(1);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern.substr(i, 2) == "{}") {
            pieces.emplace_back();
            ++i;
        } else {
            pieces.back() += pattern[i];
        }
    }
    return pieces;
}

bool goesOverAnEnd(std::string_view word, bool isBrief) {
    const auto has = [&](std::string_view end) { return word.find(end) != std::string_view::npos; };
    return has("\n") || has(". ") || word.ends_with('.') ||
           (isBrief && (has(": ") || has("; ") || has(", ")));
}

// Where a text begins with a name or a number, what stands before a colon is another part: "1n2g: 16.80 on
// 1n1g". Only behind a colon, a bracket or a quotation mark anything may have been said, with semicolons too.
bool goesOverAPart(std::string_view word, std::string_view before) {
    const bool mayBeSaid = before.ends_with(": ") || before.ends_with('(') || before.ends_with('"');
    return (before.empty() && (word.find(": ") != std::string_view::npos || word.ends_with(':'))) ||
           (!mayBeSaid && word.find("; ") != std::string_view::npos);
}

// "{} runs", "{} campaigns": how many, and no sentence before.
bool isCount(const std::vector<std::string>& pieces) {
    return pieces.size() == 2 && pieces.front().empty() && pieces.back().starts_with(' ') &&
           pieces.back().find(' ', 1) == std::string::npos;
}

// What stands for each {}, or nothing where the text is another one. No word goes over a sentence's end;
// those of a pattern of few letters ("{} of {}"), which fits many a text, over no part's end.
std::optional<std::vector<std::string_view>> wordsOf(const std::vector<std::string>& pieces, bool isBrief,
                                                     std::string_view text) {
    if (!text.starts_with(pieces.front())) {
        return std::nullopt;
    }
    std::vector<std::string_view> words;
    std::size_t begin = pieces.front().size();
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const std::string& piece = pieces[i];
        const bool isLast = i + 1 == pieces.size();
        std::size_t end = piece.empty() ? text.size() : text.find(piece, begin);
        if (isLast) {
            end = text.ends_with(piece) ? text.size() - piece.size() : std::string_view::npos;
        }
        if (end == std::string_view::npos || end < begin) {
            return std::nullopt;
        }
        words.push_back(text.substr(begin, end - begin));
        if (!isPrinted(pieces, i - 1) &&
            (goesOverAnEnd(words.back(), isBrief) || goesOverAPart(words.back(), pieces[i - 1]))) {
            return std::nullopt;
        }
        begin = end + piece.size();
    }
    const std::string_view count = words.empty() ? std::string_view() : words.front();
    if (isCount(pieces) && (count.find(' ') != std::string_view::npos || count.ends_with(','))) {
        return std::nullopt;  // "34 runs of 7" campaigns, "dlperf-worker," images/s
    }
    return words;
}

// "batch size 2)" is half of a bracket.
bool closesAll(std::string_view text) {
    return std::ranges::count(text, '(') == std::ranges::count(text, ')');
}

// Of what is printed, and of an odd number of quotation marks, nothing is parted there.
std::vector<std::string> partsOf(std::string_view text, std::string_view joint) {
    std::vector<std::string> parts;
    const bool hasQuotes = std::ranges::count(text, '"') % 2 == 0;
    const std::size_t printed = beginOfPrinted(text);
    bool isQuoted = false;
    std::size_t begin = 0;
    std::size_t seen = 0;
    for (std::size_t at = text.find(joint); at < printed; at = text.find(joint, seen + 1)) {
        const auto marks = std::ranges::count(text.substr(seen, at - seen), '"');
        isQuoted = isQuoted != (hasQuotes && marks % 2 == 1);
        seen = at;
        if (isQuoted) {
            continue;
        }
        if (joint == ": " && !parts.empty()) {
            break;
        }
        parts.emplace_back(text.substr(begin, at - begin));
        begin = at + joint.size();
    }
    parts.emplace_back(text.substr(begin));
    return parts;
}

// The same without those that end within a bracket: "PyTorch (ResNet50 v1.5, fp32), 1n2g" has two.
std::vector<std::string> partsBetweenBrackets(std::string_view text, std::string_view joint) {
    std::vector<std::string> parts = partsOf(text, joint);
    if (!closesAll(text)) {
        return parts;
    }
    std::vector<std::string> whole;
    for (std::string& part : parts) {
        if (whole.empty() || closesAll(whole.back())) {
            whole.push_back(std::move(part));
        } else {
            whole.back() += std::string(joint) + part;
        }
    }
    return whole;
}

// Some sentences that partsOf(text, ". ") gave, with their full stops again.
std::string joined(const std::vector<std::string>& sentences, std::size_t first, std::size_t count) {
    std::string text;
    for (std::size_t i = first; i < first + count; ++i) {
        text += (i == first ? "" : " ") + sentences[i] + (i + 1 < sentences.size() ? "." : "");
    }
    return text;
}

// A name of one word is the user's own, whatever word it is. A unit is none: images/s.
bool mayBeWords(std::string_view text) {
    return text.find_first_of(" /") != std::string_view::npos;
}

// "After" is the heading of a column; behind a comma, as in "PyTorch, 1n1g, After", it is somebody's name.
bool isHeading(std::string_view text) {
    return !text.empty() && text.front() >= 'A' && text.front() <= 'Z' &&
           text.find(' ') == std::string_view::npos;
}

bool isFigure(char c) {
    return c >= '0' && c <= '9';
}

// "n1", "79 GB". Between other words "{} on {}" is somebody's own sentence.
bool isNameOrNumber(std::string_view text) {
    return text.find(' ') == std::string_view::npos || isFigure(text.front());
}

// "2.7.3", "79 GB", "−8.7 %".
bool beginsWithANumber(std::string_view text) {
    for (const std::string_view sign : {"+", "-", "\u2212"}) {
        if (text.starts_with(sign)) {
            text.remove_prefix(sign.size());
            break;
        }
    }
    return !text.empty() && isFigure(text.front());
}

// Of the characters from U+4000 to U+9FFF, which Chinese words are made of.
bool isHan(std::string_view character) {
    return character.size() == 3 && character.front() >= '\xE4' && character.front() <= '\xE9';
}

std::string_view lastBytes(std::string_view text) {
    return text.substr(text.size() - std::min<std::size_t>(3, text.size()));
}

// The blanks of "由 {} 取消" are for Latin words: between two Chinese ones there is none.
void addSpaced(std::string& text, std::string_view more) {
    const std::string_view before(text);
    if (more.starts_with(' ') && isHan(more.substr(1, 3)) && isHan(lastBytes(before))) {
        more.remove_prefix(1);
    } else if (before.ends_with(' ') && isHan(more.substr(0, 3)) &&
               isHan(lastBytes(before.substr(0, before.size() - 1)))) {
        text.pop_back();
    }
    text += more;
}

struct Joint {
    std::string_view english;
    std::string_view chinese;
};

// Within a sentence, in the order in which it falls apart.
constexpr std::array ends{Joint{".", "。"}, Joint{":", "："}};
constexpr std::array joints{Joint{"; ", "；"}, Joint{": ", "："}, Joint{", ", "，"}};

}  // namespace

// How deep a look-up is in the text, and what is left of its bytes.
struct Translation::Effort {
    int depth = 0;
    std::size_t* bytes = nullptr;
    [[nodiscard]] Effort deeper() const { return {depth + 1, bytes}; }
};

Result<Translation> Translation::read(std::string_view catalog, const std::string& where) {
    const Json json = TRY(parseJson(catalog, where));
    if (!json.is_object()) {
        return fail("is not a JSON object", where, "Write {\"english\": \"translated\"}.");
    }
    Translation translation;
    for (const auto& [english, translated] : json.items()) {
        if (!translated.is_string() && !translated.is_null()) {
            return fail("\"" + english + "\" must have a text or null", where, {});
        }
        if (translated.is_null()) {
            continue;
        }
        auto pieces = piecesOf(english);
        if (pieces.size() == 1) {
            translation.whole_.emplace(english, translated.get<std::string>());
            continue;
        }
        Pattern pattern{std::move(pieces), translated.get<std::string>()};
        for (const std::string& piece : pattern.pieces) {
            pattern.letters += piece.size();
        }
        translation.patterns_.push_back(std::move(pattern));
    }
    std::ranges::stable_sort(translation.patterns_, std::greater<>(), [](const Pattern& pattern) {
        return std::pair(pattern.letters, pattern.pieces.size());
    });
    return translation;
}

const Translation& Translation::to(std::string_view language) {
    static const Translation english;
    static const Translation chinese = read(catalogZhCn, "zh_CN.json").value_or(Translation());
    return language.starts_with("zh") ? chinese : english;
}

std::string Translation::operator()(std::string_view text) const {
    std::size_t bytes = mostBytes;
    return isEnglish() || text.size() > longest ? std::string(text) : lookUp(text, {0, &bytes});
}

std::string Translation::part(std::string_view text) const {
    return isHeading(text) ? std::string(text) : (*this)(text);
}

// Blanks around a text are its caller's.
std::string Translation::lookUp(std::string_view text, Effort effort) const {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) {
        return std::string(text);
    }
    const std::size_t end = text.find_last_not_of(' ') + 1;
    return std::string(text.substr(0, begin)) + lookUpWords(text.substr(begin, end - begin), effort) +
           std::string(text.substr(end));
}

std::string Translation::lookUpWords(std::string_view text, Effort effort) const {
    auto translated = known(text, effort);
    return translated                ? *std::move(translated)
           : effort.depth == deepest ? std::string(text)
                                     : byLines(text, effort);
}

std::optional<std::string> Translation::known(std::string_view text, Effort effort) const {
    if (const auto found = whole_.find(std::string(text)); found != whole_.end()) {
        return found->second;
    }
    if (effort.depth == deepest || *effort.bytes < text.size()) {
        return std::nullopt;
    }
    *effort.bytes -= text.size();
    const auto isKnown = [&](std::string_view word) { return lookUp(word, effort.deeper()) != word; };
    const auto isOurs = [&](std::string_view word) { return isNameOrNumber(word) || isKnown(word); };
    for (const Pattern& pattern : patterns_) {
        const bool isBrief = pattern.letters < fewLetters;
        const auto words = wordsOf(pattern.pieces, isBrief, text);
        // "2 of 3" is a text of ours, "out of memory" is none, and "ResNet50 on this machine" somebody's
        // name.
        const auto countsSomething = [&] {
            return pattern.letters > fewestLetters ||
                   (std::ranges::any_of(text, isFigure) &&
                    (beginsWithANumber(words->front()) || isKnown(words->front())));
        };
        if (words && (!isBrief || (countsSomething() && std::ranges::all_of(*words, isOurs)))) {
            return filled(pattern, *words, effort);
        }
    }
    return std::nullopt;
}

std::string Translation::byLines(std::string_view text, Effort effort) const {
    if (text.find('\n') == std::string_view::npos) {
        return bySentences(text, effort);
    }
    const auto lines =
        mapped(split(text, '\n'), [&](std::string_view line) { return lookUp(line, effort.deeper()); });
    return join(lines, "\n");
}

// As many sentences at once as the catalog has in one text. Each place is looked at a bounded number of
// times: texts may be hostile.
std::string Translation::bySentences(std::string_view text, Effort effort) const {
    const std::vector<std::string> sentences = partsOf(text, ". ");
    if (sentences.size() == 1) {
        return byParts(text, effort);
    }
    std::string translated;
    for (std::size_t i = 0; i < sentences.size();) {
        std::size_t count = std::min(mostSentences, sentences.size() - i);
        std::optional<std::string> found;
        for (; count > 1 && !found; count -= found ? 0 : 1) {
            found = known(joined(sentences, i, count), effort);
        }
        const std::string one = found ? *found : lookUp(joined(sentences, i, 1), effort.deeper());
        translated += (translated.ends_with('.') ? " " : "") + one;
        i += found ? count : 1;
    }
    return translated;
}

std::string Translation::joint(std::string_view english) const {
    const auto found = std::ranges::find(joints, english, &Joint::english);
    return std::string(isEnglish() || found == joints.end() ? english : found->chinese);
}

std::string Translation::byParts(std::string_view text, Effort effort) const {
    for (const auto& [english, chinese] : ends) {
        if (text.ends_with(english) && beginOfPrinted(text) == text.size()) {
            const std::string_view sentence = text.substr(0, text.size() - english.size());
            const std::string translated = lookUp(sentence, effort.deeper());
            return translated == sentence ? std::string(text) : translated + std::string(chinese);
        }
    }
    for (const auto& [english, chinese] : joints) {
        const auto parts = partsBetweenBrackets(text, english);  // of ": " two: what a system says stays
        if (parts.size() > 1) {
            auto translated =
                mapped(parts, [&](const std::string& part) { return lookUp(part, effort.deeper()); });
            for (std::size_t i = 1; i < parts.size() && english == ", "; ++i) {
                translated[i] = isHeading(parts[i]) ? parts[i] : translated[i];
            }
            return join(translated, translated == parts ? english : chinese);
        }
    }
    return byBracket(text, effort);
}

// "unknown (MXNet examples; PaddleClas)"
std::string Translation::byBracket(std::string_view text, Effort effort) const {
    const std::size_t open = text.find(" (");
    if (open == std::string_view::npos || !text.ends_with(')')) {
        return std::string(text);
    }
    const std::string_view before = text.substr(0, open);
    const std::string_view within = text.substr(open + 2, text.size() - open - 3);
    const std::string outer = lookUp(before, effort.deeper());
    const std::string inner = mayBeWords(within) ? lookUp(within, effort.deeper()) : std::string(within);
    return outer == before && inner == within ? std::string(text) : outer + "（" + inner + "）";
}

std::string Translation::filled(const Pattern& pattern, const std::vector<std::string_view>& words,
                                Effort effort) const {
    const auto wordAt = [&](std::size_t i) {
        const std::string_view word = i < words.size() ? words[i] : std::string_view();
        const bool isOurs = mayBeWords(word) && !(i < words.size() && isPrinted(pattern.pieces, i));
        return isOurs ? lookUp(word, effort.deeper()) : std::string(word);
    };
    std::string text;
    std::string piece;
    std::size_t next = 0;
    const std::string& translated = pattern.translated;
    for (std::size_t i = 0; i < translated.size(); ++i) {
        const std::size_t end = translated[i] == '{' ? translated.find('}', i) : std::string::npos;
        const std::string_view number =
            end == std::string::npos ? "-" : std::string_view(translated).substr(i + 1, end - i - 1);
        if (!std::ranges::all_of(number, isFigure)) {
            piece += translated[i];
            continue;
        }
        addSpaced(text, piece);
        piece.clear();
        addSpaced(text,
                  wordAt(number.empty() ? next++ : static_cast<std::size_t>(toInt(number).value_or(0))));
        i = end;
    }
    addSpaced(text, piece);
    return text;
}

std::string languageOfTerminal() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    std::string locale;
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        locale = locale.empty() ? variable(name) : locale;
    }
    const std::string languages = variable("LANGUAGE");
    const bool isPlain = locale.empty() || locale == "C" || locale == "POSIX" || locale.starts_with("C.");
    return isPlain || languages.empty() ? locale : std::string(split(languages, ':').front());
}

}  // namespace dlperf
