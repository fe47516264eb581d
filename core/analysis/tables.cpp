// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "core/analysis/format_row.h"

namespace dlperf::analysis {
namespace {

constexpr std::size_t columnCount = 8;
using Row = std::array<std::string, columnCount>;

Row headings(const Analysis& analysis) {
    return {"model",
            "num_nodes",
            "gpu_num_per_node",
            "batch_size_per_device",
            "runs",
            "average",
            "median " + analysis.format->unit,
            "speedup"};
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : std::string();
}

std::vector<Row> rows(const Analysis& analysis) {
    std::vector<Row> result;
    for (const ModelSummary& model : analysis.models) {
        std::vector<const CaseSummary*> cases;
        for (const CaseSummary& summary : model.cases) {
            cases.push_back(&summary);
        }
        std::stable_sort(cases.begin(), cases.end(), [](const CaseSummary* a, const CaseSummary* b) {
            const auto order = [](const CaseSummary& one) {
                return std::tuple(-one.shape.batchSize, one.shape.topology.nodes, one.shape.topology.devices);
            };
            return order(*a) < order(*b);
        });
        for (const CaseSummary* one : cases) {
            result.push_back({model.name, std::to_string(one->shape.topology.nodes),
                              std::to_string(one->shape.topology.devices),
                              std::to_string(one->shape.batchSize), std::to_string(one->fold.count),
                              number(one->fold.average), number(one->fold.median), number(one->speedup)});
        }
    }
    return result;
}

std::string markdownCell(const std::string& text) {
    std::string cell;
    for (const char c : text) {
        if (c == '|') cell += '\\';
        cell += c == '\n' ? ' ' : c;
    }
    return cell;
}

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string cell(1, '"');
    for (const char c : text) {
        if (c == '"') cell.push_back(c);
        cell.push_back(c);
    }
    cell.push_back('"');
    return cell;
}

std::string markdownLine(const Row& row) {
    std::string line = "|";
    for (const std::string& cell : row) {
        line += fmt::format(" {} |", markdownCell(cell));
    }
    return line + "\n";
}

std::string csvLine(const Row& row) {
    std::string line;
    for (const std::string& cell : row) {
        if (&cell != &row.front()) line += ',';
        line += csvCell(cell);
    }
    return line + "\n";
}

}  // namespace

std::string toMarkdown(const Analysis& analysis) {
    Row dashes;
    dashes.fill("---");
    std::string table = markdownLine(headings(analysis)) + markdownLine(dashes);
    for (const Row& row : rows(analysis)) {
        table += markdownLine(row);
    }
    return table;
}

std::string toCsv(const Analysis& analysis) {
    std::string table = csvLine(headings(analysis));
    for (const Row& row : rows(analysis)) {
        table += csvLine(row);
    }
    return table;
}

std::string toText(const Analysis& analysis) {
    std::vector<Row> lines = rows(analysis);
    lines.insert(lines.begin(), headings(analysis));
    std::array<std::size_t, columnCount> widths{};
    for (const Row& row : lines) {
        for (std::size_t i = 0; i < columnCount; ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string table;
    for (const Row& row : lines) {
        std::string line = fmt::format("{:<{}}", row[0], widths[0]);
        for (std::size_t i = 1; i < columnCount; ++i) {
            line += fmt::format("  {:>{}}", row[i].empty() ? "-" : row[i], widths[i]);
        }
        table += line + "\n";
    }
    return table;
}

}  // namespace dlperf::analysis
