// Traces for Perfetto, read again: slices, flows and counters of whole runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "tests/support/simulation.h"
#include "vm/events/perfetto_fields.h"
#include "vm/events/perfetto_trace.h"

namespace wse::vm {
namespace {

namespace fields = perfetto;
using protozero::pbf_reader;

constexpr std::int32_t kBegin = 1;
constexpr std::int32_t kEnd = 2;
constexpr std::int32_t kCounter = 4;

// What a trace holds, and what is wrong with its order.
struct Read {
  std::map<std::uint32_t, std::uint64_t> last{};  // times, by sequence
  std::map<std::uint32_t, int> depth{};           // slices that are open
  std::map<std::uint64_t, int> flows{};           // events of each flow
  std::map<std::uint32_t, std::uint64_t> sums{};  // of counters
  std::map<std::uint32_t, std::uint64_t> most{};  // the largest value of each
  std::map<std::uint32_t, std::string> names{};   // of tracks and processes
  std::map<std::uint32_t, std::uint64_t> parents{};
  std::size_t slices = 0;
  std::vector<std::string> wrong{};

  bool has_name(const std::string& name) const {
    return std::ranges::any_of(names, [&](const auto& known) { return known.second == name; });
  }
  std::size_t ends_of_flows() const {
    std::size_t ends = 0;
    for (const auto& [flow, events] : flows) ends += static_cast<std::size_t>(events - 1);
    return ends;
  }
};

void read_descriptor(pbf_reader descriptor, std::uint32_t sequence, Read& read) {
  while (descriptor.next()) {
    if (descriptor.tag() == fields::descriptor::kName) {
      read.names[sequence] = descriptor.get_string();
    } else if (descriptor.tag() == fields::descriptor::kParentUuid) {
      read.parents[sequence] = descriptor.get_uint64();
    } else if (descriptor.tag() == fields::descriptor::kProcess) {
      pbf_reader process = descriptor.get_message();
      while (process.next()) {
        if (process.tag() == fields::descriptor::kProcessName) {
          read.names[sequence] = process.get_string();
        } else {
          process.skip();
        }
      }
    } else {
      descriptor.skip();
    }
  }
}

void read_event(pbf_reader event, std::uint32_t sequence, Read& read) {
  std::int32_t type = 0;
  std::uint64_t value = 0;
  while (event.next()) {
    switch (event.tag()) {
      case fields::event::kType: type = event.get_enum(); break;
      case fields::event::kFlowIds: ++read.flows[event.get_fixed64()]; break;
      case fields::event::kCounterValue:
        value = static_cast<std::uint64_t>(event.get_int64());
        break;
      default: event.skip();
    }
  }
  if (type == kBegin) ++read.slices;
  if (type == kBegin) ++read.depth[sequence];
  if (type == kEnd && --read.depth[sequence] < 0) read.wrong.emplace_back("an end without a begin");
  if (type != kCounter) return;
  read.sums[sequence] += value;
  read.most[sequence] = std::max(read.most[sequence], value);
}

Read read_trace(const std::string& bytes) {
  Read read;
  pbf_reader trace(bytes);
  while (trace.next(fields::kPacket)) {
    pbf_reader packet = trace.get_message();
    std::uint32_t sequence = 0;
    while (packet.next()) {
      switch (packet.tag()) {
        case fields::packet::kTimestamp: {
          // Comes before its sequence in a packet.
          const std::uint64_t time = packet.get_uint64();
          EXPECT_TRUE(packet.next(fields::packet::kSequence));
          sequence = packet.get_uint32();
          if (time < read.last[sequence]) read.wrong.emplace_back("time goes back");
          read.last[sequence] = time;
          break;
        }
        case fields::packet::kSequence: sequence = packet.get_uint32(); break;
        case fields::packet::kTrackDescriptor:
          read_descriptor(packet.get_message(), sequence, read);
          break;
        case fields::packet::kTrackEvent: read_event(packet.get_message(), sequence, read); break;
        default: packet.skip();
      }
    }
  }
  for (const auto& [sequence, depth] : read.depth) {
    if (depth != 0) read.wrong.emplace_back("a slice does not end");
  }
  return read;
}

struct Traced {
  test_support::Simulation simulation;
  Read read;
};

Traced trace_program(const std::string& name, Cycle first = 0, Cycle last = kNever) {
  std::string bytes;
  PerfettoTrace trace([&bytes](std::string_view piece) { bytes += piece; }, first, last);
  Traced traced{test_support::simulate_program(
                    name, {.profile = "wse2", .sink = &trace, .keeps_profile = true}),
                {}};
  trace.finish();
  traced.read = read_trace(bytes);
  return traced;
}

constexpr const char* kPrograms[] = {"barrier",
                                     "broadcast",
                                     "broadcast-2d",
                                     "cg",
                                     "column-root",
                                     "diagonal-shift",
                                     "fft",
                                     "fft-2d",
                                     "gather-loopback",
                                     "gemv",
                                     "halo",
                                     "life",
                                     "message",
                                     "overlap",
                                     "pipeline-fifo",
                                     "reduce-chain",
                                     "reduce-star",
                                     "reduce-tree",
                                     "reduce-two-phase",
                                     "router",
                                     "row-root",
                                     "sentinel",
                                     "spmv",
                                     "star"};

class Perfetto : public testing::TestWithParam<const char*> {};

std::size_t pe_of(const Read& read, std::uint32_t track, std::uint32_t width) {
  const std::string& pe = read.names.at(static_cast<std::uint32_t>(read.parents.at(track)));
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  EXPECT_EQ(std::sscanf(pe.c_str(), "PE(%u, %u)", &x, &y), 2) << pe;
  return y * width + x;
}

TEST_P(Perfetto, SlicesNestAndCountersAreThoseOfTheProfile) {
  const Traced traced = trace_program(GetParam());
  const Read& read = traced.read;
  EXPECT_EQ(read.wrong, std::vector<std::string>());
  EXPECT_GT(read.slices, 0u);
  const Machine& machine = *traced.simulation.machine;
  const std::uint32_t width = machine.image().width;
  for (const std::string port : {"east", "west", "north", "south"}) {
    std::vector<std::uint64_t> sums(width * machine.image().height);
    for (const auto& [track, sum] : read.sums) {
      if (read.names.at(track) != "words " + port) continue;
      sums[pe_of(read, track, width)] += sum;
    }
    EXPECT_EQ(sums, *machine.profile_array("link_" + port)) << port;
  }
  std::vector<std::uint64_t> most(width * machine.image().height);
  for (const auto& [track, value] : read.most) {
    if (!read.names.at(track).starts_with("queue ")) continue;
    std::uint64_t& of_pe = most[pe_of(read, track, width)];
    of_pe = std::max(of_pe, value);
  }
  EXPECT_EQ(most, *machine.profile_array("queue_peak"));
}

TEST_P(Perfetto, APartIsWhole) {
  EXPECT_EQ(trace_program(GetParam(), 20, 60).read.wrong, std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Programs, Perfetto, testing::ValuesIn(kPrograms));

// The machine of a script is gone when its trace ends.
TEST(Perfetto, AnEndNeedsNoMachine) {
  std::string bytes;
  PerfettoTrace trace([&bytes](std::string_view piece) { bytes += piece; });
  test_support::simulate_program("message", {.profile = "wse2", .sink = &trace});
  trace.finish();
  EXPECT_TRUE(read_trace(bytes).has_name("queue red down-ramp"));
}

// In these each receiving instruction takes the words of one sending one.
TEST(Perfetto, AFlowLeadsToEachReceive) {
  for (const std::string name : {"message", "broadcast", "reduce-chain", "reduce-two-phase"}) {
    const Traced traced = trace_program(name);
    const auto lines = test_support::simulate_program(name, {.profile = "wse2", .trace = true});
    std::size_t receives = 0;
    for (const std::string& line : lines.trace) {
      const bool starts = line.contains(R"("event":"start")");
      if (starts && line.contains(R"("in":)")) ++receives;
    }
    EXPECT_EQ(traced.read.ends_of_flows(), receives) << name;
  }
}

}  // namespace
}  // namespace wse::vm
