// SPDX-License-Identifier: Apache-2.0
// Sanitizers are slow, keep freed memory and need more beside it: bounds of memory are looser under them.
#pragma once

namespace dlperf::test {

#if defined(__has_feature)  // Clang; older ones define no macro of GCC's
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace dlperf::test
