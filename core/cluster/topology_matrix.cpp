// SPDX-License-Identifier: Apache-2.0
#include "core/cluster/topology_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/terminal_escape.h"
#include "core/base/text.h"

namespace dlperf::cluster {
namespace {

constexpr std::size_t mostCellText = 12;
constexpr std::size_t mostName = 64;  // bytes of a device's name or affinity

using Cells = std::vector<std::string>;

std::string bounded(std::string_view text) {
    return cleanUtf8(text.substr(0, mostName));
}

// Blanks part the columns in two or more; a single one stands inside "CPU Affinity".
Cells splitAtBlanks(std::string_view line) {
    Cells cells;
    std::size_t begin = 0;
    while ((begin = line.find_first_not_of(' ', begin)) != std::string_view::npos) {
        const std::size_t end = std::min(line.find("  ", begin), line.size());
        cells.emplace_back(trim(line.substr(begin, end - begin)));
        begin = end;
    }
    return cells;
}

Cells splitLine(const std::string& line, bool tabs) {
    if (!tabs) {
        return splitAtBlanks(line);
    }
    Cells cells;
    for (const std::string_view cell : split(line, '\t')) {
        cells.emplace_back(trim(cell));
    }
    return cells;
}

LinkCell parseLink(const std::string& text) {
    constexpr std::array<std::pair<std::string_view, Link>, 7> words{{{"X", Link::Self},
                                                                      {"PIX", Link::Pix},
                                                                      {"PXB", Link::Pxb},
                                                                      {"PHB", Link::Phb},
                                                                      {"NODE", Link::Node},
                                                                      {"SYS", Link::Sys},
                                                                      {"SOC", Link::Sys}}};
    LinkCell cell{Link::Other, 0, cleanUtf8(text).substr(0, mostCellText)};
    for (const auto& [word, link] : words) {
        if (text == word) {
            cell.link = link;
        }
    }
    if (text.starts_with("NV")) {
        if (const auto count = toInt(std::string_view(text).substr(2)); count && *count > 0) {
            cell.link = Link::NvLink;
            cell.nvLinks = *count;
        }
    }
    return cell;
}

bool isAffinity(const std::string& title) {
    return title.find("Affinity") != std::string::npos || title.find("NUMA") != std::string::npos;
}

struct Lines {
    std::vector<std::string> all;
    std::size_t header = 0;
    bool tabs = false;
};

// The header is the first line that names GPU0 and does not begin with it.
Result<Lines> findHeader(std::string_view printed) {
    Lines lines;
    std::string plain;
    for (const std::string_view line : split(printed, '\n')) {  // underlined, even into a pipe
        std::string_view text = analysis::withoutEscapes(line, plain);
        text.remove_suffix(text.ends_with('\r') ? 1 : 0);
        lines.all.emplace_back(text);
    }
    const auto header = std::ranges::find_if(lines.all, [](const std::string& line) {
        const std::string_view text = trim(line);
        return text.starts_with("GPU0") && !line.starts_with("GPU0");
    });
    if (header == lines.all.end()) {
        return fail("there is no topology matrix", "nvidia-smi topo -m",
                    "It needs NVIDIA GPUs and their driver.");
    }
    lines.header = static_cast<std::size_t>(header - lines.all.begin());
    lines.tabs = trim(*header).find('\t') != std::string_view::npos;
    return lines;
}

void readRow(TopologyMatrix& matrix, std::size_t row, const Cells& cells) {
    const std::size_t count = matrix.devices.size();
    for (std::size_t i = 0; i < count; ++i) {
        matrix.cells[row].push_back(parseLink(i + 1 < cells.size() ? cells[i + 1] : std::string()));
    }
    const auto after = [&](std::size_t offset) {
        return count + offset < cells.size() ? bounded(cells[count + offset]) : std::string();
    };
    matrix.devices[row].cpuAffinity = after(1);
    matrix.devices[row].numaAffinity = after(2);
}

// "  NIC0: mlx5_10" below "NIC Legend:".
void readAdapter(TopologyMatrix& matrix, std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
        return;
    }
    const auto device = std::ranges::find(matrix.devices, trim(line.substr(0, colon)), &TopologyDevice::name);
    if (device != matrix.devices.end() && !device->isGpu()) {
        device->adapter = bounded(trim(line.substr(colon + 1)));
    }
}

}  // namespace

Result<TopologyMatrix> parseTopologyMatrix(std::string_view printed) {
    const auto lines = TRY(findHeader(printed));
    TopologyMatrix matrix;
    for (const std::string& title : splitLine(lines.all[lines.header], lines.tabs)) {
        if (isAffinity(title)) {
            break;
        }
        if (!title.empty()) {
            matrix.devices.push_back({bounded(title), {}, {}, {}});
        }
    }
    if (matrix.devices.size() > mostTopologyDevices) {
        return fail(fmt::format("the topology matrix has {} columns", matrix.devices.size()),
                    "nvidia-smi topo -m", fmt::format("At most {} are read.", mostTopologyDevices));
    }
    matrix.cells.resize(matrix.devices.size());
    for (std::size_t i = lines.header + 1; i < lines.all.size(); ++i) {
        const Cells cells = splitLine(lines.all[i], lines.tabs);
        const auto row = cells.empty()
                             ? matrix.devices.end()
                             : std::ranges::find(matrix.devices, cells.front(), &TopologyDevice::name);
        const auto index = static_cast<std::size_t>(row - matrix.devices.begin());
        if (row != matrix.devices.end() && matrix.cells[index].empty()) {
            readRow(matrix, index, cells);
        } else {
            readAdapter(matrix, lines.all[i]);
        }
    }
    const auto missing = std::ranges::find_if(matrix.cells, [](const auto& row) { return row.empty(); });
    if (missing != matrix.cells.end()) {
        const auto index = static_cast<std::size_t>(missing - matrix.cells.begin());
        return fail(fmt::format("the topology matrix has no row for {}", matrix.devices[index].name),
                    "nvidia-smi topo -m", "Run it again; its output was cut.");
    }
    return matrix;
}

std::string toText(const TopologyMatrix& matrix) {
    std::size_t width = 4;
    for (const TopologyDevice& device : matrix.devices) {
        width = std::max(width, device.title().size());
    }
    std::string text = fmt::format("{:{}}", "", width);
    for (const TopologyDevice& device : matrix.devices) {
        text += fmt::format("  {:{}}", device.title(), width);
    }
    text += "  CPU cores\n";
    for (std::size_t row = 0; row < matrix.devices.size(); ++row) {
        text += fmt::format("{:{}}", matrix.devices[row].title(), width);
        for (const LinkCell& cell : matrix.cells[row]) {
            text += fmt::format("  {:{}}", cell.text, width);
        }
        text += "  " + matrix.devices[row].cpuAffinity;
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

}  // namespace dlperf::cluster
