// Frames from a worker process of a sweep: a kind, then what belongs to it. A worker sends, in this
// order, the point that it begins, what the point prints and logs, how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scripts/host/sweep_point.h"
#include "scripts/host/wire.h"

namespace wse::script {

enum class FrameKind : std::uint8_t { Begins, Prints, Logs, Ends };

template <class Wire>
void pass_point_end(Wire& wire, PointEnd& end) {
  pass(wire, end.fine);
  pass(wire, end.fields);
  pass(wire, end.message);
  pass(wire, end.ending);
  pass(wire, end.trip);
  pass(wire, end.runs);
  pass(wire, end.asked);
  pass(wire, end.files);
}

inline std::string text_frame(FrameKind kind, std::string_view text) {
  return static_cast<char>(kind) + std::string(text);
}

inline std::string begin_frame(std::uint64_t point) {
  Outgoing out;
  const FrameKind kind = FrameKind::Begins;
  pass(out, kind);
  pass(out, point);
  return std::move(out.bytes);
}

inline std::string end_frame(PointEnd& end) {
  Outgoing out;
  const FrameKind kind = FrameKind::Ends;
  pass(out, kind);
  pass_point_end(out, end);
  return std::move(out.bytes);
}

inline bool is_end_frame(std::string_view frame) {
  return !frame.empty() && static_cast<FrameKind>(frame.front()) == FrameKind::Ends;
}

}  // namespace wse::script
