// Texts, scalars and records on their way.
#include "scripts/host/wire.h"

namespace wse::script {
namespace {

// A field more or less in vm::Record, or in what it holds, does not compile here.
template <class Wire>
void pass_record(Wire& wire, vm::Record& record) {
  auto& [status, message, cycles, cycles_low, cycles_high, wall_seconds, width, height, machine,
         engine, transport, transport_reason, native, engine_problem, jitter, threads,
         threads_shortage, placed_pes, counters,
#define COUNTED(type, name, group, shown, joined)
#define TOTALLED(name, group, shown, joined) name,
#include "isa/machine/counters.def"
#undef TOTALLED
         trap, positions, positions_total, marks] = record;
  pass(wire, status);
  pass(wire, message);
  pass(wire, cycles);
  pass(wire, cycles_low);
  pass(wire, cycles_high);
  pass(wire, wall_seconds);
  pass(wire, width);
  pass(wire, height);
  pass(wire, machine);
  pass(wire, engine);
  pass(wire, transport);
  pass(wire, transport_reason);
  pass(wire, native);
  pass(wire, engine_problem);
  pass(wire, jitter);
  pass(wire, threads);
  pass(wire, threads_shortage);
  pass(wire, placed_pes);
  pass(wire, counters);
#define TOTALLED(name, group, shown, joined) pass(wire, name);
#include "isa/machine/counters.def"
#undef TOTALLED
#undef COUNTED
  pass(wire, trap);
  pass(wire, positions);
  pass(wire, positions_total);
  pass(wire, marks);
}

template <class Wire>
void pass_file(Wire& wire, isa::KnownFile& file) {
  auto& [id, name, own] = file;
  pass(wire, id);
  pass(wire, name);
  pass(wire, own);
}

template <class Wire>
void pass_trap(Wire& wire, vm::TrapRecord& trap) {
  auto& [kind, cycle, x, y, line, detail] = trap;
  pass(wire, kind);
  pass(wire, cycle);
  pass(wire, x);
  pass(wire, y);
  pass(wire, line);
  pass(wire, detail);
}

template <class Wire>
void pass_position(Wire& wire, vm::PositionRecord& moved) {
  auto& [x, y, colour, position] = moved;
  pass(wire, x);
  pass(wire, y);
  pass(wire, colour);
  pass(wire, position);
}

template <class T>
UserScalar incoming_scalar(Incoming& wire) {
  T value{};
  pass(wire, value);
  return value;
}

}  // namespace

void Incoming::raw(void* to, std::size_t size) {
  const bool enough = size <= left_.size();
  if (enough) {
    std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  } else {
    std::memset(to, 0, size);
    failed_ = true;
  }
}

std::size_t Incoming::length(std::size_t) {
  std::size_t count = 0;
  raw(&count, sizeof count);
  if (count <= left_.size()) return count;
  failed_ = true;
  return 0;
}

void pass(Outgoing& wire, const std::string& text) {
  wire.raw(text.data(), wire.length(text.size()));
}

void pass(Incoming& wire, std::string& text) {
  text.resize(wire.length(0));
  wire.raw(text.data(), text.size());
}

void pass(Outgoing& wire, const UserScalar& scalar) {
  const auto kind = static_cast<std::uint8_t>(scalar.index());
  pass(wire, kind);
  std::visit([&wire](const auto& value) { pass(wire, value); }, scalar);
}

void pass(Incoming& wire, UserScalar& scalar) {
  std::uint8_t kind = 0;
  pass(wire, kind);
  switch (kind) {
    case 0: scalar = incoming_scalar<bool>(wire); break;
    case 1: scalar = incoming_scalar<std::int64_t>(wire); break;
    case 2: scalar = incoming_scalar<double>(wire); break;
    default: scalar = incoming_scalar<std::string>(wire); break;
  }
}

void pass(Outgoing& wire, isa::KnownFile& file) { pass_file(wire, file); }
void pass(Incoming& wire, isa::KnownFile& file) { pass_file(wire, file); }
void pass(Outgoing& wire, vm::TrapRecord& trap) { pass_trap(wire, trap); }
void pass(Incoming& wire, vm::TrapRecord& trap) { pass_trap(wire, trap); }
void pass(Outgoing& wire, vm::PositionRecord& position) { pass_position(wire, position); }
void pass(Incoming& wire, vm::PositionRecord& position) { pass_position(wire, position); }
void pass(Outgoing& wire, vm::Record& record) { pass_record(wire, record); }
void pass(Incoming& wire, vm::Record& record) { pass_record(wire, record); }

}  // namespace wse::script
