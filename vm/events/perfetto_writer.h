// Packets of a trace for Perfetto, https://ui.perfetto.dev: the fields of its published schema that
// are used (perfetto_fields.h), one after the other. A nanosecond stands for a cycle.
//
// Each track has a sequence of its own, on which time ascends: what comes too early is moved to the
// last time of its track.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vm/support/time.h"

namespace wse::vm {

class PerfettoWriter {
 public:
  using Bytes = std::function<void(std::string_view bytes)>;

  // A number of a track that this writer has made.
  using Track = std::uint32_t;

  explicit PerfettoWriter(Bytes bytes) : bytes_(std::move(bytes)) {}

  // A process of Perfetto, and tracks in it: of threads, of other things, of numbers over time.
  Track add_process(const std::string& name);
  Track add_thread(Track process, const std::string& name);
  Track add_track(Track process, const std::string& name);
  Track add_counter(Track process, const std::string& name);

  // What is told of an event beside its name; text where there is some.
  struct Note {
    std::string_view name;
    std::uint64_t number = 0;
    std::string_view text{};
  };
  struct Event {
    std::string_view name{};
    std::vector<Note> notes{};
    std::uint64_t starts_flow = 0;  // numbers of flows, from 1 on; 0: none
    std::uint64_t ends_flow = 0;
  };
  // Slices of a track lie in each other.
  void begin(Track track, Cycle cycle, const Event& event);
  void end(Track track, Cycle cycle);
  void instant(Track track, Cycle cycle, const Event& event);
  void count(Track counter, Cycle cycle, std::uint64_t value);

 private:
  struct Sequence {
    std::uint64_t process = 0;  // its number, or that of the one it belongs to
    Cycle last = 0;
    bool has_begun = false;
    std::map<std::string, std::uint64_t, std::less<>> names{};  // that it has told
  };
  enum class Type : std::int32_t { SliceBegin = 1, SliceEnd = 2, Instant = 3, Counter = 4 };

  template <class Fill>
  Track add(std::uint64_t process, const std::string& name, Fill fill);
  void write(Track track, Cycle cycle, Type type, const Event& event, std::uint64_t value);

  Bytes bytes_;
  std::vector<Sequence> sequences_{};
};

}  // namespace wse::vm
