// Vector instructions on their way: who may issue, and what an issue does.
#include <algorithm>

#include "tests/oracle/descriptors.h"
#include "tests/oracle/processor.h"
#include "tests/oracle/values.h"

namespace wse::oracle {

// The control wavelet that is before the next element of an input, if the instruction does
// something on it. Elements within a packed wavelet need no other one.
const Wavelet* Processor::control_head(const Flight& flight, const Operand& operand,
                                       Cycle now) const {
  if (!operand.receives()) return nullptr;
  const isa::FabricOptions& options = operand.descriptor.options;
  const bool within = options.packed && flight.done % 2 == 1;
  if (within || options.on_control == isa::OnControl::Leave) return nullptr;
  const Wavelet* head = routers_.channel(pe_, operand.descriptor.colour).down.head(now);
  return head != nullptr && head->control ? head : nullptr;
}

bool Processor::obeys_control(const Flight& flight, Cycle now) const {
  return std::ranges::any_of(flight.operands(), [&](const Operand* operand) {
    return control_head(flight, *operand, now) != nullptr;
  });
}

// A FIFO that the instruction would wait for, if it were asynchronous.
bool Processor::stops_at_fifo(const Flight& flight, Cycle now) const {
  const bool turn =
      now >= flight.may_issue && !flight.finish && slot_until_[flight.own_send_slot ? 1 : 0] <= now;
  if (!turn || obeys_control(flight, now)) return false;
  return std::ranges::any_of(flight.operands(), [&](const Operand* operand) {
    if (operand->kind != Operand::Kind::Fifo) return false;
    const Fifo& fifo = fifos_[operand->descriptor.fifo];
    return operand == &flight.destination ? fifo.is_full() : fifo.is_empty();
  });
}

// The main thread never waits for a FIFO. Its instruction ends without taking the slot.
void Processor::end_at_fifo(Cycle now) {
  std::optional<Flight>& flight = flights_[0];
  if (!flight || !stops_at_fifo(*flight, now)) return;
  ++outcome_.met["fifo ends"];
  note_fifo(*flight);
  const Operand& to = flight->destination;
  if (to.kind == Operand::Kind::Fifo && fifos_[to.descriptor.fifo].is_full() &&
      !flight->is_unbounded()) {
    outcome_.tally.refused[{pe_, to.descriptor.fifo}] += flight->length - flight->done;
  }
  fifo_end_ = ready(*flight, now);
  flight->cut_in = now;
  end_issues(*flight, now + 1);
  did_something_ = true;
}

// What the next element, or elements, lack.
Processor::Ready Processor::ready(const Flight& flight, Cycle now) const {
  if (now < flight.may_issue || flight.done == flight.length || flight.finish) return Ready::NotNow;
  if (obeys_control(flight, now)) return Ready::Yes;
  const std::uint64_t count = at_once(flight);
  bool room = true;
  for (const Operand* operand : flight.operands()) {
    const bool written = operand == &flight.destination;
    if (operand->kind == Operand::Kind::Fifo) {
      const Fifo& fifo = fifos_[operand->descriptor.fifo];
      if (!written && fifo.is_empty()) return Ready::NoInput;
      if (written) room = !fifo.is_full();
    }
    if (!takes_wavelet(flight, *operand, count)) continue;
    const Wavelet* head = routers_.channel(pe_, operand->descriptor.colour).down.head(now);
    if (head == nullptr || head->control) return Ready::NoInput;
  }
  if (flight.destination.kind == Operand::Kind::FabricOut) room = may_send(flight, count);
  return room ? Ready::Yes : Ready::NoRoom;
}

// Elements of one issue, but for the end of a scalar's.
std::uint64_t Processor::at_once(const Flight& flight) {
  return std::min<std::uint64_t>(flight.rate, flight.length - flight.done);
}

// The second element of a packed wavelet needs no other one.
bool Processor::takes_wavelet(const Flight& flight, const Operand& operand, std::uint64_t count) {
  const bool within = operand.descriptor.options.packed && count == 1 && flight.done % 2 == 1;
  return operand.receives() && !within;
}

// A packed wavelet is sent with its second element, or with the last one.
bool Processor::sends_wavelet(const Flight& flight, std::uint64_t count) {
  const std::uint64_t behind = flight.done + count;
  return flight.destination.kind == Operand::Kind::FabricOut &&
         (!flight.destination.descriptor.options.packed || behind % 2 == 0 ||
          behind == flight.length);
}

bool Processor::may_send(const Flight& flight, std::uint64_t count) const {
  const auto ramp = static_cast<std::size_t>(isa::Port::Ramp);
  const Queue& up = routers_.channel(pe_, flight.destination.descriptor.colour).arrived[ramp];
  return !sends_wavelet(flight, count) || (!up_ramp_used_ && up.has_room());
}

// The compute slot first; the main thread before microthreads 0..7 in each slot.
void Processor::issue(Cycle now) {
  end_at_fifo(now);
  for (std::size_t slot = 0; slot < kSlots; ++slot) issue_from(slot, now);
}

void Processor::issue_from(std::size_t slot, Cycle now) {
  const bool scalar_code = slot == 0 && scalar_slot_until_ > now;
  if (scalar_code || slot_until_[slot] > now) return;
  for (std::optional<Flight>& flight : flights_) {
    if (!flight || flight->own_send_slot != (slot == 1)) continue;
    if (ready(*flight, now) != Ready::Yes) {
      if (now >= flight->may_issue && !flight->finish) note_fifo(*flight);
      continue;
    }
    flight->waits_at_fifo = false;
    issue_elements(*flight, slot, now);
    return;
  }
}

// Notes once for each wait that a FIFO holds an instruction in the middle of a long message.
void Processor::note_fifo(Flight& flight) {
  bool held = false;
  bool is_long = false;
  for (const Operand* operand : flight.operands()) {
    is_long |= operand->is_fabric() && operand->words >= kLongWords;
    if (operand->kind != Operand::Kind::Fifo) continue;
    const Fifo& fifo = fifos_[operand->descriptor.fifo];
    held |= operand == &flight.destination ? fifo.is_full() : fifo.is_empty();
  }
  if (!held || !is_long || flight.waits_at_fifo) return;
  flight.waits_at_fifo = true;
  ++outcome_.cuts[{Cut::Fifo, pe_}];
}

// All control wavelets that are before the next element are taken instead of it.
void Processor::obey_control(Flight& flight, std::size_t slot, Cycle now) {
  slot_until_[slot] = now + 1;
  bool terminates = false;
  for (const Operand* operand : flight.operands()) {
    if (control_head(flight, *operand, now) == nullptr) continue;
    const isa::Descriptor& from = operand->descriptor;
    pop(from.colour);
    ++outcome_.met["on_control " + std::string(isa::kOnControlTexts[static_cast<std::size_t>(
                                       from.options.on_control)])];
    switch (from.options.on_control) {
      case isa::OnControl::Activate: tell("told", from.task, now); break;
      case isa::OnControl::Unblock:
        if (main_ != Main::Halted) change_task(isa::Op::Unblock, from.task, now);
        break;
      default: terminates = true;
    }
  }
  if (!terminates) return;
  end_issues(flight, now + 1);
  if (flight.destination.kind == Operand::Kind::FabricOut) flight.end_claim(now + 1);
}

// After `halt` nothing is activated.
void Processor::tell(const std::string& why, std::uint32_t id, Cycle now) {
  ++outcome_.met[why];
  if (main_ != Main::Halted) change_task(isa::Op::Activate, id, now);
}

void Processor::issue_elements(Flight& flight, std::size_t slot, Cycle now) {
  issued_ = true;
  did_something_ = true;
  note_issue(flight, slot, now);
  slot_thread_[slot] = flight.thread();
  if (obeys_control(flight, now)) return obey_control(flight, slot, now);
  slot_until_[slot] = now + flight.issue_cycles;
  std::uint64_t count = at_once(flight);
  if (flight.scalars) count = std::min(count, flight.per_scalar - flight.done % flight.per_scalar);
  outcome_.elements += count;  // one that traps too
  outcome_.flops += count * flight.row->flops;
  numbers().elements += count;
  numbers().flops += count * flight.row->flops;
  for (std::uint64_t k = 0; k < count; ++k) {
    if (!element(flight, now)) return trap(now, isa::Trap::OutsideMemory);
  }
  if (flight.done < flight.length) {
    if (!flight.scalars || flight.done % flight.per_scalar != 0) return;
    flight.sets_up_from = now + flight.issue_cycles;
    flight.may_issue = flight.sets_up_from + profile_.map_gap_cycles;
    return;
  }
  end_issues(flight, now + flight.issue_cycles);
  if (flight.destination.kind == Operand::Kind::FabricOut) flight.end_claim(now + 1);
}

// Reads what holds since this cycle, before the issue changes it.
void Processor::note_issue(const Flight& flight, std::size_t slot, Cycle now) {
  const bool is_held = slot_until_[slot] == now && now > 0;
  const bool by_itself = slot_thread_[slot] == flight.thread();
  Conditions fulfilled{.own = flight.may_issue == now || (is_held && by_itself),
                       .slot = (is_held && !by_itself) || scalar_slot_until_ == now};
  const std::uint64_t count = at_once(flight);
  const bool obeys = obeys_control(flight, now);  // it takes control wavelets, and nothing else
  for (const Operand* operand : flight.operands()) {
    if (obeys && control_head(flight, *operand, now) == nullptr) continue;
    const bool written = operand == &flight.destination;
    if (operand->kind == Operand::Kind::Fifo) {
      const Fifo& fifo = fifos_[operand->descriptor.fifo];
      fulfilled.room |= written && fifo.was_full();
      fulfilled.front |= !written && fifo.was_empty();
    }
    if (!operand->is_fabric()) continue;
    const Channel& channel = routers_.channel(pe_, operand->descriptor.colour);
    const Queue& queue = operand->receives()
                             ? channel.down
                             : channel.arrived[static_cast<std::size_t>(isa::Port::Ramp)];
    if (!operand->receives()) {
      if (!sends_wavelet(flight, count)) continue;
      fulfilled.room |= queue.was_full();
      fulfilled.slot |= ramp_taken_until_ == now && ramp_thread_ != flight.thread();
      continue;
    }
    if (!obeys && !takes_wavelet(flight, *operand, count)) continue;
    const Wavelet* head = queue.head(now);
    fulfilled.word |= head != nullptr && head->visible == now;
    fulfilled.front |= queue.has_left();
  }
  outcome_.happenings.push_back(
      {now, pe_, Happening::Sort::Issue, static_cast<std::uint32_t>(flight.thread()), fulfilled});
}

void Processor::note_taken(std::uint32_t colour, Happening::Sort sort, Cycle now) {
  const Queue& queue = routers_.channel(pe_, colour).down;
  const Conditions fulfilled{.word = queue.wavelets().front().visible == now,
                             .front = queue.has_left()};
  outcome_.happenings.push_back({now, pe_, sort, colour, fulfilled});
}

// False if a wavelet names an element that its array does not have.
bool Processor::element(Flight& flight, Cycle now) {
  std::uint32_t values[3] = {};
  std::uint32_t scalar = 0;  // of a mapped one, by now
  if (flight.scalars) {
    const Operand& from = *flight.scalars;
    const std::uint64_t number = flight.done / flight.per_scalar;
    scalar = memory.read(address_of(from.descriptor, number, from.bytes), from.bytes);
  }
  for (std::size_t k = 0; k < flight.sources.size(); ++k) {
    Operand& source = flight.sources[k];
    const bool accumulates = source.kind == Operand::Kind::Register &&
                             flight.destination.kind == Operand::Kind::Register &&
                             source.reg == flight.destination.reg;
    const bool is_scalar = flight.scalars && source.kind == Operand::Kind::Value;
    const auto value = accumulates ? flight.accumulator
                       : is_scalar ? scalar
                                   : take(source, flight, now);
    if (!value) {  // the element has issued, so that what it sends counts
      if (flight.destination.kind == Operand::Kind::FabricOut) send(flight, 0, now);
      return false;
    }
    values[k] = *value;
  }
  if (!put(flight, *compute(flight.row->mnemonic, values[0], values[1], values[2]), now)) {
    return false;
  }
  ++flight.done;
  return true;
}

std::uint32_t Processor::take_word(Operand& operand) {
  const std::uint32_t colour = operand.descriptor.colour;
  const Wavelet wavelet = pop(colour);
  if (arrivals_[colour].cuts(wavelet.message, operand.words == 0)) {
    const bool indexes = operand.kind == Operand::Kind::Indexed;
    ++outcome_.cuts[{indexes ? Cut::Index : Cut::Receive, pe_}];
  }
  ++operand.words;
  ++tally(colour).taken;
  return wavelet.word;
}

// The element that the first wavelet of an indexed operand names, which is taken.
std::optional<std::uint64_t> Processor::named_address(Operand& operand) {
  const isa::Descriptor& array = operand.descriptor;
  const std::uint32_t word = take_word(operand);
  if (word >= array.ring) return std::nullopt;  // negative ones too
  return array.address + std::uint64_t{word} * array.stride * operand.bytes;
}

std::optional<std::uint32_t> Processor::take(Operand& source, const Flight& flight, Cycle now) {
  switch (source.kind) {
    case Operand::Kind::Memory: {
      const std::uint64_t place = flight.place(source, flight.done);
      return memory.read(address_of(source.descriptor, place, source.bytes), source.bytes);
    }
    case Operand::Kind::Fifo: {
      Fifo& fifo = fifos_[source.descriptor.fifo];
      if (const auto task = fifo.told_by_pop()) tell("fifo leaves full", *task, now);
      return memory.read(fifo.pop(), source.bytes);
    }
    case Operand::Kind::Indexed: {
      const std::optional<std::uint64_t> address = named_address(source);
      if (!address) return std::nullopt;
      return memory.read(*address, source.bytes);
    }
    case Operand::Kind::FabricIn: break;
    default: return source.value;
  }
  const bool packed = source.descriptor.options.packed;
  const bool second = packed && flight.done % 2 == 1;
  if (!second) source.value = take_word(source);
  if (second) return source.value >> 16;
  return source.bytes == 2 ? source.value & 0xffffu : source.value;
}

bool Processor::put(Flight& flight, std::uint32_t value, Cycle now) {
  Operand& to = flight.destination;
  switch (to.kind) {
    case Operand::Kind::Memory:
      memory.write(address_of(to.descriptor, flight.place(to, flight.done), to.bytes), to.bytes,
                   value);
      return true;
    case Operand::Kind::FabricOut: send(flight, value, now); return true;
    case Operand::Kind::Fifo: {
      Fifo& fifo = fifos_[to.descriptor.fifo];
      if (const auto task = fifo.told_by_push()) tell("fifo leaves empty", *task, now);
      memory.write(fifo.push(), to.bytes, value);
      return true;
    }
    case Operand::Kind::Indexed: {
      const std::optional<std::uint64_t> address = named_address(to);
      if (address) memory.write(*address, to.bytes, value);
      return address.has_value();
    }
    default: flight.accumulator = value; return true;
  }
}

void Processor::send(Flight& flight, std::uint32_t value, Cycle now) {
  Operand& destination = flight.destination;
  const isa::FabricOptions& options = destination.descriptor.options;
  const bool last = flight.done + 1 == flight.length;
  if (options.packed) {
    const bool second = flight.done % 2 == 1;
    destination.value = second ? destination.value | value << 16 : value;
    if (!second && !last) return;
    value = destination.value;
  }
  if (options.indexed) value |= destination.descriptor.index << 16;
  if (destination.words == 0) destination.message = routers_.new_message();
  Wavelet wavelet{.word = value, .control = options.control, .advance = options.advance && last};
  wavelet.message = destination.message;
  wavelet.visible = now + 1 + profile_.ramp_latency_cycles;
  const auto ramp = static_cast<std::size_t>(isa::Port::Ramp);
  routers_.channel(pe_, destination.descriptor.colour).arrived[ramp].push(wavelet);
  up_ramp_used_ = true;
  ramp_taken_until_ = now + 1;
  ramp_thread_ = flight.thread();
  ++outcome_.wavelets;
  ++numbers().sent;
  ++destination.words;
  if (!options.control) ++tally(destination.descriptor.colour).sent;
}

void Processor::tally_pending() const {
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    const std::optional<Flight>& flight = flights_[thread];
    if (!flight || flight->finish) continue;
    for (const Operand* operand : flight->operands()) {
      if (!operand->is_fabric()) continue;
      Tally::Pending pending{operand->words, {}};
      const std::uint64_t per_word = operand->descriptor.options.packed ? 2 : 1;
      if (!flight->is_unbounded()) pending.of = (flight->length + per_word - 1) / per_word;
      auto& all = operand->receives() ? outcome_.tally.receiving : outcome_.tally.sending;
      all[{pe_, thread, operand->descriptor.colour}] = pending;
    }
  }
}

}  // namespace wse::oracle
