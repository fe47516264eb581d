// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "state.h"

namespace dlperf::worker::cuda::emulation {

enum class Place { Host, Device };

// Memory of the current device, or pinned. Every byte is 0xFF: not a number as float, half or bfloat16, so
// that what is read before it is written shows. Null where a device has too little.
void* allocate(Place place, std::size_t bytes);

// Ends the program where the pointer is none of allocate()'s, or something was written around its memory.
void release(Place place, void* data);
// The device whose memory this is, or whose it was when pinned memory was made.
int deviceOf(void* data);

std::size_t freeBytes(int device);
// Adds what is allocated.
void count(Live& live);

// Whether a copy may read or write these bytes, by what CUDA knows of them: device memory must be its own,
// the host's must not be, and neither may end too early.
bool accessible(Place place, const void* data, std::size_t bytes);

}  // namespace dlperf::worker::cuda::emulation
