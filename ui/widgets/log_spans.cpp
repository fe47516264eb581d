// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/log_spans.h"

#include <QRegularExpression>
#include <array>
#include <utility>

namespace dlperf::ui {
namespace {

// Words count as levels where programs put them: in capitals, in brackets or before a colon. "top-1 error
// 0.3" and "0 failed" are no errors.
const QRegularExpression& errorPattern() {
    static const QRegularExpression pattern(QStringLiteral(
        "\\b(ERROR|FATAL|CRITICAL)\\b|\\b(?i:error|fatal|critical)\\s?[:\\]>]|^\\[?[EF]\\d{4,8}[ "
        "-]|^\\[E\\d* "
        "|^(\\w+\\.)*\\w*(Error|Exception|Interrupt)\\b(:|$)|Traceback \\(most recent call last\\)"
        "|^\\s+File \".*\", line \\d+|(?i:out of memory|segmentation fault|core dumped|\\bpanic:)"
        "|\\b(Aborted|Killed)\\b|(?<!\\b0 )\\b(?i:failed|failure)\\b"));
    return pattern;
}

const QRegularExpression& warningPattern() {
    static const QRegularExpression pattern(QStringLiteral(
        "\\bWARN(ING)?\\b|\\b(?i:warn|warning)\\s?[:\\]>]|\\w+Warning\\b|^\\[?W\\d{4,8}[ -]|^\\[W\\d* "));
    return pattern;
}

const QRegularExpression& infoPattern() {
    static const QRegularExpression pattern(
        QStringLiteral("\\bINFO\\b|\\b(?i:info)\\s?[:\\]>]|^\\[?I\\d{4,8}[ -]|^\\[I\\d* "));
    return pattern;
}

const QRegularExpression& quietPattern() {
    static const QRegularExpression pattern(
        QStringLiteral("^#|\\b(DEBUG|TRACE)\\b|\\b(?i:debug|trace)\\s?[:\\]>]"));
    return pattern;
}

// torchrun, mpirun --tag-output, horovodrun, srun --label: the rank is the first group.
const QRegularExpression& rankPattern() {
    static const QRegularExpression pattern(
        QStringLiteral("^(?:\\[(?:rank|default)(\\d+)\\]:?|\\[\\d+,(\\d+)\\](?:<std(?:out|err)>)?:|"
                       "\\[(\\d+)\\]<std(?:out|err)>:|\\s{0,3}(\\d{1,4}): )"));
    return pattern;
}

void replaceUnprintable(QString& text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        // A character beyond the basic plane is two QChars, of which neither is printable by itself.
        const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (pair && QChar::isPrint(QChar::surrogateToUcs4(text[i], text[i + 1]))) {
            ++i;
        } else if (!text[i].isPrint()) {
            text[i] = QChar::ReplacementCharacter;
        }
    }
}

// "node2:", "[node2]", and NCCL's "node2:211:342 [0]".
std::optional<LogPrefix> nodePrefix(const QString& line, const QStringList& nodes) {
    static const QRegularExpression nccl(QStringLiteral("^:\\d+:\\d+ \\[(\\d+)\\]"));
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
        const bool bracket = line.startsWith(QLatin1Char('['));
        const qsizetype begin = bracket ? 1 : 0;
        const qsizetype end = begin + nodes[i].size();
        const QChar closing = bracket ? QLatin1Char(']') : QLatin1Char(':');
        if (nodes[i].isEmpty() || end >= line.size() || line[end] != closing ||
            QStringView(line).mid(begin, nodes[i].size()) != nodes[i]) {
            continue;
        }
        const auto match = nccl.match(line.mid(end, 40));
        if (!bracket && match.hasMatch()) {
            return LogPrefix{{0, end + match.capturedLength()}, match.captured(1).toInt(), i};
        }
        return LogPrefix{{0, end + 1}, std::nullopt, i};
    }
    return std::nullopt;
}

}  // namespace

LogLevel levelOf(const QString& line) {
    const std::array<std::pair<const QRegularExpression&, LogLevel>, 4> levels{
        {{errorPattern(), LogLevel::Error},
         {warningPattern(), LogLevel::Warning},
         {infoPattern(), LogLevel::Info},
         {quietPattern(), LogLevel::Quiet}}};
    for (const auto& [pattern, level] : levels) {
        if (pattern.match(line).hasMatch()) {
            return level;
        }
    }
    return LogLevel::Plain;
}

std::optional<LogPrefix> prefixOf(const QString& line, const QStringList& nodes) {
    if (const auto match = rankPattern().match(line); match.hasMatch()) {
        LogPrefix prefix{{0, match.capturedLength()}, std::nullopt, -1};
        for (int group = 1; group <= match.lastCapturedIndex(); ++group) {
            if (!match.captured(group).isEmpty()) {
                prefix.rank = match.captured(group).toInt();
            }
        }
        return prefix;
    }
    return nodePrefix(line, nodes);
}

std::string_view lastState(std::string_view bytes) {
    while (bytes.ends_with('\r') || bytes.ends_with('\n')) {
        bytes.remove_suffix(1);
    }
    return bytes.substr(bytes.rfind('\r') + 1);  // npos + 1 is 0
}

QString cleanLogLine(std::string_view bytes) {
    // CSI (colours, cursor), OSC (titles, links; ended by BEL or ST), and the short ones.
    static const QRegularExpression escapes(QStringLiteral(
        "\\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?|[ -/]+[0-~]|[0-Z\\\\^-~])"));
    const std::string_view shown = lastState(bytes);
    QString text = QString::fromUtf8(shown.data(), static_cast<qsizetype>(shown.size()));
    if (text.contains(QChar(0x1b))) {
        text.remove(escapes);
    }
    text.replace(QLatin1Char('\t'), QLatin1String("    "));
    replaceUnprintable(text);
    return text;
}

}  // namespace dlperf::ui
