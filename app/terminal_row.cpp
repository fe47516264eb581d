// SPDX-License-Identifier: Apache-2.0
#include "app/terminal_row.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/table.h"

namespace dlperf::app {
namespace {

constexpr std::string_view between = "  ";
constexpr std::size_t leastName = 5;

bool goesOn(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// So many columns of the beginning of a text, or of its end, in whole characters of UTF-8.
std::string firstColumns(const std::string& text, std::size_t columns) {
    std::size_t end = text.size();
    while (end > 0 && report::displayWidth(text.substr(0, end)) > columns) {
        do {
            --end;
        } while (end > 0 && goesOn(text[end]));
    }
    return text.substr(0, end);
}

std::string lastColumns(const std::string& text, std::size_t columns) {
    std::size_t begin = 0;
    while (begin < text.size() && report::displayWidth(text.substr(begin)) > columns) {
        do {
            ++begin;
        } while (begin < text.size() && goesOn(text[begin]));
    }
    return text.substr(begin);
}

std::string shortened(const std::string& name, std::size_t columns) {
    if (report::displayWidth(name) <= columns) {
        return name;
    }
    const std::size_t kept = columns - 1;  // and "…"
    return firstColumns(name, kept - kept / 2) + "\u2026" + lastColumns(name, kept / 2);
}

}  // namespace

std::size_t columnsOf(int terminal) {
    constexpr std::size_t usual = 80;
    winsize size{};
    return ::ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::string inColumns(const TerminalRow& row, std::size_t columns) {
    const auto widths = mapped(row.names, report::displayWidth);
    const auto taken = [&](std::size_t most) {
        std::size_t all = report::displayWidth(row.news) + between.size() * (row.names.size() - 1);
        for (const std::size_t width : widths) {
            all += std::min(width, most);
        }
        return all;
    };
    std::size_t most = std::max(leastName, columns);
    while (most > leastName && taken(most) > columns) {
        --most;
    }
    return join(mapped(row.names, [&](const std::string& name) { return shortened(name, most); }), between) +
           row.news + row.details;
}

std::string wholeText(const TerminalRow& row) {
    return join(row.names, between) + row.news + row.details;
}

std::string progressRow(const std::string& name, double fraction, const std::string& news,
                        std::size_t columns) {
    constexpr std::size_t wantedName = 20;
    for (const std::size_t width : {std::size_t{20}, std::size_t{10}}) {
        const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(width));
        const std::string bar = fmt::format(" [{:#>{}}{:.>{}}]", "", filled, "", width - filled);
        if (bar.size() + report::displayWidth(news) + wantedName <= columns) {
            return inColumns({{name}, fmt::format("{} {}", bar, news)}, columns);
        }
    }
    return inColumns({{name}, " " + news}, columns);
}

}  // namespace dlperf::app
