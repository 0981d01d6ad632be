// Protocol buffers, by protozero.
#include "vm/events/perfetto_writer.h"

#include <algorithm>
#include <protozero/pbf_writer.hpp>

#include "vm/events/perfetto_fields.h"

namespace wse::vm {
namespace {

using protozero::pbf_writer;
namespace fields = perfetto;

constexpr std::uint64_t kFirstNumber = 1;  // of tracks, sequences and processes

}  // namespace

template <class Fill>
PerfettoWriter::Track PerfettoWriter::add(std::uint64_t process, const std::string& name,
                                          Fill fill) {
  const auto track = static_cast<Track>(sequences_.size());
  const std::uint64_t number = track + kFirstNumber;
  sequences_.push_back({.process = process == 0 ? number : process});
  std::string bytes;
  pbf_writer trace(bytes);
  {
    pbf_writer packet(trace, fields::kPacket);
    packet.add_uint32(fields::packet::kSequence, static_cast<std::uint32_t>(number));
    pbf_writer descriptor(packet, fields::packet::kTrackDescriptor);
    descriptor.add_uint64(fields::descriptor::kUuid, number);
    fill(descriptor, number, name);
  }
  bytes_(bytes);
  return track;
}

PerfettoWriter::Track PerfettoWriter::add_process(const std::string& name) {
  return add(0, name, [](pbf_writer& to, std::uint64_t number, const std::string& text) {
    pbf_writer process(to, fields::descriptor::kProcess);
    process.add_int32(fields::descriptor::kProcessPid, static_cast<std::int32_t>(number));
    process.add_string(fields::descriptor::kProcessName, text);
  });
}

PerfettoWriter::Track PerfettoWriter::add_thread(Track process, const std::string& name) {
  const std::uint64_t pid = sequences_[process].process;
  return add(pid, name, [pid](pbf_writer& to, std::uint64_t number, const std::string& text) {
    pbf_writer thread(to, fields::descriptor::kThread);
    thread.add_int32(fields::descriptor::kThreadPid, static_cast<std::int32_t>(pid));
    thread.add_int32(fields::descriptor::kThreadTid, static_cast<std::int32_t>(number));
    thread.add_string(fields::descriptor::kThreadName, text);
  });
}

PerfettoWriter::Track PerfettoWriter::add_track(Track process, const std::string& name) {
  const std::uint64_t parent = sequences_[process].process;
  return add(parent, name, [parent](pbf_writer& to, std::uint64_t, const std::string& text) {
    to.add_string(fields::descriptor::kName, text);
    to.add_uint64(fields::descriptor::kParentUuid, parent);
  });
}

PerfettoWriter::Track PerfettoWriter::add_counter(Track process, const std::string& name) {
  const std::uint64_t parent = sequences_[process].process;
  return add(parent, name, [parent](pbf_writer& to, std::uint64_t, const std::string& text) {
    to.add_string(fields::descriptor::kName, text);
    to.add_uint64(fields::descriptor::kParentUuid, parent);
    to.add_message(fields::descriptor::kCounter, std::string());
  });
}

void PerfettoWriter::write(Track track, Cycle cycle, Type type, const Event& event,
                           std::uint64_t value) {
  Sequence& sequence = sequences_[track];
  sequence.last = std::max(sequence.last, cycle);
  std::string bytes;
  pbf_writer trace(bytes);
  {
    pbf_writer packet(trace, fields::kPacket);
    packet.add_uint64(fields::packet::kTimestamp, sequence.last);
    packet.add_uint32(fields::packet::kSequence, static_cast<std::uint32_t>(track + kFirstNumber));
    packet.add_uint32(fields::packet::kSequenceFlags,
                      sequence.has_begun ? fields::kNeedsState : fields::kStateCleared);
    sequence.has_begun = true;
    std::uint64_t name = 0;
    if (!event.name.empty()) {
      const auto [known, is_new] =
          sequence.names.try_emplace(std::string(event.name), sequence.names.size() + 1);
      name = known->second;
      if (is_new) {
        pbf_writer data(packet, fields::packet::kInternedData);
        pbf_writer told(data, fields::interned::kEventNames);
        told.add_uint64(fields::interned::kIid, name);
        told.add_string(fields::interned::kName, known->first);
      }
    }
    pbf_writer to(packet, fields::packet::kTrackEvent);
    for (const Note& note : event.notes) {
      pbf_writer noted(to, fields::event::kNotes);
      noted.add_string(fields::event::kNoteName, note.name.data(), note.name.size());
      if (note.text.empty()) {
        noted.add_uint64(fields::event::kNoteUint, note.number);
      } else {
        noted.add_string(fields::event::kNoteString, note.text.data(), note.text.size());
      }
    }
    to.add_enum(fields::event::kType, static_cast<std::int32_t>(type));
    if (name != 0) to.add_uint64(fields::event::kNameIid, name);
    to.add_uint64(fields::event::kTrackUuid, track + kFirstNumber);
    if (type == Type::Counter) {
      to.add_int64(fields::event::kCounterValue, static_cast<std::int64_t>(value));
    }
    if (event.starts_flow != 0) to.add_fixed64(fields::event::kFlowIds, event.starts_flow);
    if (event.ends_flow != 0) to.add_fixed64(fields::event::kFlowIds, event.ends_flow);
  }
  bytes_(bytes);
}

void PerfettoWriter::begin(Track track, Cycle cycle, const Event& event) {
  write(track, cycle, Type::SliceBegin, event, 0);
}

void PerfettoWriter::end(Track track, Cycle cycle) { write(track, cycle, Type::SliceEnd, {}, 0); }

void PerfettoWriter::instant(Track track, Cycle cycle, const Event& event) {
  write(track, cycle, Type::Instant, event, 0);
}

void PerfettoWriter::count(Track counter, Cycle cycle, std::uint64_t value) {
  write(counter, cycle, Type::Counter, {}, value);
}

}  // namespace wse::vm
