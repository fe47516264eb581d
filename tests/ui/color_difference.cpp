// SPDX-License-Identifier: Apache-2.0
#include "color_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace dlperf::ui::test {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr double degree = std::numbers::pi / 180;

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Triple linearRgb(const QColor& color) {
    return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

Triple times(const Matrix& m, const Triple& v) {
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i) {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
    return out;
}

Matrix deficiency(Vision vision) {
    switch (vision) {
        case Vision::Deuteranopia:
            return {{{0.367322, 0.860646, -0.227968},
                     {0.280085, 0.672501, 0.047413},
                     {-0.011820, 0.042940, 0.968881}}};
        case Vision::Protanopia:
            return {{{0.152286, 1.052583, -0.204868},
                     {0.114503, 0.786281, 0.099216},
                     {-0.003882, -0.048116, 1.051998}}};
        case Vision::Tritanopia:
            return {{{1.255528, -0.076749, -0.178779},
                     {-0.078411, 0.930809, 0.147602},
                     {0.004733, 0.691367, 0.303900}}};
        case Vision::Normal:
            break;
    }
    return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

Triple lab(const QColor& color, Vision vision) {
    Triple rgb = times(deficiency(vision), linearRgb(color));
    for (double& channel : rgb) {
        channel = std::clamp(channel, 0.0, 1.0);
    }
    const Triple xyz = times({{{0.4124564, 0.3575761, 0.1804375},
                               {0.2126729, 0.7151522, 0.0721750},
                               {0.0193339, 0.1191920, 0.9503041}}},
                             rgb);
    constexpr Triple white{0.95047, 1.0, 1.08883};
    Triple f{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / white[i];
        f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double hue(double a, double b) {
    const double angle = std::atan2(b, a) / degree;
    return a == 0 && b == 0 ? 0 : (angle < 0 ? angle + 360 : angle);
}

double luminance(const QColor& color) {
    const Triple rgb = linearRgb(color);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double hueDifference(double chroma1, double chroma2, double hue1, double hue2) {
    if (chroma1 * chroma2 == 0) {
        return 0;
    }
    const double plain = hue2 - hue1;
    return plain > 180 ? plain - 360 : (plain < -180 ? plain + 360 : plain);
}

double meanHue(double chroma1, double chroma2, double hue1, double hue2) {
    if (chroma1 * chroma2 == 0) {
        return hue1 + hue2;
    }
    if (std::abs(hue1 - hue2) <= 180) {
        return (hue1 + hue2) / 2;
    }
    return hue1 + hue2 < 360 ? (hue1 + hue2 + 360) / 2 : (hue1 + hue2 - 360) / 2;
}

}  // namespace

double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

double difference(const QColor& first, const QColor& second, Vision vision) {
    const Triple one = lab(first, vision);
    const Triple two = lab(second, vision);
    const auto seventh = [](double c) {
        return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
    };
    const double meanC = (std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2;
    const double g = 0.5 * (1 - seventh(meanC));
    const double a1 = one[1] * (1 + g);
    const double a2 = two[1] * (1 + g);
    const double c1 = std::hypot(a1, one[2]);
    const double c2 = std::hypot(a2, two[2]);
    const double h1 = hue(a1, one[2]);
    const double h2 = hue(a2, two[2]);
    const double dL = two[0] - one[0];
    const double dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(hueDifference(c1, c2, h1, h2) / 2 * degree);
    const double l = (one[0] + two[0]) / 2 - 50;
    const double c = (c1 + c2) / 2;
    const double h = meanHue(c1, c2, h1, h2);
    const double t = 1 - 0.17 * std::cos((h - 30) * degree) + 0.24 * std::cos(2 * h * degree) +
                     0.32 * std::cos((3 * h + 6) * degree) - 0.20 * std::cos((4 * h - 63) * degree);
    const double sL = 1 + 0.015 * l * l / std::sqrt(20 + l * l);
    const double sC = 1 + 0.045 * c;
    const double sH = 1 + 0.015 * c * t;
    const double turn = 30 * std::exp(-std::pow((h - 275) / 25, 2));
    const double rT = -2 * seventh(c) * std::sin(2 * turn * degree);
    return std::sqrt(std::pow(dL / sL, 2) + std::pow(dC / sC, 2) + std::pow(dH / sH, 2) +
                     rT * dC / sC * dH / sH);
}

}  // namespace dlperf::ui::test
