// SPDX-License-Identifier: Apache-2.0
#include "core/store/names.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace dlperf::store {
namespace {

constexpr std::string_view plainCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-";
constexpr std::size_t longestName = 200;  // file systems allow 255 bytes; suffixes need some

std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    return hash;
}

}  // namespace

std::string encodedName(std::string_view text, std::string_view also) {
    std::string result;
    for (const char c : text) {
        if (plainCharacters.find(c) != std::string_view::npos || also.find(c) != std::string_view::npos) {
            result += c;
        } else {
            result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return result;
}

std::string pathComponent(std::string name) {
    if (name.empty()) {
        return "unknown";
    }
    if (name.front() == '.') {
        name.replace(0, 1, "%2E");
    }
    if (name.size() > longestName) {
        const std::uint64_t hash = fnv1a(name);
        name = fmt::format("{}~{:016x}", name.substr(0, longestName - 17), hash);
    }
    return name;
}

std::string proposedFileName(std::string_view title) {
    std::string name(title);
    for (char& c : name) {
        const bool isControl = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
        if (isControl || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos) {
            c = '-';
        }
    }
    return pathComponent(std::move(name));
}

}  // namespace dlperf::store
