// SPDX-License-Identifier: Apache-2.0
// libjpeg's header needs std's FILE before it.
#include "data/jpeg.h"

#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/failure.h"

namespace dlperf::worker {
namespace {

std::vector<Tap> tapsFor(double start, double length, int size, int limit) {
    std::vector<Tap> taps(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        taps[static_cast<std::size_t>(i)] = tapAt(start, length, size, limit, i);
    }
    return taps;
}

}  // namespace

Crop randomCrop(int width, int height, Random& random) {
    const double area = static_cast<double>(width) * height;
    for (int attempt = 0; attempt < 10; ++attempt) {
        const double wanted = area * random.between(0.08, 1);
        const double ratio = std::exp(random.between(std::log(3.0 / 4), std::log(4.0 / 3)));
        const double w = std::round(std::sqrt(wanted * ratio));
        const double h = std::round(std::sqrt(wanted / ratio));
        if (w < 1 || h < 1 || w > width || h > height) {
            continue;
        }
        const double left = static_cast<double>(random.below(static_cast<std::uint64_t>(width - w) + 1));
        const double top = static_cast<double>(random.below(static_cast<std::uint64_t>(height - h) + 1));
        return {left, top, w, h};
    }
    const double w = std::min<double>(width, std::max(1.0, std::round(height * 4.0 / 3)));
    const double h = std::min<double>(height, std::max(1.0, std::round(width * 4.0 / 3)));
    return {std::floor((width - w) / 2), std::floor((height - h) / 2), w, h};
}

void resizeCrop(const CroppedImage& image, int size, bool flip, std::span<std::uint8_t> result) {
    const std::vector<Tap> columns = tapsFor(image.crop.left, image.crop.width, size, image.width);
    const std::vector<Tap> rows = tapsFor(image.crop.top, image.crop.height, size, image.height);
    const auto stride = static_cast<std::size_t>(image.width) * 3;
    std::uint8_t* out = result.data();
    for (const Tap& row : rows) {
        const std::uint8_t* upper = image.pixels.data() + static_cast<std::size_t>(row.first) * stride;
        const std::uint8_t* lower = image.pixels.data() + static_cast<std::size_t>(row.second) * stride;
        for (std::size_t i = 0; i < columns.size(); ++i, out += 3) {
            const Tap& column = flip ? columns[columns.size() - 1 - i] : columns[i];
            for (int c = 0; c < 3; ++c) {
                out[c] = interpolated(upper, lower, row.share, column, c);
            }
        }
    }
}

namespace {

// More than any camera makes; what a broken header may claim is not allocated.
constexpr double maxPixels = 1e9;
// Of an image in several scans libjpeg keeps all coefficients, and reads them again in each: a small file may
// claim much of both. Encoders make about ten scans.
constexpr double maxPixelsInScans = 1e8;
constexpr int maxScans = 100;

// libjpeg reports errors by calling back and never wants to be returned to.
struct ErrorHandler {
    jpeg_error_mgr base;
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void jumpOut(j_common_ptr info) {
    auto* handler = reinterpret_cast<ErrorHandler*>(info->err);
    handler->base.format_message(info, handler->message);
    std::longjmp(handler->jump, 1);
}

// libjpeg calls it again and again while it reads the scans.
void limitScans(j_common_ptr info) {
    if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > maxScans) {
        auto* handler = reinterpret_cast<ErrorHandler*>(info->err);
        std::snprintf(handler->message, sizeof handler->message, "it has more than %d scans", maxScans);
        std::longjmp(handler->jump, 1);
    }
}

// libjpeg warns, and goes on with grey, where the compressed data is damaged. That is an error here; oddities
// in the headers, which ImageNet has some of, are not.
void judgeWarning(j_common_ptr info, int level) {
    if (level >= 0) {
        return;  // a trace message
    }
    switch (info->err->msg_code) {
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_JPEG_EOF:
        case JWRN_MUST_RESYNC:
            jumpOut(info);
        default:
            return;
    }
}

void cmykToRgb(const std::uint8_t* cmyk, int pixels, std::uint8_t* rgb) {
    // Files with CMYK are Adobe's, which stores it inverted.
    for (int i = 0; i < pixels; ++i) {
        for (int c = 0; c < 3; ++c) {
            rgb[3 * i + c] = static_cast<std::uint8_t>(cmyk[4 * i + c] * cmyk[4 * i + 3] / 255);
        }
    }
}

// libstdc++ throws where a read fails, and does not name the file.
std::vector<unsigned char> bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<unsigned char> bytes;
    try {
        bytes.assign(std::istreambuf_iterator<char>(file), {});
    } catch (const std::ios_base::failure& failure) {
        throw Failure(ExitCode::Data, path + " cannot be read: " + failure.code().message());
    }
    if (!file || bytes.empty()) {
        throw Failure(ExitCode::Data, path + " is empty or cannot be read");
    }
    return bytes;
}

}  // namespace

struct JpegFile::State {
    std::string path;
    std::vector<unsigned char> bytes;
    ErrorHandler error{};
    jpeg_progress_mgr progress{};
    jpeg_decompress_struct info{};

