// SPDX-License-Identifier: Apache-2.0
#include "jpeg_files.h"

#include <cstdio>
// libjpeg's header needs std's FILE before it.
#include <jpeglib.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/random.h"

namespace dlperf::worker::test {

void writeJpeg(const std::string& path, int width, int height, int components,
               const std::vector<std::uint8_t>& pixels, bool progressive) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
    if (!file) {
        throw std::runtime_error("cannot write " + path);
    }
    jpeg_error_mgr errors{};
    jpeg_compress_struct info{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_stdio_dest(&info, file.get());
    info.image_width = static_cast<JDIMENSION>(width);
    info.image_height = static_cast<JDIMENSION>(height);
    info.input_components = components;
    info.in_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (progressive) {
        jpeg_simple_progression(&info);
    }
    jpeg_start_compress(&info, TRUE);
    for (int row = 0; row < height; ++row) {
        JSAMPROW line = const_cast<std::uint8_t*>(pixels.data()) + std::ptrdiff_t{row} * width * components;
        jpeg_write_scanlines(&info, &line, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
}

void writeColourClasses(const std::string& folder, int classes, int count) {
    constexpr int width = 96;
    constexpr int height = 80;
    for (int label = 0; label < classes; ++label) {
        const std::string classFolder = folder + "/class" + std::to_string(label);
        std::filesystem::create_directories(classFolder);
        for (int i = 0; i < count; ++i) {
            Random random({static_cast<std::uint64_t>(label), static_cast<std::uint64_t>(i)});
            std::vector<std::uint8_t> pixels;
            for (int p = 0; p < width * height; ++p) {
                for (int c = 0; c < 3; ++c) {
                    const std::uint64_t level = c == label % 3 ? 150 : 40;
                    pixels.push_back(static_cast<std::uint8_t>(level + random.below(60)));
                }
            }
            writeJpeg(classFolder + "/" + std::to_string(i) + ".jpg", width, height, 3, pixels);
        }
    }
}

}  // namespace dlperf::worker::test
