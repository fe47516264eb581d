// SPDX-License-Identifier: Apache-2.0
#include "ui/session/log_file.h"

#include <QRegularExpression>
#include <algorithm>
#include <cctype>

namespace dlperf::ui {
namespace {

constexpr std::size_t blockBytes = 1U << 20U;
constexpr std::uint64_t longestLine = 4000;  // bytes shown of one line
constexpr std::size_t mostHits = 100'000;

bool sameLetter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

}  // namespace

QString cleanLogLine(const std::string& bytes) {
    static const QRegularExpression escapes(QStringLiteral("\x1b\\[[0-9;?]*[A-Za-z]"));
    QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    while (text.endsWith(QLatin1Char('\r')) || text.endsWith(QLatin1Char('\n'))) {
        text.chop(1);
    }
    text = text.mid(text.lastIndexOf(QLatin1Char('\r')) + 1);
    text.remove(escapes);
    text.replace(QLatin1Char('\t'), QLatin1String("    "));
    for (QChar& character : text) {
        if (!character.isPrint()) {
            character = QChar::ReplacementCharacter;
        }
    }
    return text;
}

bool LogFile::index() {
    std::ifstream file(path_, std::ios::binary);
    if (!file) {
        return false;
    }
    std::uint64_t from = 0;
    {
        const std::lock_guard lock(mutex_);
        from = size_;
    }
    file.seekg(static_cast<std::streamoff>(from));
    std::string block(blockBytes, '\0');
    bool news = false;
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
        const auto count = static_cast<std::size_t>(file.gcount());
        std::vector<std::uint64_t> found;
        for (std::size_t at = block.find('\n'); at < count; at = block.find('\n', at + 1)) {
            found.push_back(from + at + 1);
        }
        from += count;
        news = true;
        const std::lock_guard lock(mutex_);
        starts_.insert(starts_.end(), found.begin(), found.end());
        size_ = from;
    }
    return news;
}

std::size_t LogFile::lineCount() const {
    const std::lock_guard lock(mutex_);
    return starts_.size() - (starts_.back() == size_ ? 1 : 0);
}

std::string LogFile::rawLine(std::ifstream& file, std::size_t number) const {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    {
        const std::lock_guard lock(mutex_);
        if (number >= starts_.size()) {
            return {};
        }
        begin = starts_[number];
        end = number + 1 < starts_.size() ? starts_[number + 1] : size_;
    }
    std::string bytes(static_cast<std::size_t>(std::min(end - begin, longestLine)), '\0');
    file.clear();
    file.seekg(static_cast<std::streamoff>(begin));
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return bytes;
}

QString LogFile::line(std::size_t number) const {
    std::ifstream file(path_, std::ios::binary);
    return file ? cleanLogLine(rawLine(file, number)) : QString();
}

std::vector<std::size_t> LogFile::find(const std::string& text, std::size_t first,
                                       const std::stop_token& stop) const {
    std::vector<std::size_t> hits;
    std::ifstream file(path_, std::ios::binary);
    const std::size_t count = lineCount();
    for (std::size_t i = first; file && i < count && hits.size() < mostHits && !stop.stop_requested(); ++i) {
        const std::string line = rawLine(file, i);
        if (std::search(line.begin(), line.end(), text.begin(), text.end(), sameLetter) != line.end()) {
            hits.push_back(i);
        }
    }
    return hits;
}

}  // namespace dlperf::ui
