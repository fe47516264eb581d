// SPDX-License-Identifier: Apache-2.0
#include "ui/models/copy_table.h"

namespace dlperf::ui {
namespace {

QString header(const QAbstractItemModel& model, int column) {
    return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

QString markdownCell(QString text) {
    return text.replace(QLatin1Char('\\'), QLatin1String("\\\\"))
        .replace(QLatin1Char('|'), QLatin1String("\\|"))
        .replace(QLatin1Char('\n'), QLatin1Char(' '));
}

// Quoted where RFC 4180 asks for it; a leading formula sign must not start a spreadsheet's formula.
QString csvCell(QString text) {
    if (!text.isEmpty() && QStringLiteral("=+@").contains(text.front())) {
        text.prepend(QLatin1Char('\''));
    }
    if (text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('"')) ||
        text.contains(QLatin1Char('\n'))) {
        return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
    }
    return text;
}

}  // namespace

QString tableAsMarkdown(const QAbstractItemModel& model, const std::vector<int>& columns) {
    QString titles = QStringLiteral("|");
    QString line = QStringLiteral("|");
    for (const int column : columns) {
        const int alignment = model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        titles += QLatin1Char(' ') + markdownCell(header(model, column)) + QStringLiteral(" |");
        line += (alignment & Qt::AlignRight) != 0 ? QStringLiteral(" ---: |") : QStringLiteral(" --- |");
    }
    QString text = titles + QLatin1Char('\n') + line + QLatin1Char('\n');
    for (int row = 0; row < model.rowCount(); ++row) {
        text += QLatin1Char('|');
        for (const int column : columns) {
            text += QLatin1Char(' ') + markdownCell(cell(model, row, column)) + QStringLiteral(" |");
        }
        text += QLatin1Char('\n');
    }
    return text;
}

QString tableAsCsv(const QAbstractItemModel& model, const std::vector<int>& columns) {
    QString text;
    const auto addLine = [&](auto&& value) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            text += (i > 0 ? QStringLiteral(",") : QString()) + csvCell(value(columns[i]));
        }
        text += QStringLiteral("\r\n");
    };
    addLine([&](int column) { return header(model, column); });
    for (int row = 0; row < model.rowCount(); ++row) {
        addLine([&](int column) { return cell(model, row, column); });
    }
    return text;
}

}  // namespace dlperf::ui
