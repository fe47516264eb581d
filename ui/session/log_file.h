// SPDX-License-Identifier: Apache-2.0
// A log on disk that may grow: where its lines begin is kept, its text is not. One thread indexes, another
// one reads lines at the same time.
#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace dlperf::ui {

class LogFile {
public:
    explicit LogFile(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }

    // Indexes what was added; true when something was.
    bool index();
    [[nodiscard]] std::size_t lineCount() const;
    // Clean text of a line from 0: no colour codes, what a progress bar last showed, at most some thousand
    // characters.
    [[nodiscard]] QString line(std::size_t number) const;
    // Lines from `first` that hold the text, whatever its letter case; a bounded number of them.
    [[nodiscard]] std::vector<std::size_t> find(const std::string& text, std::size_t first,
                                                const std::stop_token& stop) const;

private:
    [[nodiscard]] std::string rawLine(std::ifstream& file, std::size_t number) const;

    std::filesystem::path path_;
    mutable std::mutex mutex_;
    std::vector<std::uint64_t> starts_{0};  // of each line; the last one may be empty still
    std::uint64_t size_ = 0;
};

// Without terminal escapes; after a carriage return only what follows it.
[[nodiscard]] QString cleanLogLine(const std::string& bytes);

}  // namespace dlperf::ui
