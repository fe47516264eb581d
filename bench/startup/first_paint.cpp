// SPDX-License-Identifier: Apache-2.0
// first_paint SCREEN PROGRAM [ARGUMENT …]: starts the program on $DISPLAY, waits until one of its windows
// shows a picture, prints the milliseconds from the start to then, and ends the program. A picture is a
// mapped window of 300 x 150 or more with at least 16 colours, so that an empty ground does not count; the
// same for every program. SCREEN is the file in which an Xvfb -fbdir keeps its picture: looking there costs
// the server nothing, whereas asking it for a window's pixels holds up the program, a large window more than
// a small one. Without a window manager, on a display of its own: any other window would be taken for the
// program's.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{20};
constexpr std::chrono::milliseconds betweenLooks{2};
constexpr std::size_t leastColors = 16;
constexpr int step = 3;  // pixels from one that is looked at to the next

// The picture of a display of 32 bits a pixel, as an X window dump (XWDFile.h) in memory.
class FrameBuffer {
public:
    static std::optional<FrameBuffer> open(const char* file) {
        const int descriptor = ::open(file, O_RDONLY | O_CLOEXEC);
        struct stat state {};
        if (descriptor < 0 || ::fstat(descriptor, &state) != 0) {
            return {};
        }
        const auto size = static_cast<std::size_t>(state.st_size);
        void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
        ::close(descriptor);
        if (memory == MAP_FAILED) {
            return {};
        }
        FrameBuffer screen(static_cast<const std::byte*>(memory), size);
        return screen.fits() ? std::optional(std::move(screen)) : std::nullopt;
    }

    [[nodiscard]] int width() const { return static_cast<int>(header_[4]); }
    [[nodiscard]] int height() const { return static_cast<int>(header_[5]); }
    [[nodiscard]] std::uint32_t pixel(int x, int y) const {
        const std::byte* at = memory_.get() + begin() + static_cast<std::size_t>(y) * header_[12] +
                              static_cast<std::size_t>(x) * sizeof(std::uint32_t);
        std::uint32_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

private:
    static constexpr std::size_t headerWords = 25;

    struct Unmap {
        std::size_t size;
        void operator()(const std::byte* memory) const { ::munmap(const_cast<std::byte*>(memory), size); }
    };

    FrameBuffer(const std::byte* memory, std::size_t size) : memory_(memory, Unmap{size}) {
        if (size >= sizeof header_) {
            std::memcpy(header_.data(), memory, sizeof header_);
        }
        for (std::uint32_t& word : header_) {
            word = ntohl(word);
        }
    }

    // The colour map (12 bytes a colour) lies between the header and the pixels.
    [[nodiscard]] std::size_t begin() const { return header_[0] + std::size_t{header_[19]} * 12; }
    [[nodiscard]] bool fits() const {
        return header_[11] == 32 &&
               memory_.get_deleter().size >= begin() + std::size_t{header_[12]} * header_[5];
    }

    std::unique_ptr<const std::byte, Unmap> memory_;
    std::array<std::uint32_t, headerWords> header_{};
};

// A window may go between two questions.
int ignoreError(Display*, XErrorEvent*) {
    return 0;
}

bool showsPicture(Display* display, const FrameBuffer& screen, Window window) {
    XWindowAttributes attributes{};
    if (XGetWindowAttributes(display, window, &attributes) == 0 || attributes.map_state != IsViewable ||
        attributes.width < 300 || attributes.height < 150) {
        return false;
    }
    const int right = std::min(attributes.x + attributes.width, screen.width());
    const int bottom = std::min(attributes.y + attributes.height, screen.height());
    std::set<std::uint32_t> colors;
    for (int y = std::max(attributes.y, 0); y < bottom; y += step) {
        for (int x = std::max(attributes.x, 0); x < right; x += step) {
            colors.insert(screen.pixel(x, y));
            if (colors.size() == leastColors) {
                return true;
            }
        }
    }
    return false;
}

bool anyShowsPicture(Display* display, const FrameBuffer& screen) {
    Window root = 0;
    Window parent = 0;
    Window* windows = nullptr;
    unsigned count = 0;
    if (XQueryTree(display, DefaultRootWindow(display), &root, &parent, &windows, &count) == 0) {
        return false;
    }
    bool found = false;
    for (unsigned i = 0; i < count && !found; ++i) {
        found = showsPicture(display, screen, windows[i]);
    }
    XFree(windows);
    return found;
}

void end(pid_t program) {
    ::kill(-program, SIGTERM);
    for (int i = 0; i < 1000; ++i) {
        if (::waitpid(program, nullptr, WNOHANG) != 0) {
            return;
        }
        std::this_thread::sleep_for(betweenLooks);
    }
    ::kill(-program, SIGKILL);
    ::waitpid(program, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
    Display* display = argc > 2 ? XOpenDisplay(nullptr) : nullptr;
    const auto screen = argc > 2 ? FrameBuffer::open(argv[1]) : std::nullopt;
    if (display == nullptr || !screen) {
        std::fputs(
            "usage: DISPLAY=:88 first_paint SCREEN PROGRAM [ARGUMENT ...]\n"
            "SCREEN: Xvfb_screen0 in the folder of Xvfb -fbdir, 24 bits deep\n",
            stderr);
        return 2;
    }
    XSetErrorHandler(ignoreError);
    const auto begin = Clock::now();
    const pid_t program = ::fork();
    if (program == 0) {
        ::setpgid(0, 0);
        ::dup2(STDERR_FILENO, STDOUT_FILENO);  // only the time is said here
        ::execvp(argv[2], argv + 2);
        ::_exit(127);
    }
    ::setpgid(program, program);
    bool painted = false;
    while (!painted && Clock::now() - begin < patience && ::waitpid(program, nullptr, WNOHANG) == 0) {
        painted = anyShowsPicture(display, *screen);
        if (!painted) {
            std::this_thread::sleep_for(betweenLooks);
        }
    }
    const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
    end(program);
    XCloseDisplay(display);
    if (!painted) {
        std::fprintf(stderr, "%s showed nothing\n", argv[2]);
        return 1;
    }
    std::printf("%.0f\n", took.count());
    return 0;
}
