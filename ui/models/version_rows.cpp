// SPDX-License-Identifier: Apache-2.0
#include "ui/models/version_rows.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

namespace dlperf::ui {
namespace {

constexpr std::size_t rowsAtMost = 5000;
constexpr int longestVersion = 400;

QString tr(const char* text) {
    return QCoreApplication::translate("dlperf::ui::VersionRows", text);
}

// Remote text: one line, and not endless.
QString word(const std::string& text) {
    return QString::fromStdString(text).simplified().left(longestVersion);
}

class Rows {
public:
    void add(const QString& part, const QString& version, const std::string& node) {
        if (version.isEmpty()) {
            return;
        }
        const QString name = QString::fromStdString(node);
        const auto same = std::ranges::find_if(
            rows_, [&](const VersionRow& row) { return row.part == part && row.version == version; });
        if (same != rows_.end()) {
            same->nodes += QStringLiteral(", ") + name;
        } else if (rows_.size() < rowsAtMost) {
            rows_.push_back({part, version, name});
        }
    }
    [[nodiscard]] std::vector<VersionRow> take() { return std::move(rows_); }

private:
    std::vector<VersionRow> rows_;
};

Json listOf(const Json& json, const char* field) {
    const Json list = json.is_object() ? json.value(field, Json::array()) : Json::array();
    return list.is_array() ? list : Json::array();
}

void addMachine(Rows& rows, const std::string& node, const Json& ofNode) {
    const std::pair<QString, const char*> parts[] = {
        {tr("Kernel"), "kernel"}, {tr("C library"), "libc"}, {tr("Driver"), "driver"}, {tr("CUDA"), "cuda"},
        {tr("NCCL"), "nccl"},     {tr("MPI"), "mpi"},        {tr("Python"), "python"}};
    for (const auto& [part, field] : parts) {
        rows.add(part, word(textOf(ofNode, field)), node);
    }
}

void addImage(Rows& rows, const std::string& node, const Json& ofNode) {
    const Json image = ofNode.value("image", Json());
    rows.add(tr("Image"), word(textOf(image, "name")), node);
    rows.add(tr("Image id"), word(textOf(image, "id")), node);
    for (const Json& digest : listOf(image, "digests")) {
        rows.add(tr("Image digest"), digest.is_string() ? word(digest.get<std::string>()) : QString(), node);
    }
}

bool isChanged(const Json& checkout) {
    return checkout.is_object() && checkout.value("dirty", Json()) == Json(true);
}

void addCheckouts(Rows& rows, const std::string& node, const Json& ofNode) {
    for (const Json& checkout : listOf(ofNode, "repositories")) {
        const QString commit = word(textOf(checkout, "commit"));
        rows.add(tr("Checkout %1").arg(word(textOf(checkout, "path"))),
                 isChanged(checkout) ? tr("%1, with changes").arg(commit) : commit, node);
    }
}

// By name, so that nodes that differ stand below each other.
void addPackages(Rows& rows, const run::NodeVersions& versions) {
    std::vector<std::pair<QString, std::pair<QString, std::string>>> packages;
    for (const auto& [node, ofNode] : versions) {
        for (const Json& item : listOf(ofNode, "packages")) {
            const QString line = item.is_string() ? word(item.get<std::string>()) : QString();
            const auto at = line.indexOf(QLatin1String("=="));
            packages.push_back(at < 0 ? std::pair{line.section(QLatin1Char(' '), 0, 0),
                                                  std::pair{line.section(QLatin1Char(' '), 1), node}}
                                      : std::pair{line.left(at), std::pair{line.mid(at + 2), node}});
        }
    }
    std::ranges::stable_sort(packages, [](const auto& a, const auto& b) {
        return QString::compare(a.first, b.first, Qt::CaseInsensitive) < 0;
    });
    for (const auto& [name, found] : packages) {
        rows.add(name, found.first, found.second);
    }
}

}  // namespace

std::vector<VersionRow> versionRows(const run::NodeVersions& versions) {
    Rows rows;
    using Add = void (*)(Rows&, const std::string&, const Json&);
    for (const Add add : {&addMachine, &addImage, &addCheckouts}) {
        for (const auto& [node, ofNode] : versions) {
            add(rows, node, ofNode);
        }
    }
    addPackages(rows, versions);
    return rows.take();
}

QString changesText(const run::NodeVersions& versions) {
    QStringList parts;
    for (const auto& [node, ofNode] : versions) {
        for (const Json& checkout : listOf(ofNode, "repositories")) {
            const QString diff = QString::fromStdString(textOf(checkout, "diff"));
            const QString part =
                QStringLiteral("# ") + word(textOf(checkout, "path")) + QLatin1Char('\n') + diff;
            if (!diff.isEmpty() && !parts.contains(part)) {
                parts << part;
            }
        }
    }
    return parts.join(QLatin1Char('\n'));
}

}  // namespace dlperf::ui
