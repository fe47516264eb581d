// SPDX-License-Identifier: Apache-2.0
#pragma once

// oneDNN 3 merged operation descriptors into primitive descriptors. This file is the only place that knows.
#include <dnnl.hpp>

namespace dlperf::worker::cpu {

// Descriptors of one convolution; any of them may be of format `any`.
struct ConvDescs {
    dnnl::memory::desc source;
    dnnl::memory::desc weights;
    dnnl::memory::desc result;
    dnnl::memory::dims strides;
    dnnl::memory::dims padding;
};

using ConvForwardDesc = dnnl::convolution_forward::primitive_desc;
using ConvBackwardDataDesc = dnnl::convolution_backward_data::primitive_desc;
using ConvBackwardWeightsDesc = dnnl::convolution_backward_weights::primitive_desc;

#if DNNL_VERSION_MAJOR >= 3

inline ConvForwardDesc convForward(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                   const ConvDescs& d) {
    return {engine,
            dnnl::prop_kind::forward_training,
            dnnl::algorithm::convolution_direct,
            d.source,
            d.weights,
            d.result,
            d.strides,
            d.padding,
            d.padding,
            attr};
}

inline ConvBackwardDataDesc convBackwardData(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                             const ConvDescs& d, const ConvForwardDesc& forward) {
    return {engine,    dnnl::algorithm::convolution_direct,
            d.source,  d.weights,
            d.result,  d.strides,
            d.padding, d.padding,
            forward,   attr};
}

inline ConvBackwardWeightsDesc convBackwardWeights(const dnnl::engine& engine,
                                                   const dnnl::primitive_attr& attr, const ConvDescs& d,
                                                   const ConvForwardDesc& forward) {
    return {engine,    dnnl::algorithm::convolution_direct,
            d.source,  d.weights,
            d.result,  d.strides,
            d.padding, d.padding,
            forward,   attr};
}

inline dnnl::matmul::primitive_desc matmul(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                           const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                           const dnnl::memory::desc& c) {
    return {engine, a, b, c, attr};
}

#else

inline ConvForwardDesc convForward(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                   const ConvDescs& d) {
    return {{dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, d.source, d.weights,
             d.result, d.strides, d.padding, d.padding},
            attr,
            engine};
}

inline ConvBackwardDataDesc convBackwardData(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                             const ConvDescs& d, const ConvForwardDesc& forward) {
    return {
        {dnnl::algorithm::convolution_direct, d.source, d.weights, d.result, d.strides, d.padding, d.padding},
        attr,
        engine,
        forward};
}

inline ConvBackwardWeightsDesc convBackwardWeights(const dnnl::engine& engine,
                                                   const dnnl::primitive_attr& attr, const ConvDescs& d,
                                                   const ConvForwardDesc& forward) {
    return {
        {dnnl::algorithm::convolution_direct, d.source, d.weights, d.result, d.strides, d.padding, d.padding},
        attr,
        engine,
        forward};
}

inline dnnl::matmul::primitive_desc matmul(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                           const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                           const dnnl::memory::desc& c) {
    return {{a, b, c}, attr, engine};
}

#endif

}  // namespace dlperf::worker::cpu
