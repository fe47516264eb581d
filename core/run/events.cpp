// SPDX-License-Identifier: Apache-2.0
#include "core/run/events.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/store/fields.h"

namespace dlperf::run {
namespace {

constexpr int anyNumber = std::numeric_limits<int>::max();

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

Json timeJson(const std::optional<TimePoint>& time) {
    return time ? Json(toIso8601(*time)) : Json();
}

// The words are those of journals that earlier versions wrote.
Json fieldsOf(const Happening& what) {
    return std::visit(
        Overloaded{
            [](const event::Began& began) -> Json {
                return {{"event", "began"}, {"repetition", began.repetition}, {"folder", began.folder}};
            },
            [](const event::JobSubmitted& submitted) -> Json {
                return {{"event", "job"}, {"job", submitted.slurm.job}, {"folder", submitted.slurm.folder}};
            },
            [](const event::QueueReached& reached) -> Json {
                return {{"event", "in-queue"}, {"message", reached.message}};
            },
            [](const event::NodesGiven& given) -> Json {
                return {{"event", "nodes"}, {"nodes", given.nodes}};
            },
            [](const event::PhaseReached& reached) -> Json {
                return {{"event", "state"}, {"state", toString(reached.phase)}};
            },
            [](const event::AlertsChanged& changed) -> Json {
                return {{"event", "troubles"}, {"troubles", toJson(changed.alerts)}};
            },
            [](const event::AlreadyThere&) -> Json {
                return {{"event", "already-there"}};
            },
            [](const event::Added& added) -> Json {
                Json json{
                    {"event", "added"}, {"batch_size", added.batchSize}, {"repetition", added.repetition}};
                if (added.variant) {
                    json["variant"] = *added.variant;
                }
                return json;
            },
            [](const event::SkipChanged& changed) -> Json {
                return {{"event", changed.skipped ? "left-out" : "kept"}};
            },
            [](const event::DeletedChanged& changed) -> Json {
                return {{"event", changed.deleted ? "deleted" : "restored"}};
            },
            [](const event::Retried&) -> Json {
                return {{"event", "retried"}};
            },
            [](const event::Ended& ended) -> Json {
                return {{"event", ended.named ? "ended" : "ending"},
                        {"outcome", dlperf::toString(ended.verdict.outcome)},
                        {"reason", ended.verdict.reason},
                        {"folder", ended.folder},
                        {"throughput", ended.throughput ? Json(*ended.throughput) : Json()},
                        {"started", timeJson(ended.startTime)},
                        {"ended", timeJson(ended.endTime)},
                        {"memory_mb", ended.memoryMb ? Json(*ended.memoryMb) : Json()}};
            },
            [](const event::PauseChanged& changed) -> Json {
                return {{"event", changed.paused ? "paused" : "continued"}};
            },
            [](const event::ClaimBegan&) -> Json {
                return {{"event", "claiming"}};
            },
            [](const event::Claimed& claimed) -> Json {
                return {{"event", "claimed"},
                        {"node", claimed.node},
                        {"home", claimed.claim.home},
                        {"folder", claimed.claim.folder},
                        {"gpu", claimed.claim.gpuProcesses}};
            },
            [](const event::Warned& warned) -> Json {
                return {{"event", "warned"},
                        {"kind", warned.warning.kind},
                        {"what", warned.warning.what},
                        {"where", warned.warning.where}};
            },
            [](const event::PortAllocated& allocated) -> Json {
                return {{"event", "port"}, {"port", allocated.port}};
            },
            [](const event::StartBegan&) -> Json {
                return {{"event", "starting"}};
            },
            [](const event::Started& started) -> Json {
                return {{"event", "started"}, {"node", started.node}, {"identity", toJson(started.identity)}};
            },
            [](const StopDecision& stop) -> Json {
                Json json{{"event", "stopping"}, {"cause", toString(stop.cause)}, {"reason", stop.reason}};
                if (!stop.node.empty()) {
                    json["node"] = stop.node;
                }
                return json;
            },
            [](const event::Stopped&) -> Json {
                return {{"event", "stopped"}};
            },
            [](const event::Judged& judged) -> Json {
                return {{"event", "ended"},
                        {"outcome", dlperf::toString(judged.verdict.outcome)},
                        {"reason", judged.verdict.reason}};
            }},
        what);
}

// Reads one event's fields; the first that is missing or wrong becomes the error.
class EventReader {
public:
    EventReader(const Json& json, const std::string& where) : json_(json), reader_(json, where) {}

    const Error* error() const { return reader_.error(); }

    std::optional<std::size_t> run() {
        return json_.contains("run") ? std::optional(rank("run")) : std::nullopt;
    }
    TimePoint time() {
        const auto time = timeOf("time");
        if (!time) {
            reader_.addError("\"time\" is missing");
        }
        return time.value_or(TimePoint{});
    }

