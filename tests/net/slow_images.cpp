// SPDX-License-Identifier: Apache-2.0
// To be preloaded: images take their time to be opened, as on a slow disk. DLPERF_SLOW_IMAGE_MS says how
// long.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace {

using Open = std::FILE* (*)(const char*, const char*);

std::FILE* openSlowly(const char* name, const char* path, const char* mode) {
    const char* wait = std::getenv("DLPERF_SLOW_IMAGE_MS");
    if (wait != nullptr && std::string_view(path).ends_with(".jpg")) {
        std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(wait)));
    }
    return reinterpret_cast<Open>(::dlsym(RTLD_NEXT, name))(path, mode);
}

}  // namespace

extern "C" std::FILE* fopen(const char* path, const char* mode) {
    return openSlowly("fopen", path, mode);
}

extern "C" std::FILE* fopen64(const char* path, const char* mode) {
    return openSlowly("fopen64", path, mode);
}
