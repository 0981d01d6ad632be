// Numbers of the fields of Perfetto's published schema that a trace uses (protos/perfetto/trace,
// Apache-2.0; tests/events/perfetto.proto has the same as a schema).
#pragma once

#include <cstdint>

namespace wse::vm::perfetto {

inline constexpr std::uint32_t kPacket = 1;  // of Trace

namespace packet {
inline constexpr std::uint32_t kTimestamp = 8;
inline constexpr std::uint32_t kSequence = 10;  // trusted_packet_sequence_id
inline constexpr std::uint32_t kTrackEvent = 11;
inline constexpr std::uint32_t kInternedData = 12;
inline constexpr std::uint32_t kSequenceFlags = 13;
inline constexpr std::uint32_t kTrackDescriptor = 60;
}  // namespace packet

// Of sequence_flags: names that were told before are forgotten, or needed.
inline constexpr std::uint32_t kStateCleared = 1;
inline constexpr std::uint32_t kNeedsState = 2;

namespace descriptor {
inline constexpr std::uint32_t kUuid = 1;
inline constexpr std::uint32_t kName = 2;
inline constexpr std::uint32_t kProcess = 3;
inline constexpr std::uint32_t kThread = 4;
inline constexpr std::uint32_t kParentUuid = 5;
inline constexpr std::uint32_t kCounter = 8;
inline constexpr std::uint32_t kProcessPid = 1;
inline constexpr std::uint32_t kProcessName = 6;
inline constexpr std::uint32_t kThreadPid = 1;
inline constexpr std::uint32_t kThreadTid = 2;
inline constexpr std::uint32_t kThreadName = 5;
}  // namespace descriptor

namespace event {
inline constexpr std::uint32_t kNotes = 4;  // debug_annotations
inline constexpr std::uint32_t kType = 9;
inline constexpr std::uint32_t kNameIid = 10;
inline constexpr std::uint32_t kTrackUuid = 11;
inline constexpr std::uint32_t kCounterValue = 30;
inline constexpr std::uint32_t kFlowIds = 47;
inline constexpr std::uint32_t kNoteUint = 3;
inline constexpr std::uint32_t kNoteString = 6;
inline constexpr std::uint32_t kNoteName = 10;
}  // namespace event

namespace interned {
inline constexpr std::uint32_t kEventNames = 2;
inline constexpr std::uint32_t kIid = 1;
inline constexpr std::uint32_t kName = 2;
}  // namespace interned

}  // namespace wse::vm::perfetto