    std::optional<Happening> what() {
        const std::string word = reader_.requiredText("event");
        if (auto found = json_.contains("run") ? ofRun(word) : ofRunsJournal(word)) {
            return found;
        }
        if (word == "paused" || word == "continued") {
            return event::PauseChanged{word == "paused"};
        }
        return std::nullopt;
    }

private:
    std::optional<Happening> ofRun(const std::string& word) {
        if (word == "began") {
            return event::Began{reader_.integer("repetition", 0, 0, anyNumber),
                                reader_.requiredText("folder")};
        }
        if (word == "job") {
            return event::JobSubmitted{{reader_.requiredText("job"), reader_.text("folder")}};
        }
        if (word == "already-there") {
            return event::AlreadyThere{};
        }
        if (word == "added") {
            event::Added added{requiredInteger("batch_size", 1, anyNumber),
                               requiredInteger("repetition", 1, anyNumber)};
            if (!reader_.member("variant").is_null()) {
                store::ReadFields fields(reader_);
                fields("variant", added.variant.emplace());
            }
            return added;
        }
        if (word == "in-queue") {
            return event::QueueReached{reader_.text("message")};
        }
        if (word == "nodes") {
            return event::NodesGiven{reader_.texts("nodes")};
        }
        if (word == "state") {
            return event::PhaseReached{parsed("state", parseRunPhase)};
        }
        if (word == "troubles") {
            return event::AlertsChanged{alertsFromJson(reader_.member("troubles"))};
        }
        if (word == "left-out" || word == "kept") {
            return event::SkipChanged{word == "left-out"};
        }
        if (word == "deleted" || word == "restored") {
            return event::DeletedChanged{word == "deleted"};
        }
        if (word == "retried") {
            return event::Retried{};
        }
        if (word == "ending" || word == "ended") {
            return event::Ended{
                word == "ended",   verdict(),       reader_.text("folder"),     reader_.number("throughput"),
                timeOf("started"), timeOf("ended"), reader_.number("memory_mb")};
        }
        return std::nullopt;
    }

    std::optional<Happening> ofRunsJournal(const std::string& word) {
        if (word == "claiming") {
            return event::ClaimBegan{};
        }
        if (word == "claimed") {
            return event::Claimed{
                rank("node"), {reader_.text("home"), reader_.requiredText("folder"), reader_.texts("gpu")}};
        }
        if (word == "warned") {
            return event::Warned{
                {reader_.requiredText("kind"), reader_.requiredText("what"), reader_.text("where")}};
        }
        if (word == "port") {
            return event::PortAllocated{requiredInteger("port", 1, 65535)};
        }
        if (word == "starting") {
            return event::StartBegan{};
        }
        if (word == "started") {
            const auto identity = identityFromJson(reader_.member("identity"));
            if (!identity) {
                reader_.addError("\"identity\" must name a process");
            }
            return event::Started{rank("node"), identity.value_or(Identity{})};
        }
        if (word == "stopping") {
            return StopDecision{parsed("cause", parseStopCause), reader_.text("reason"),
                                reader_.text("node")};
        }
        if (word == "stopped") {
            return event::Stopped{};
        }
        if (word == "ended") {
            return event::Judged{verdict()};
        }
        return std::nullopt;
    }

    int requiredInteger(const char* field, int lowest, int highest) {
        if (reader_.member(field).is_null()) {
            reader_.addError("\"" + std::string(field) + "\" is missing");
        }
        return reader_.integer(field, lowest, lowest, highest);
    }

    std::size_t rank(const char* field) {
        return static_cast<std::size_t>(requiredInteger(field, 0, anyNumber));
    }

    template <class Value>
    Value parsed(const char* field, std::optional<Value> (*parse)(const std::string&)) {
        const auto value = parse(reader_.requiredText(field));
        if (!value) {
            reader_.addError("\"" + std::string(field) + "\" has no known value");
        }
        return value.value_or(Value{});
    }

    Verdict verdict() { return {parsed("outcome", parseOutcome), reader_.text("reason")}; }

    std::optional<TimePoint> timeOf(const char* field) {
        const Json& value = reader_.member(field);
        const auto time = value.is_string() ? parseIso8601(value.get<std::string>()) : std::nullopt;
        if (!value.is_null() && !time) {
            reader_.addError("\"" + std::string(field) + "\" must be a time");
        }
        return time;
    }

