// SPDX-License-Identifier: Apache-2.0
// Stands in for libnvjpeg on the emulated runtime, which the program that loads it has: it decodes with
// libjpeg, when the stream comes to it. DLPERF_FAKE_NVJPEG says how it is to fail: "no hardware", "refuses"
// any GPU, "fails" to decode.
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>
// libjpeg's header needs std's FILE before it.
#include <jpeglib.h>

#include "cuda/decode/nvjpeg.h"

namespace dlperf::worker::cuda::nvjpeg {

struct Handle {};
struct State {
    int batchSize = 0;
};

}  // namespace dlperf::worker::cuda::nvjpeg

namespace {

using namespace dlperf::worker::cuda::nvjpeg;

constexpr Status invalid = 2;
constexpr Status badJpeg = 3;
constexpr Status wrongGpu = 7;

bool isTo(const char* fail) {
    const char* const how = std::getenv("DLPERF_FAKE_NVJPEG");
    return how != nullptr && std::string(how) == fail;
}

struct Errors {
    jpeg_error_mgr base;
    std::jmp_buf jump;
};

[[noreturn]] void jumpOut(j_common_ptr info) {
    std::longjmp(reinterpret_cast<Errors*>(info->err)->jump, 1);
}

// Pixels and where they are to be.
struct Decoded {
    Image place;
    std::size_t line = 0;  // bytes
    std::vector<unsigned char> pixels;
};

// Holds nothing that needs a destructor, as an error jumps out of it.
bool readLines(jpeg_decompress_struct& info, Errors& errors, Decoded& decoded) {
    if (setjmp(errors.jump) != 0) {
        return false;
    }
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info);
    decoded.line = std::size_t{info.output_width} * 3;
    decoded.pixels.resize(decoded.line * info.output_height);
    while (info.output_scanline < info.output_height) {
        JSAMPROW line = decoded.pixels.data() + info.output_scanline * decoded.line;
        jpeg_read_scanlines(&info, &line, 1);
    }
    return info.err->num_warnings == 0;
}

bool decode(const unsigned char* file, std::size_t length, Decoded& decoded) {
    Errors errors{};
    jpeg_decompress_struct info{};
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = jumpOut;
    errors.base.output_message = [](j_common_ptr) {};
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, file, length);
    const bool whole = readLines(info, errors, decoded);
    jpeg_destroy_decompress(&info);
    return whole;
}

void put(void* data) {
    const std::unique_ptr<Decoded> decoded(static_cast<Decoded*>(data));
    const Image& place = decoded->place;
    for (std::size_t at = 0, y = 0; at < decoded->pixels.size(); at += decoded->line, ++y) {
        std::copy_n(decoded->pixels.data() + at, decoded->line, place.channel[0] + y * place.pitch[0]);
    }
}

}  // namespace

extern "C" {

Status nvjpegGetProperty(libraryPropertyType property, int* value) {
    *value = 1 + static_cast<int>(property);
    return success;
}

Status nvjpegCreateEx(int backend, void*, void*, unsigned, Handle** handle) {
    if (isTo("refuses") || (backend == hardwareBackend && isTo("no hardware"))) {
        return wrongGpu;
    }
    *handle = std::make_unique<Handle>().release();
    return success;
}

Status nvjpegDestroy(Handle* handle) {
    const std::unique_ptr<Handle> gone(handle);
    return success;
}

Status nvjpegJpegStateCreate(Handle*, State** state) {
    *state = std::make_unique<State>().release();
    return success;
}

Status nvjpegJpegStateDestroy(State* state) {
    const std::unique_ptr<State> gone(state);
    return success;
}

Status nvjpegDecodeBatchedInitialize(Handle*, State* state, int batchSize, int, int outputFormat) {
    state->batchSize = batchSize;
    return batchSize > 0 && outputFormat == interleavedRgb ? success : invalid;
}

// The batch that fails has begun: its first images are put.
Status nvjpegDecodeBatched(Handle*, State* state, const unsigned char* const* files,
                           const std::size_t* lengths, Image* images, cudaStream_t stream) {
    for (int i = 0; i < state->batchSize; ++i) {
        auto decoded = std::make_unique<Decoded>();
        decoded->place = images[i];
        if (!decode(files[i], lengths[i], *decoded) || (isTo("fails") && i == 1)) {
            state->batchSize = 0;
            return badJpeg;
        }
        if (decoded->line > images[i].pitch[0]) {
            return invalid;
        }
        cudaLaunchHostFunc(stream, put, decoded.release());
    }
    return state->batchSize > 0 ? success : invalid;
}

}  // extern "C"

static_assert(std::is_same_v<decltype(&nvjpegGetProperty), decltype(Functions::getProperty)>);
static_assert(std::is_same_v<decltype(&nvjpegCreateEx), decltype(Functions::createEx)>);
static_assert(std::is_same_v<decltype(&nvjpegDestroy), decltype(Functions::destroy)>);
static_assert(std::is_same_v<decltype(&nvjpegJpegStateCreate), decltype(Functions::stateCreate)>);
static_assert(std::is_same_v<decltype(&nvjpegJpegStateDestroy), decltype(Functions::stateDestroy)>);
static_assert(
    std::is_same_v<decltype(&nvjpegDecodeBatchedInitialize), decltype(Functions::batchedInitialize)>);
static_assert(std::is_same_v<decltype(&nvjpegDecodeBatched), decltype(Functions::decodeBatched)>);
