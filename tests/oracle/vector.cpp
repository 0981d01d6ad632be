// Vector instructions: what their start checks, how many elements an issue moves, and the elements.
#include <algorithm>

#include "tests/oracle/descriptors.h"
#include "tests/oracle/processor.h"
#include "tests/oracle/values.h"

namespace wse::oracle {
namespace {

bool is_fabric(const Operand& operand) {
  return operand.kind == Operand::Kind::FabricIn || operand.kind == Operand::Kind::FabricOut;
}

bool has_length(const Operand& operand) {
  return operand.kind == Operand::Kind::Memory ||
         (is_fabric(operand) && operand.descriptor.length != isa::kNoLength);
}

std::string kind_name(const Operand& operand) {
  const isa::Descriptor& d = operand.descriptor;
  std::string name;
  switch (operand.kind) {
    case Operand::Kind::Value: return "scalar";
    case Operand::Kind::Register: return "register";
    case Operand::Kind::Memory:
      name =
          d.kind == isa::DescriptorKind::Circular ? "ring" : std::to_string(d.further + 1) + "-d";
      return d.saves ? name + " saved" : name;
    case Operand::Kind::FabricIn: name = "fabin"; break;
    case Operand::Kind::FabricOut: name = "fabout"; break;
  }
  if (d.options.packed) name += " packed";
  if (d.options.control) name += " control";
  if (d.options.advance) name += " advance";
  if (d.options.indexed) name += " index";
  return name;
}

// Sources of vector instructions without the last letter of Vector3, which is always a scalar.
std::size_t source_count(isa::Format format) {
  return format == isa::Format::Vector1 ? 1 : format == isa::Format::Vector2 ? 2 : 3;
}

}  // namespace

// The scalar operand is a value of the start, whatever register it comes from; the accumulator of a
// reduction is a source that names the destination's register itself.
Operand Processor::operand(isa::SourceKind kind, std::uint32_t number, std::uint32_t bytes,
                           const isa::Instruction& code, bool written) const {
  Operand made;
  made.bytes = bytes;
  switch (kind) {
    case isa::SourceKind::Register:
      made.kind = Operand::Kind::Register;
      made.reg = number;
      made.value = registers_[number];
      return made;
    case isa::SourceKind::Scalar: made.value = scalar_value(code); return made;
    case isa::SourceKind::Descriptor: break;
  }
  made.descriptor = descriptors_[number];
  made.kind = isa::is_memory(made.descriptor.kind) ? Operand::Kind::Memory
              : written                            ? Operand::Kind::FabricOut
                                                   : Operand::Kind::FabricIn;
  if (made.descriptor.saves) made.saves_to = number;
  return made;
}

std::optional<isa::Trap> Processor::start_vector(const isa::Instruction& code,
                                                 const isa::InstructionInfo& row, Cycle now) {
  Flight flight;
  flight.row = &row;
  flight.code = code;
  const auto destination_kind = static_cast<isa::SourceKind>(code.destination_kind);
  const isa::SourceKind kinds[] = {code.source_a_operand(), code.source_b_operand(),
                                   isa::SourceKind::Scalar};
  const std::uint32_t numbers[] = {code.source_a, code.source_b, 0};
  for (std::size_t k = 0; k < source_count(row.format); ++k) {
    flight.sources.push_back(operand(kinds[k], numbers[k], row.source_bytes(k), code, false));
    if (kinds[k] == isa::SourceKind::Descriptor && !fits(descriptors_[numbers[k]], false)) {
      return isa::Trap::UnsetDescriptor;
    }
  }
  flight.destination = operand(destination_kind, code.destination, row.result_bytes(), code, true);
  flight.accumulator = flight.destination.value;
  if (destination_kind == isa::SourceKind::Descriptor &&
      !fits(descriptors_[code.destination], true)) {
    return isa::Trap::UnsetDescriptor;
  }
  if (const auto cause = set_length(flight)) return cause;
  if (const auto cause = check_memory(flight)) return cause;
  const std::size_t thread = code.asynchronous != 0 ? 1 + code.microthread : 0;
  if (const auto cause = check_partners(flight, thread)) return cause;
  if (const auto cause = check_words(flight)) return cause;
  set_rate(flight);
  for (const Operand& source : flight.sources) ++outcome_.met["operand " + kind_name(source)];
  ++outcome_.met["operand " + kind_name(flight.destination)];

  flight.may_issue = now + profile_.vector_start_cycles;
  if (flight.length == 0) {
    flight.finish = flight.may_issue + profile_.vector_drain_cycles;
    if (is_fabric(flight.destination) && flight.destination.descriptor.options.advance) {
      Channel& channel = routers_.channel(pe_, flight.destination.descriptor.colour);
      routers_.later([&channel] { channel.set_position_by(1); });
    }
  }
  flights_[thread] = std::move(flight);
  if (thread == 0) {
    main_ = Main::InVector;
    awaited_ = 0;
  }
  // Without elements, start and drain it has finished already, before the code behind it.
  if (flights_[thread]->finish && *flights_[thread]->finish <= now) finish(thread, now);
  return std::nullopt;
}

// From the first source that has a length, else from the destination; one fabric operand beside
// scalars moves one word.
std::optional<isa::Trap> Processor::set_length(Flight& flight) const {
  std::vector<const Operand*> operands;
  for (const Operand& source : flight.sources) operands.push_back(&source);
  operands.push_back(&flight.destination);
  const auto first =
      std::ranges::find_if(operands, [](const Operand* o) { return has_length(*o); });
  if (first == operands.end()) {
    const auto fabric =
        std::ranges::count_if(operands, [](const Operand* o) { return is_fabric(*o); });
    if (fabric > 1) return isa::Trap::NoLength;
    flight.length = 1;
    return std::nullopt;
  }
  flight.length = (*first)->descriptor.length;
  for (const Operand* operand : operands) {
    if (operand->kind == Operand::Kind::Memory && operand->descriptor.length < flight.length) {
      return isa::Trap::ShortOperand;
    }
  }
  return std::nullopt;
}

std::optional<isa::Trap> Processor::check_memory(const Flight& flight) const {
  std::vector<const Operand*> operands;
  for (const Operand& source : flight.sources) operands.push_back(&source);
  operands.push_back(&flight.destination);
  for (const Operand* operand : operands) {
    if (operand->kind != Operand::Kind::Memory) continue;
    for (std::uint64_t k = 0; k < flight.length; ++k) {
      const std::uint64_t address = address_of(operand->descriptor, k, operand->bytes);
      if (const auto cause = memory.refuses(address, operand->bytes)) return cause;
    }
  }
  return std::nullopt;
}

// The microthread, one producer and one consumer for each colour.
std::optional<isa::Trap> Processor::check_partners(const Flight& flight, std::size_t thread) const {
  if (flights_[thread]) return isa::Trap::BusyMicrothread;
  const auto sends_on = [](const Flight& other, std::uint32_t colour) {
    return other.destination.kind == Operand::Kind::FabricOut &&
           other.destination.descriptor.colour == colour;
  };
  const auto receives_from = [](const Flight& other, std::uint32_t colour) {
    return std::ranges::any_of(other.sources, [colour](const Operand& source) {
      return source.kind == Operand::Kind::FabricIn && source.descriptor.colour == colour;
    });
  };
  for (const std::optional<Flight>& other : flights_) {
    if (other && flight.destination.kind == Operand::Kind::FabricOut &&
        sends_on(*other, flight.destination.descriptor.colour)) {
      return isa::Trap::TwoProducers;
    }
  }
  for (const Operand& source : flight.sources) {
    if (source.kind != Operand::Kind::FabricIn) continue;
    const std::uint32_t colour = source.descriptor.colour;
    if (data_task_takes(colour)) return isa::Trap::TwoConsumers;
    for (const std::optional<Flight>& other : flights_) {
      if (other && receives_from(*other, colour)) return isa::Trap::TwoConsumers;
    }
  }
  return std::nullopt;
}

// The overlap of the instruction with itself, then races with what is in flight; then its claim.
std::optional<isa::Trap> Processor::check_words(Flight& flight) {
  const auto words_of = [&flight](const Operand& operand) {
    Words words;
    if (operand.kind != Operand::Kind::Memory) return words;
    for (std::uint64_t k = 0; k < flight.length; ++k) {
      add_words(words, address_of(operand.descriptor, k, operand.bytes), operand.bytes);
    }
    return words;
  };
  const Words written = words_of(flight.destination);
  Words read;
  for (const Operand& source : flight.sources) {
    if (source.kind != Operand::Kind::Memory) continue;
    const Words words = words_of(source);
    bool same = true;
    for (std::uint64_t k = 0; k < flight.length && !written.empty(); ++k) {
      same = same && address_of(source.descriptor, k, source.bytes) ==
                         address_of(flight.destination.descriptor, k, flight.destination.bytes);
    }
    const bool meet = std::ranges::any_of(
        words, [&written](std::uint32_t word) { return written.contains(word); });
    if (meet && !same) return isa::Trap::Overlap;
    read.insert(words.begin(), words.end());
  }
  if (!memory.may_read(read) || !memory.may_write(written)) return isa::Trap::MemoryRace;
  flight.claim = memory.claim(read, written);
  return std::nullopt;
}

// min(SIMD table, memory ports, stride rule, fabric), and the bank rule.
void Processor::set_rate(Flight& flight) const {
  std::uint32_t rate = isa::cost_of(profile_, flight.row->cost).simd;
  std::uint32_t read_bytes = 0;
  const auto limit = [&rate](std::uint32_t most) { rate = std::min(rate, most); };
  const auto look_at = [&](const Operand& operand) {
    if (is_fabric(operand)) limit(operand.descriptor.options.packed ? 2 : 1);
    if (operand.kind != Operand::Kind::Memory) return;
    const auto banks = static_cast<std::int32_t>(profile_.banks);
    const std::int32_t stride =
        innermost_stride(operand.descriptor) * static_cast<std::int32_t>(operand.bytes / 2);
    const std::int32_t turn = (stride % banks + banks) % banks;
    if ((turn == 1 || turn == banks - 1) && stride != 1) limit(profile_.stride_odd_limit);
    if (turn == 0 && stride != 0) limit(profile_.stride_one_bank_limit);
  };
  std::vector<std::uint64_t> first_words;
  for (const Operand& source : flight.sources) {
    look_at(source);
    if (source.kind != Operand::Kind::Memory) continue;
    read_bytes += source.bytes;
    first_words.push_back(address_of(source.descriptor, 0, source.bytes) / 2);
  }
  look_at(flight.destination);
  if (read_bytes > 0) limit(profile_.read_port_bytes / read_bytes);
  if (flight.destination.kind == Operand::Kind::Memory) {
    limit(profile_.write_port_bytes / flight.destination.bytes);
  }
  flight.rate = std::max(rate, 1u);
  const std::uint32_t half = profile_.banks / 2;
  const bool conflict = first_words.size() == 2 && first_words[0] % half == first_words[1] % half;
  flight.issue_cycles = conflict ? profile_.bank_conflict_cycles : 1;
  const bool receives = std::ranges::any_of(flight.sources, is_fabric);
  flight.own_send_slot = profile_.issue == static_cast<std::uint32_t>(isa::IssueMode::Duplex) &&
                         flight.destination.kind == Operand::Kind::FabricOut && !receives;
}

// A packed wavelet is taken with its first element and sent with its second, or the last one.
Processor::Ready Processor::ready(const Flight& flight, Cycle now) const {
  if (now < flight.may_issue || flight.done == flight.length) return Ready::NotNow;
  const std::uint64_t count = std::min<std::uint64_t>(flight.rate, flight.length - flight.done);
  for (const Operand& source : flight.sources) {
    if (source.kind != Operand::Kind::FabricIn) continue;
    const bool within = source.descriptor.options.packed && count == 1 && flight.done % 2 == 1;
    if (within) continue;
    const Wavelet* head = routers_.channel(pe_, source.descriptor.colour).down.head(now);
    if (head == nullptr || head->control) return Ready::NoInput;
  }
  const Operand& destination = flight.destination;
  if (destination.kind != Operand::Kind::FabricOut) return Ready::Yes;
  const std::uint64_t behind = flight.done + count;
  const bool sends =
      !destination.descriptor.options.packed || behind % 2 == 0 || behind == flight.length;
  if (!sends) return Ready::Yes;
  const auto ramp = static_cast<std::size_t>(isa::Port::Ramp);
  const Channel& channel = routers_.channel(pe_, destination.descriptor.colour);
  return up_ramp_used_ || !channel.arrived[ramp].has_room() ? Ready::NoRoom : Ready::Yes;
}

// The compute slot first; the main thread before microthreads 0..7 in each slot.
void Processor::issue(Cycle now) {
  for (std::size_t slot = 0; slot < kSlots; ++slot) issue_from(slot, now);
}

void Processor::issue_from(std::size_t slot, Cycle now) {
  const bool scalar_code = slot == 0 && scalar_slot_until_ > now;
  if (scalar_code || slot_until_[slot] > now) return;
  for (std::optional<Flight>& flight : flights_) {
    if (!flight || flight->own_send_slot != (slot == 1)) continue;
    if (ready(*flight, now) != Ready::Yes) continue;
    issue_elements(*flight, slot, now);
    return;
  }
}

void Processor::issue_elements(Flight& flight, std::size_t slot, Cycle now) {
  issued_ = true;
  did_something_ = true;
  slot_until_[slot] = now + flight.issue_cycles;
  const std::uint64_t count = std::min<std::uint64_t>(flight.rate, flight.length - flight.done);
  for (std::uint64_t k = 0; k < count; ++k) element(flight, now);
  outcome_.elements += count;
  outcome_.flops += count * flight.row->flops;
  flight.last_issue = now;
  if (flight.done < flight.length) return;
  flight.finish = now + flight.issue_cycles + profile_.vector_drain_cycles;
  if (flight.destination.kind == Operand::Kind::FabricOut) flight.claim->end = now + 1;
}

void Processor::element(Flight& flight, Cycle now) {
  std::uint32_t values[3] = {};
  for (std::size_t k = 0; k < flight.sources.size(); ++k) {
    Operand& source = flight.sources[k];
    const bool accumulates = source.kind == Operand::Kind::Register &&
                             flight.destination.kind == Operand::Kind::Register &&
                             source.reg == flight.destination.reg;
    values[k] = accumulates ? flight.accumulator : take(source, flight);
  }
  const std::uint32_t made = *compute(flight.row->mnemonic, values[0], values[1], values[2]);
  const Operand& destination = flight.destination;
  switch (destination.kind) {
    case Operand::Kind::Memory:
      memory.write(address_of(destination.descriptor, flight.done, destination.bytes),
                   destination.bytes, made);
      break;
    case Operand::Kind::FabricOut: send(flight, made, now); break;
    default: flight.accumulator = made;
  }
  ++flight.done;
}

std::uint32_t Processor::take(Operand& source, const Flight& flight) {
  if (source.kind == Operand::Kind::Memory) {
    const std::uint64_t address = address_of(source.descriptor, flight.done, source.bytes);
    return memory.read(address, source.bytes);
  }
  if (source.kind != Operand::Kind::FabricIn) return source.value;
  const bool packed = source.descriptor.options.packed;
  const bool second = packed && flight.done % 2 == 1;
  if (!second) source.value = routers_.channel(pe_, source.descriptor.colour).down.pop().word;
  if (second) return source.value >> 16;
  return source.bytes == 2 ? source.value & 0xffffu : source.value;
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
  Wavelet wavelet{.word = value, .control = options.control, .advance = options.advance && last};
  wavelet.visible = now + 1 + profile_.ramp_latency_cycles;
  const auto ramp = static_cast<std::size_t>(isa::Port::Ramp);
  routers_.channel(pe_, destination.descriptor.colour).arrived[ramp].push(wavelet);
  up_ramp_used_ = true;
  ++outcome_.wavelets;
}

}  // namespace wse::oracle
