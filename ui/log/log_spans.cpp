// SPDX-License-Identifier: Apache-2.0
#include "ui/log/log_spans.h"

#include <algorithm>

#include "core/log/line_text.h"
#include "core/log/log_book.h"

namespace dlperf::ui {
namespace {

constexpr char16_t firstWide = 0x2e80;  // Chinese, Japanese, Korean and what follows

void replaceUnprintable(QString& text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        const ushort code = text[i].unicode();
        if (code >= 0x20 && code < 0x7f) {
            continue;
        }
        // A character beyond the basic plane is two QChars, of which neither is printable by itself.
        const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (pair && QChar::isPrint(QChar::surrogateToUcs4(text[i], text[i + 1]))) {
            ++i;
        } else if (!text[i].isPrint()) {
            text[i] = QChar::ReplacementCharacter;
        }
    }
}

QString printable(std::string_view plain) {
    QString text = QString::fromUtf8(plain.data(), static_cast<qsizetype>(plain.size()));
    replaceUnprintable(text);
    return text;
}

}  // namespace

QString cleanLogLine(std::string_view bytes) {
    return printable(log::plainLine(bytes));
}

ShownLine showLine(const log::LogLine& line, const std::vector<std::string>& nodes) {
    const std::string plain = log::plainLine(line.bytes);
    const std::string_view said = log::afterPrefix(plain, nodes);
    ShownLine shown;
    shown.text = printable(plain);
    shown.level = log::levelOf(said);
    shown.node = static_cast<int>(line.spot.log);
    shown.bytes = line.isCut ? line.length : 0;
    shown.isFinished = line.isFinished;
    if (const auto prefix = log::prefixOf(plain, nodes)) {
        shown.prefix = printable(std::string_view(plain).substr(0, prefix->length)).size();
    }
    return shown;
}

std::vector<LogSpan> wrapLine(const QString& text, int columns) {
    std::vector<LogSpan> rows;
    LogSpan row;
    int used = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int width = text[i].unicode() >= firstWide ? 2 : 1;
        if (row.length > 0 && used + width > columns) {
            rows.push_back(row);
            row = {i, 0};
            used = 0;
        }
        ++row.length;
        used += width;
    }
    rows.push_back(row);
    return rows;
}

}  // namespace dlperf::ui
