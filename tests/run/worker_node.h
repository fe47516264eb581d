// SPDX-License-Identifier: Apache-2.0
// A node that the worker is brought to: this machine, with a home of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/remote/local_transport.h"
#include "core/run/worker_copy.h"
#include "tests/support/folder.h"

namespace dlperf::run {

namespace fs = std::filesystem;

inline constexpr const char* cudaLibrary = "libdlperf_worker_cuda.so";

inline std::string bytesOf(const fs::path& file) {
    return readFile(file, 1U << 30U).value();
}

// A program or library of C++ that is not to be loaded: the name of a library that it needs is changed to one
// of 14 letters at most.
inline std::string needing(std::string other, const fs::path& file) {
    std::string bytes = bytesOf(file);
    const std::string library = "libstdc++.so.6";
    other.resize(library.size());
    for (std::size_t at = bytes.find(library + '\0'); at != std::string::npos;
         at = bytes.find(library + '\0', at)) {
        bytes.replace(at, other.size(), other);
    }
    return bytes;
}

// A node whose uploads are counted.
class Counted : public remote::LocalTransport {
public:
    using LocalTransport::LocalTransport;
    Result<void> upload(std::string_view bytes, const std::string& path, unsigned mode,
                        const remote::Limits& limits) override {
        ++uploads;
        return LocalTransport::upload(bytes, path, mode, limits);
    }
    std::atomic<int> uploads = 0;
};

class WorkerNode : public testing::Test {
protected:
    NodeRun nodeRun(const std::string& name = "a") const {
        cluster::Node node;
        node.name = name;
        node.workDir = (folder_.path() / "it's far").string();
        return {transport_, node, launch_, "c/1"};
    }
    // A worker of these bytes.
    WorkerFiles worker(const std::string& bytes) const {
        folder_.write("here/worker", bytes);
        return readWorker(folder_.path() / "here/worker").value();
    }
    // Of a node where a run was placed that finds its worker in this folder.
    NodeRun placed(const std::string& workerFolder, const std::string& setup = {}) const {
        folder_.write("run/node.env", exportLine("DLPERF_BIN_DIR", workerFolder));
        if (!setup.empty()) {
            folder_.write("run/setup.sh", setup + "\n");
        }
        NodeRun node = nodeRun();
        node.adopt((folder_.path() / "run").string());
        return node;
    }
    // Brings it, starts it, and says what came of it.
    std::string trouble(const std::string& bytes, const std::string& setup = {}) const {
        return troubleOf(worker(bytes), setup);
    }
    std::string troubleOf(const WorkerFiles& files, const std::string& setup = {}) const {
        const auto there = bringWorker(nodeRun(), files, {});
        EXPECT_TRUE(there);
        const auto tried = tryWorker(placed(*there, setup), files.machine, {});
        return tried ? "" : describe(tried.error());
    }
    static std::string exportLine(const std::string& name, const std::string& value) {
        return "export " + name + "=\"" + value + "\"\n";
    }

    const test::Folder folder_;
    std::shared_ptr<Counted> transport_ = std::make_shared<Counted>("a");
    launch::NodeLaunch launch_;
};

}  // namespace dlperf::run
