// SPDX-License-Identifier: Apache-2.0
// first_paint PROGRAM [ARGUMENT …]: starts the program on $DISPLAY, waits until one of its windows shows a
// picture, prints the milliseconds from the start to then, and ends the program. A picture is a mapped window
// of 300 x 150 or more with at least 16 colours, so that an empty ground does not count; the same for every
// program. Without a window manager, on a display of its own: any other window would be taken for the
// program's.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{20};
constexpr std::chrono::milliseconds betweenLooks{2};
constexpr std::size_t leastColors = 16;
constexpr int step = 3;  // pixels from one that is looked at to the next

// A window may go between two questions.
int ignoreError(Display*, XErrorEvent*) {
    return 0;
}

bool showsPicture(Display* display, Window window) {
    XWindowAttributes attributes{};
    if (XGetWindowAttributes(display, window, &attributes) == 0 || attributes.map_state != IsViewable ||
        attributes.width < 300 || attributes.height < 150) {
        return false;
    }
    XImage* image = XGetImage(display, window, 0, 0, static_cast<unsigned>(attributes.width),
                              static_cast<unsigned>(attributes.height), AllPlanes, ZPixmap);
    if (image == nullptr) {
        return false;
    }
    std::set<unsigned long> colors;
    for (int y = 0; y < image->height && colors.size() < leastColors; y += step) {
        for (int x = 0; x < image->width && colors.size() < leastColors; x += step) {
            colors.insert(XGetPixel(image, x, y));
        }
    }
    XDestroyImage(image);
    return colors.size() >= leastColors;
}

bool anyShowsPicture(Display* display) {
    Window root = 0;
    Window parent = 0;
    Window* windows = nullptr;
    unsigned count = 0;
    if (XQueryTree(display, DefaultRootWindow(display), &root, &parent, &windows, &count) == 0) {
        return false;
    }
    bool found = false;
    for (unsigned i = 0; i < count && !found; ++i) {
        found = showsPicture(display, windows[i]);
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
    Display* display = argc > 1 ? XOpenDisplay(nullptr) : nullptr;
    if (display == nullptr) {
        std::fputs("usage: DISPLAY=:88 first_paint PROGRAM [ARGUMENT ...]\n", stderr);
        return 2;
    }
    XSetErrorHandler(ignoreError);
    const auto begin = Clock::now();
    const pid_t program = ::fork();
    if (program == 0) {
        ::setpgid(0, 0);
        ::dup2(STDERR_FILENO, STDOUT_FILENO);  // only the time is said here
        ::execvp(argv[1], argv + 1);
        ::_exit(127);
    }
    ::setpgid(program, program);
    bool painted = false;
    while (!painted && Clock::now() - begin < patience && ::waitpid(program, nullptr, WNOHANG) == 0) {
        painted = anyShowsPicture(display);
        if (!painted) {
            std::this_thread::sleep_for(betweenLooks);
        }
    }
    const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
    end(program);
    XCloseDisplay(display);
    if (!painted) {
        std::fprintf(stderr, "%s showed nothing\n", argv[1]);
        return 1;
    }
    std::printf("%.0f\n", took.count());
    return 0;
}