    State() = default;
    // libjpeg accepts a structure that was never created, as it is zeroed then.
    ~State() { jpeg_destroy_decompress(&info); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    // Runs what calls libjpeg. `body` and what it calls hold nothing that needs a destructor, as an error
    // jumps over them.
    template <typename Body>
    void guarded(Body body) {
        if (setjmp(error.jump) != 0) {
            throw Failure(ExitCode::Data, path + " is not a usable JPEG image: " + error.message);
        }
        body();
    }
};

JpegFile::JpegFile(std::string path) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.path = std::move(path);
    s.bytes = bytesOf(s.path);

    s.info.err = jpeg_std_error(&s.error.base);
    s.error.base.error_exit = jumpOut;
    s.error.base.emit_message = judgeWarning;
    s.progress.progress_monitor = limitScans;
    s.guarded([&s] {
        jpeg_create_decompress(&s.info);
        s.info.progress = &s.progress;
        jpeg_mem_src(&s.info, s.bytes.data(), s.bytes.size());
        jpeg_read_header(&s.info, TRUE);
    });
    const double limit = jpeg_has_multiple_scans(&s.info) != 0 ? maxPixelsInScans : maxPixels;
    if (static_cast<double>(width()) * height() > limit) {
        throw Failure(ExitCode::Data, s.path + " claims to be " + std::to_string(width()) + " x " +
                                          std::to_string(height()) + " pixels, which is too large");
    }
}

JpegFile::~JpegFile() = default;

int JpegFile::width() const {
    return static_cast<int>(state_->info.image_width);
}
int JpegFile::height() const {
    return static_cast<int>(state_->info.image_height);
}

bool JpegFile::isPlain() const {
    const jpeg_decompress_struct& info = state_->info;
    const std::vector<unsigned char>& bytes = state_->bytes;
    const bool ends = bytes.size() >= 2 && bytes[bytes.size() - 2] == 0xFF && bytes.back() == JPEG_EOI;
    const bool baseline = info.data_precision == 8 && info.progressive_mode == 0 && info.arith_code == 0 &&
                          info.comps_in_scan == info.num_components;
    if (!ends || !baseline) {
        return false;
    }
    const jpeg_component_info* const parts = info.comp_info;
    if (info.num_components == 1) {
        return info.jpeg_color_space == JCS_GRAYSCALE;
    }
    const auto isWhole = [](const jpeg_component_info& part) {
        return part.h_samp_factor == 1 && part.v_samp_factor == 1;
    };
    return info.num_components == 3 && info.jpeg_color_space == JCS_YCbCr && parts[0].h_samp_factor <= 2 &&
           parts[0].v_samp_factor <= 2 && isWhole(parts[1]) && isWhole(parts[2]);
}

std::vector<std::uint8_t> JpegFile::takeFile() {
    return std::move(state_->bytes);
}

CroppedImage JpegFile::decode(const Crop& crop, int size) {
    State& s = *state_;
    jpeg_decompress_struct& info = s.info;
    const bool cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    const int eighths = static_cast<int>(std::ceil(8.0 * size / std::min(crop.width, crop.height)));
    s.guarded([&] {
        info.scale_num = static_cast<unsigned>(std::clamp(eighths, 1, 8));
        info.scale_denom = 8;
        info.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
        jpeg_start_decompress(&info);
    });

    // Not output_width / image_width: output_width is rounded up where the last block is not whole.
    const double scale = info.scale_num / 8.0;
    CroppedImage image;
    image.crop = {crop.left * scale, crop.top * scale, crop.width * scale, crop.height * scale};
    // One pixel more on each side, for the interpolation.
    const auto first = [](double at) { return static_cast<JDIMENSION>(std::max(0.0, std::floor(at) - 1)); };
    const auto last = [](double at, JDIMENSION limit) {
        return std::min(limit, static_cast<JDIMENSION>(std::ceil(at)) + 1);
    };
    JDIMENSION left = first(image.crop.left);
    JDIMENSION columns = last(image.crop.left + image.crop.width, info.output_width) - left;
    const JDIMENSION top = first(image.crop.top);
    const JDIMENSION bottom = last(image.crop.top + image.crop.height, info.output_height);
    s.guarded([&] {
        jpeg_crop_scanline(&info, &left, &columns);  // moves left to the edge of a block
        jpeg_skip_scanlines(&info, top);
    });
    image.crop.left -= left;
    image.crop.top -= top;
    image.width = static_cast<int>(columns);
    image.height = static_cast<int>(bottom - top);
    image.pixels.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);

    std::vector<std::uint8_t> cmykRow(cmyk ? columns * 4 : 0);
    std::uint8_t* to = image.pixels.data();
    s.guarded([&] {
        for (JDIMENSION row = top; row < bottom; ++row, to += std::size_t{columns} * 3) {
            JSAMPROW line = cmyk ? cmykRow.data() : to;
            jpeg_read_scanlines(&info, &line, 1);
            if (cmyk) {
                cmykToRgb(line, image.width, to);
            }
        }
    });
    return image;
}

}  // namespace dlperf::worker
