// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/fold_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

constexpr std::size_t longestNumber = 18;  // digits

// "node07.lab" in three; a name without a number is all `before`.
struct NameParts {
    std::string before;
    std::string number;
    std::string after;
};

NameParts partsOf(const std::string& name) {
    const auto end = std::find_if(name.rbegin(), name.rend(), isDigit).base();
    const auto begin = std::find_if_not(std::make_reverse_iterator(end), name.rend(), isDigit).base();
    const auto digits = static_cast<std::size_t>(end - begin);
    return digits == 0 || digits > longestNumber
               ? NameParts{name, {}, {}}
               : NameParts{{name.begin(), begin}, {begin, end}, {end, name.end()}};
}

std::uint64_t valueOf(const std::string& number) {
    std::uint64_t value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    return value;
}

// "1-3,7" of numbers that are written with equally many digits, or without leading zeros.
std::string ranges(std::vector<std::string> numbers) {
    std::ranges::sort(numbers, {},
                      [](const std::string& one) { return std::pair(valueOf(one), one.size()); });
    std::string text;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && valueOf(numbers[last + 1]) == valueOf(numbers[last]) + 1) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + numbers[first] + (last > first ? "-" + numbers[last] : "");
        first = last + 1;
    }
    return text;
}

// A summary with its numbers taken out: texts around them, and them. An address is no number: it is one text
// for all.
struct Masked {
    std::string key;
    std::vector<std::string> texts;  // one more than there are numbers
    std::vector<std::string> numbers;
};

Masked maskedSummary(const std::string& summary) {
    Masked masked{{}, {""}, {}};
    for (std::size_t i = 0; i < summary.size();) {
        if (!isDigit(summary[i])) {
            masked.texts.back() += summary[i];
            masked.key += summary[i++];
            continue;
        }
        const std::size_t end = std::min(summary.find_first_not_of("0123456789.", i), summary.size());
        std::string run = summary.substr(i, end - i);
        while (run.back() == '.') {
            run.pop_back();
        }
        i += run.size();
        masked.key += '\1';
        if (std::ranges::count(run, '.') > 1) {
            masked.texts.back() += run;
        } else {
            masked.numbers.push_back(std::move(run));
            masked.texts.emplace_back();
        }
    }
    return masked;
}

double numeric(const std::string& number) {
    double value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    return value;
}

struct Group {
    FoldedCheck folded;
    std::vector<std::string> texts;
    std::vector<std::pair<std::string, std::string>> bounds;  // of each number

    void add(const std::string& node, const Masked& masked) {
        folded.nodes.push_back(node);
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            auto& [least, most] = bounds[i];
            least = numeric(masked.numbers[i]) < numeric(least) ? masked.numbers[i] : least;
            most = numeric(masked.numbers[i]) > numeric(most) ? masked.numbers[i] : most;
        }
    }

    FoldedCheck said() && {
        std::string summary = texts.front();
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            const auto& [least, most] = bounds[i];
            summary += least == most ? least : fmt::format("{} to {}", least, most);
            summary += texts[i + 1];
        }
        folded.check.summary = std::move(summary);
        return std::move(folded);
    }
};

}  // namespace

std::string foldNames(const std::vector<std::string>& names) {
    // Numbers with leading zeros fold with those of their own length alone.
    std::map<std::tuple<std::string, std::string, std::size_t>, std::vector<std::string>> sets;
    for (const std::string& name : names) {
        auto [before, number, after] = partsOf(name);
        const std::size_t width = number.starts_with('0') && number.size() > 1 ? number.size() : 0;
        sets[{std::move(before), std::move(after), width}].push_back(std::move(number));
    }
    // "08" and "10" are of one list.
    for (auto& [key, numbers] : sets) {
        const std::size_t digits = std::get<2>(key);
        const auto plain = sets.find({std::get<0>(key), std::get<1>(key), 0});
        if (digits > 0 && plain != sets.end()) {
            const auto fits = [digits](const std::string& number) { return number.size() == digits; };
            std::ranges::copy_if(plain->second, std::back_inserter(numbers), fits);
            std::erase_if(plain->second, fits);
        }
    }
    std::vector<std::string> texts;
    for (const auto& [key, numbers] : sets) {
        const auto& [before, after, width] = key;
        if (numbers.size() == 1) {
            texts.push_back(fmt::format("{}{}{}", before, numbers.front(), after));
        } else if (!numbers.empty()) {
            texts.push_back(fmt::format("{}[{}]{}", before, ranges(numbers), after));
        }
    }
    return join(texts, ", ");
}

std::vector<FoldedCheck> foldChecks(const std::vector<std::pair<std::string, std::vector<Check>>>& ofNodes) {
    std::vector<std::string> titles;
    std::map<std::string, std::vector<std::pair<std::string, Group>>> groups;  // by title, then by key
    for (const auto& [node, checks] : ofNodes) {
        for (const Check& check : checks) {
            auto& ofTitle = groups[check.title];
            if (ofTitle.empty()) {
                titles.push_back(check.title);
            }
            Masked masked = maskedSummary(check.summary);
            masked.key += static_cast<char>('0' + static_cast<int>(check.verdict));
            auto known = std::ranges::find(ofTitle, masked.key, &std::pair<std::string, Group>::first);
            if (known == ofTitle.end()) {
                Group group{{check, {}}, masked.texts, {}};
                for (const std::string& number : masked.numbers) {
                    group.bounds.emplace_back(number, number);
                }
                known = ofTitle.insert(ofTitle.end(), {masked.key, std::move(group)});
            }
            known->second.add(node, masked);
        }
    }
    std::vector<FoldedCheck> folded;
    for (const std::string& title : titles) {
        for (auto& [key, group] : groups[title]) {
            folded.push_back(std::move(group).said());
        }
    }
    return folded;
}

}  // namespace dlperf::cluster
