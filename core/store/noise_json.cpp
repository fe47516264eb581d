// SPDX-License-Identifier: Apache-2.0
#include "core/store/noise_json.h"

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/store/fields.h"

namespace dlperf::store {
namespace {

constexpr std::size_t mostEntries = 256;  // nodes of a run, GPUs of a node
constexpr std::size_t nameBytes = 64;

template <class Fields, class Noise>
void listNoise(Fields& fields, Noise& noise) {
    if constexpr (requires { noise.neighbour; }) {
        fields("gpu", noise.index);
        fields("power_cap", noise.powerCap);
        fields("heat", noise.heat);
        fields("power_brake", noise.powerBrake);
        fields("slowdown", noise.slowdown);
        fields("neighbour", noise.neighbour);
    } else {
        fields("node", noise.node);
        fields("in_range", noise.inRange);
        fields("processors", noise.processors);
        fields("other_processes", noise.others);
        fields("other_processes_most", noise.othersMost);
        fields("busiest", noise.busiest);
        fields("stolen", noise.stolen);
        fields("clock_mhz", noise.clock);
        fields("celsius", noise.temperature);
        fields("heat", noise.heat);
        fields("gpu_clock_mhz", noise.gpuClock);
        fields("gpu_celsius", noise.gpuTemperature);
        fields("gpu_use", noise.gpuUse);
        fields("cpu_use", noise.cpuUse);
        fields("sent_bytes_per_second", noise.sent);
    }
}

template <class Noise>
Json listJson(const std::vector<Noise>& noise) {
    Json list = Json::array();
    for (const Noise& one : noise) {
        if (list.size() == mostEntries) {
            break;
        }
        WriteFields fields;
        listNoise(fields, one);
        Json& json = fields.json();
        if constexpr (requires { one.gpus; }) {
            json["gpus"] = one.gpus.empty() ? Json() : listJson(one.gpus);
        }
        for (auto field = json.begin(); field != json.end();) {
            const bool isEmpty =
                field->is_null() || (field->is_string() && field->get_ref<const std::string&>().empty());
            field = isEmpty ? json.erase(field) : std::next(field);
        }
        list.push_back(std::move(json));
    }
    return list;
}

std::string nameIn(const std::string& text) {
    return cleanUtf8(std::string_view(text).substr(0, nameBytes));
}

template <class Noise>
std::vector<Noise> listFrom(const Json& list) {
    std::vector<Noise> all;
    for (const Json& item : list.is_array() ? list : Json::array()) {
        if (!item.is_object() || all.size() == mostEntries) {
            continue;
        }
        JsonReader reader(item, {});
        ReadFields fields(reader);
        Noise one;
        listNoise(fields, one);
        if constexpr (requires { one.gpus; }) {
            one.node = nameIn(one.node);
            one.busiest = nameIn(one.busiest);
            one.gpus = listFrom<GpuNoise>(reader.member("gpus"));
        } else {
            one.neighbour = nameIn(one.neighbour);
        }
        if (reader.error() == nullptr) {
            all.push_back(std::move(one));
        }
    }
    return all;
}

}  // namespace

Json noiseJson(const std::vector<NodeNoise>& noise) {
    return listJson(noise);
}

std::vector<NodeNoise> noiseFromJson(const Json& list) {
    return listFrom<NodeNoise>(list);
}

}  // namespace dlperf::store
