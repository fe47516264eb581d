// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/capture.h"

#include <charconv>

#include "core/analysis/number.h"

namespace dlperf::analysis {
namespace {

// Logs are bytes: Latin-1 makes every byte a character, so that broken UTF-8 hides nothing.
RE2::Options byteOptions() {
    RE2::Options options(RE2::Latin1);
    options.set_log_errors(false);
    return options;
}

}  // namespace

CaptureReader::CaptureReader(const Capture& capture) : after_(capture.after), last_(capture.last) {
    if (!capture.pattern.empty()) {
        pattern_ = std::make_unique<const RE2>(capture.pattern, byteOptions());
    }
}

std::optional<std::string_view> CaptureReader::text(std::string_view line) const {
    const std::size_t at = last_ ? after_.last(line) : after_.first(line);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = line.substr(at + after_.text().size());
    if (pattern_ == nullptr) return rest;
    re2::StringPiece groups[2];
    if (!pattern_->Match({rest.data(), rest.size()}, 0, rest.size(), RE2::ANCHOR_START, groups, 2)) {
        return std::nullopt;
    }
    return std::string_view(groups[1].data(), groups[1].size());
}

std::optional<double> CaptureReader::number(std::string_view line) const {
    const auto found = printed() ? text(line) : std::nullopt;
    if (!found) return std::nullopt;
    return pattern_ == nullptr ? leadingNumber(*found) : toNumber(*found);
}

std::optional<std::int64_t> CaptureReader::integer(std::string_view line) const {
    const auto found = printed() ? text(line) : std::nullopt;
    if (!found) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(found->data(), found->data() + found->size(), value);
    if (error != std::errc{} || end != found->data() + found->size()) return std::nullopt;
    return value;
}

}  // namespace dlperf::analysis
