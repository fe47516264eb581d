// SPDX-License-Identifier: Apache-2.0
#include "core/import/path_words.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/base/text.h"

namespace dlperf::imports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

PathWords read(std::string_view path) {
    static const Vocabulary vocabulary =
        Vocabulary::fromFile(std::filesystem::path(DLPERF_SOURCE_DIR) / "resources/vocabulary.json").value();
    std::vector<std::string> parts;
    for (const std::string_view part : split(path, '/')) {
        parts.emplace_back(part);
    }
    return readPath(parts, vocabulary);
}

// All that a path says, in one line.
std::string said(std::string_view path) {
    const PathWords words = read(path);
    std::string text = words.topology ? toString(*words.topology) : "?";
    text += " " + words.model + " b" + std::to_string(words.batchSize) + " " + words.precision + " " +
            (words.repetition ? std::to_string(*words.repetition) : "?");
    for (const std::string& feature : words.features) {
        text += " +" + feature;
    }
    return text;
}

// The trees that DLPerf's scripts write.
TEST(PathWords, OfDlperfsLayouts) {
    EXPECT_EQ(said("logs/paddle/resnet50/bz128/4n8g/r50_b128_fp32_1.log"), "4n8g r50 b128 fp32 1");
    EXPECT_EQ(said("ngc/pytorch/2n8g/r50_b256_amp_3.log"), "2n8g r50 b256 amp 3");
    EXPECT_EQ(said("fp32_ngc_bert_b48/pytorch/1n1g/bert-base-adam-training_b48_fp32_1.log"),
              "1n1g bert-base b48 fp32 1");
    EXPECT_EQ(said("logs/mindspore/resnet50/bz96/1n16g/rn50_b96_fp16_7_9.log"), "1n16g r50 b96 fp16 7");
    EXPECT_EQ(said("10n16g/r50_b1_bf16_12.log"), "10n16g r50 b1 bf16 12");
}

TEST(PathWords, OfFoldersAroundWhatIsNamed) {
    const Vocabulary none;
    const std::vector<std::string> far{"n2", "q", "single.log"};
    EXPECT_EQ(readPath(far, none, 1).devices, 0) << "anybody's folder";
    EXPECT_EQ(readPath({"q", "n2", "single.log"}, none, 1).devices, 2) << "what is named";
    EXPECT_EQ(readPath({"1n2g", "q", "single.log"}, none, 1).topology, (Topology{1, 2}));
}

// pytorch/examples with DataParallel: the topology is in the log's name, and c stands for cards.
TEST(PathWords, OfTheDataParallelScript) {
    EXPECT_EQ(said("logs/benchmark_log/cnns/resnet50_1node_bz128/1n8c_real.log"), "1n8g r50 b128  ?");
}

TEST(PathWords, OfNamesThatSayThings) {
    EXPECT_EQ(said("dali/xla/megatron_2n8g_bs64_fp16.txt"), "2n8g  b64 fp16 ? +dali +xla");
    EXPECT_EQ(said("a/slurm-1234.out"), "?  b0  ?");
    EXPECT_EQ(said("0n8g/1n0g/n1g1/8g/99999n99999g/x.log"), "?  b0  ?");
    EXPECT_EQ(said("b0/b-3/b99999999999/x.log"), "?  b0  ?");
}

// Total devices, or those of a machine, and which they are.
std::string devices(std::string_view path) {
    const PathWords words = read(path);
    return fmt::format("{} {} {}", words.devices, words.devicesPerNode, join(words.features, "+"));
}

TEST(PathWords, OfOtherPeoplesDevices) {
    EXPECT_EQ(said("logs/V100_LOG/tf_gpu8_amp_bs256.txt"), "?  b256 amp ? +v100");
    EXPECT_EQ(devices("logs/V100_LOG/tf_gpu32_amp_bs256.txt"), "32 0 v100");
    EXPECT_EQ(devices("logs/paddle/Deeplabv3_FP16_BS4-N8.log"), "8 0 ");
    EXPECT_EQ(devices("results/8xH100_80GB_SXM5_v1/PyTorch_resnet50_AMP/14.txt"), "8 0 80gb+h100+sxm5");
    EXPECT_EQ(devices("results/XE9680x8H100-SXM-80GB/resnet/result_0.txt"), "0 8 80gb+h100");
    EXPECT_EQ(devices("results/PRIMERGY-CDI-L40Sx16/ssd/result_0.txt"), "0 16 l40s");
    EXPECT_EQ(devices("results/G5500V7x8xL40S/ssd/result_0.txt"), "0 8 l40s");
    EXPECT_EQ(devices("results/G5500V7x8xA30/ssd/result_0.txt"), "0 8 a30");
    EXPECT_EQ(devices("DellEMC/results/C4140/resnet/result_2.txt"), "0 0 ");
    EXPECT_EQ(devices("2x3090/14.txt"), "2 0 ");
    EXPECT_EQ(devices("4x2080TiNVlink/14.txt"), "4 0 ");
    EXPECT_EQ(devices("resnext101_32x8d/224x224/log.txt"), "0 0 ");
    EXPECT_EQ(said("PaddleClas_ResNet50_bs256_pure_fp16_DP_N1C8_log"), "1n8g r50 b256 fp16 ?");
    EXPECT_EQ(said("PaddleClas_ResNet50_bs256_fp32_DP_N4C32_log"), "4n8g r50 b256 fp32 ?");
}

TEST(PathWords, OfFrameworks) {
    EXPECT_EQ(read("NVIDIA/results/dgxh100_n64_ngc23.04_mxnet/resnet/result_1.txt").framework, "mxnet");
    EXPECT_EQ(read("IEI/results/nf5468m6_pytorch/bert/result_0.txt").framework, "pytorch");
    EXPECT_EQ(read("4n8g/r50_b128_fp32_1.log").framework, "");
}

TEST(PathWords, TwoWordsAreOneModel) {
    EXPECT_EQ(read("PyTorch_bert_large_squad_FP16/1.txt").model, "bert-large");
    EXPECT_EQ(read("PyTorch_bert_base_squad_FP16/1.txt").model, "bert-base");
}

TEST(PathWords, TheNearerNameCounts) {
    const PathWords words = read("bz64/fp16/1n1g/2n2g/r50_b128_fp32_1.log");
    EXPECT_EQ(words.topology, (Topology{2, 2}));
    EXPECT_EQ(words.batchSize, 128);
    EXPECT_EQ(words.precision, "fp32");
    EXPECT_THAT(words.contradictions,
                ElementsAre("2n2g, though a folder says 1n1g", "fp32, though a folder says fp16",
                            "batch size 128, though a folder says batch size 64"));
    EXPECT_THAT(read("bz128/2n2g/r50_b128_fp32_1.log").contradictions, IsEmpty());
    EXPECT_EQ(devices("tmp-h3x8k/2xV100_r50.txt"), "2 0 v100");
    EXPECT_EQ(devices("8xA100/XE9680x4V100/r50.txt"), "0 4 a100+v100");
}

TEST(PathWords, OfAnyBytes) {
    EXPECT_THAT(read("\xff\xfe\x1b/\x80_b\xff_1_2.log").features, SizeIs(0));
}

}  // namespace
}  // namespace dlperf::imports
