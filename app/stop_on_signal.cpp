// SPDX-License-Identifier: Apache-2.0
#include "app/stop_on_signal.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace dlperf::app {

StopOnSignal::StopOnSignal()
    : signals_(false), thread_([this](const std::stop_token& over) {
          constexpr std::chrono::milliseconds pause(50);
          std::mutex mutex;
          std::condition_variable_any ending;
          std::unique_lock lock(mutex);
          while (!over.stop_requested() && !asked_.stop_requested()) {
              if (signals_.take() != nullptr) {
                  asked_.request_stop();
              }
              ending.wait_for(lock, over, pause, [] { return false; });
          }
      }) {}

bool StopOnSignal::isAsked() {
    if (signals_.take() != nullptr) {
        asked_.request_stop();
    }
    return asked_.stop_requested();
}

}  // namespace dlperf::app