    const Json& json_;
    JsonReader reader_;
};

// As it was planned, with this id.
RunState plannedAgain(const RunState& run, std::string id) {
    RunState next;
    next.id = std::move(id);
    next.campaign = run.campaign;
    next.completes = run.completes;
    next.benchmarkCase = run.benchmarkCase;
    next.defaults = run.defaults;
    next.repetition = run.repetition;
    next.unit = run.unit;
    next.format = run.format;
    next.range = run.range;
    next.recipeTitle = run.recipeTitle;
    next.nodes = run.nodes;
    return next;
}

// Its id is another one, for a node that was not reached may still have what the last attempt left there.
RunState nextAttemptOf(const RunState& run) {
    RunId id = parseRunId(run.id);
    ++id.attempt;
    return plannedAgain(run, toString(id));
}

RunState addedLike(const RunState& run, const event::Added& added, std::string id) {
    RunState next = plannedAgain(run, std::move(id));
    next.benchmarkCase.configuration.batchSize = added.batchSize;
    next.benchmarkCase.configuration.variant =
        added.variant.value_or(next.benchmarkCase.configuration.variant);
    next.repetition = added.repetition;
    return next;
}

}  // namespace

Json toJson(const Event& event) {
    Json json = fieldsOf(event.what);
    if (event.run) {
        json["run"] = *event.run;
    }
    json["time"] = toIso8601(event.time);
    return json;
}

Result<std::optional<Event>> eventFromJson(const Json& json, const std::string& where) {
    EventReader reader(json, where);
    std::optional<Event> event;
    if (auto what = reader.what()) {
        event = Event{std::move(*what), reader.run(), reader.time()};
    }
    return reader.error() == nullptr ? Result<std::optional<Event>>(std::move(event))
                                     : Failure(*reader.error());
}

void apply(RunState& state, const Event& event) {
    std::visit(
        Overloaded{[&](const event::Began& began) {
                       state.repetition = began.repetition;
                       state.folder = state.workFolder = began.folder;
                       state.phase = RunPhase::Preparing;
                       state.started = event.time;
                   },
                   [&](const event::JobSubmitted& submitted) { state.slurm = submitted.slurm; },
                   [&](const event::QueueReached& reached) {
                       state.phase = RunPhase::InQueue;
                       state.message = reached.message;
                   },
                   [&](const event::NodesGiven& given) {
                       state.nodes = given.nodes;
                       state.message.clear();
                   },
                   [&](const event::PhaseReached& reached) {
                       state.phase = reached.phase;
                       state.alerts.clear();
                   },
                   [&](const event::AlertsChanged& changed) {
                       state.alerts = changed.alerts;
                       follow(state.disturbances, changed.alerts, event.time);
                   },
                   [&](const event::AlreadyThere&) {
                       state.alreadyThere = true;
                       state.phase = RunPhase::Finished;
                       state.outcome = Outcome::NotRun;
                       state.reason = "an earlier run of its case counts in its place";
                   },
                   [&](const event::SkipChanged& changed) { state.skipped = changed.skipped; },
                   [&](const event::DeletedChanged& changed) { state.deleted = changed.deleted; },
                   [&](const event::Retried&) { state = nextAttemptOf(state); },
                   [&](const event::Ended& ended) {
                       state.settling = !ended.named;
                       state.phase = ended.named ? RunPhase::Finished : RunPhase::Stopping;
                       state.alerts.clear();
                       state.skipped = false;
                       state.outcome = ended.verdict.outcome;
                       state.reason = ended.verdict.reason;
                       state.folder = ended.folder;
                       state.throughput = ended.throughput;
                       state.started = ended.startTime;
                       state.ended = ended.endTime;
                       state.memoryMb = ended.memoryMb;
                   },
                   [&](const event::Claimed& claimed) { state.claims[claimed.node] = claimed.claim; },
                   [&](const event::Warned& warned) {
                       if (std::ranges::find(state.warnings, warned.warning) == state.warnings.end()) {
                           state.warnings.push_back(warned.warning);  // the check may be made again
                       }
                   },
                   [&](const event::PortAllocated& allocated) { state.masterPort = allocated.port; },
                   [&](const event::StartBegan&) {
                       if (!state.startBegan) {
                           state.startBegan = state.started = event.time;
                       }
                   },
                   [&](const event::Started& started) { state.trainers[started.node] = started.identity; },
                   [&](const StopDecision& stop) {
                       if (!state.stop) {
                           state.stop = stop;
                       }
                   },
                   [&](const event::Judged& judged) {
                       state.outcome = judged.verdict.outcome;
                       state.reason = judged.verdict.reason;
                   },
                   [](const event::Added&) {},
                   [](const event::PauseChanged&) {},
                   [](const event::ClaimBegan&) {},
                   [](const event::Stopped&) {}},
        event.what);
}

void apply(Campaign& campaign, const Event& event) {
    if (const auto* changed = std::get_if<event::PauseChanged>(&event.what)) {
        campaign.paused = changed->paused;
    } else if (event.run && *event.run >= campaign.runs.size()) {
        return;  // a damaged journal may name any run
    } else if (const auto* added = std::get_if<event::Added>(&event.what); added != nullptr && event.run) {
        campaign.runs.push_back(
            addedLike(campaign.runs[*event.run], *added, runIdOf(campaign.id, campaign.runs.size())));
    } else if (event.run) {
        apply(campaign.runs[*event.run], event);
    }
}

event::Ended endOf(const RunState& run, bool named) {
    return {named,       {run.outcome, run.reason}, run.folder, run.throughput, run.started, run.ended,
            run.memoryMb};
}

}  // namespace dlperf::run
