// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/copy_button.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QStringList>
#include <QTableView>
#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/mapped.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

struct CopyTexts {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::CopyTexts)
};

std::string csvOf(const report::Table& table) {
    return report::toCsv(report::withoutDashes(table));
}

}  // namespace

QPushButton* makeCopyButton(std::function<report::Table()> table, std::function<report::Table()> figures) {
    QPushButton* button = makeSmallButton(CopyTexts::tr("Copy as"), QStringLiteral("copy"));
    auto* menu = new QMenu(button);
    const auto add = [&](const QString& kind, std::string (*write)(const report::Table&),
                         const std::function<report::Table()>& from) {
        menu->addAction(kind, button, [from, write] { copyText(QString::fromStdString(write(from()))); });
    };
    add(CopyTexts::tr("Markdown"), report::toMarkdown, table);
    add(CopyTexts::tr("CSV"), csvOf, figures ? figures : table);
    add(CopyTexts::tr("HTML"), report::toHtml, table);
    add(CopyTexts::tr("LaTeX"), report::toLatex, table);
    button->setMenu(menu);
    return button;
}

void copyCells(const report::Table& table) {
    QString text;
    for (const auto& row : table.rows) {
        QStringList cells;
        for (const report::TableCell& cell : row) {
            cells << QString::fromStdString(cell.text).simplified();
        }
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    auto copied = std::make_unique<QMimeData>();
    copied->setText(text);
    copied->setHtml(QString::fromStdString(report::toHtml(table)));
    QGuiApplication::clipboard()->setMimeData(copied.release());
}

QAction* addCopyRows(QTableView& table, std::function<report::Table(const std::vector<int>& rows)> tableOf) {
    auto* copy = new QAction(CopyTexts::tr("Copy"), &table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QAction::triggered, &table, [&table, tableOf = std::move(tableOf)] {
        auto rows = mapped(table.selectionModel()->selectedRows(), &QModelIndex::row);
        std::ranges::sort(rows);  // as shown, not as selected
        copyCells(tableOf(rows));
    });
    table.addAction(copy);
    return copy;
}

Result<std::string> tableFile(const report::Table& table, const QString& ending) {
    if (ending == QLatin1String("xlsx")) {
        return report::toSpreadsheet(table, CopyTexts::tr("Results").toStdString());
    }
    return ending == QLatin1String("csv")    ? csvOf(table)
           : ending == QLatin1String("md")   ? report::toMarkdown(table)
           : ending == QLatin1String("html") ? report::toHtml(table)
                                             : report::toLatex(table);
}

}  // namespace dlperf::ui
