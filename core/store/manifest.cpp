// SPDX-License-Identifier: Apache-2.0
#include "core/store/manifest.h"

#include <algorithm>

namespace dlperf::store {
namespace {

bool isChecksum(const std::string& text) {
    constexpr std::size_t digits = 64;
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Json toJson(const Manifest& manifest) {
    return {{"program", manifest.program},
            {"made", manifest.made},
            {"title", manifest.title},
            {"masked", manifest.masked},
            {"files", manifest.files}};
}

Result<Manifest> manifestFromJson(const Json& json, const std::string& where) {
    JsonReader reader(json, where);
    Manifest manifest{
        reader.text("program"), reader.text("made"), reader.text("title"), reader.flag("masked", false), {}};
    const Json& files = reader.member("files");
    TRY(reader.checked());
    if (!files.is_object() || std::ranges::any_of(files, [](const Json& checksum) {
            return !checksum.is_string() || !isChecksum(checksum.get_ref<const std::string&>());
        })) {
        return fail("\"files\" must be an object: name, sha256", where,
                    "Get the bundle once more: its list of files is damaged.");
    }
    manifest.files = files.get<std::map<std::string, std::string>>();
    return manifest;
}

}  // namespace dlperf::store
