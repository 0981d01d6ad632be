// The start of a vector instruction: what it checks, in which order, and its rate.
#include <algorithm>

#include "tests/oracle/descriptors.h"
#include "tests/oracle/noops.h"
#include "tests/oracle/processor.h"
#include "tests/oracle/values.h"

namespace wse::oracle {
namespace {

bool has_length(const Operand& operand) {
  return operand.kind == Operand::Kind::Memory ||
         (operand.is_fabric() && operand.descriptor.bounds_instruction());
}

// Every element of an array that wavelets may name.
std::uint64_t named_element(const isa::Descriptor& descriptor, std::uint32_t k,
                            std::uint32_t bytes) {
  return descriptor.address + std::uint64_t{k} * descriptor.stride * bytes;
}

// How many elements of a memory operand an instruction can meet. Without a bound: a whole ring.
std::uint64_t elements_met(const Operand& operand, const Flight& flight) {
  if (flight.scalars && operand.saves_to == ~0u) return std::min(flight.per_scalar, flight.length);
  return flight.is_unbounded() ? operand.descriptor.ring : flight.length;
}

// Memory alone lets no thread wait, so it needs none of its own.
bool can_wait(const Flight& flight) {
  return std::ranges::any_of(flight.operands(), [](const Operand* operand) {
    return operand->is_fabric() || operand->kind == Operand::Kind::Fifo;
  });
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
      if (d.further == 0 && d.stride < 0) name += " backwards";
      return d.saves ? name + " saved" : name;
    case Operand::Kind::Fifo: return "fifo";
    case Operand::Kind::FabricIn: name = "fabin"; break;
    case Operand::Kind::FabricOut: name = "fabout"; break;
    case Operand::Kind::Indexed: name = "indexed"; break;
  }
  if (d.is_unbounded()) name += " unbounded";
  if (d.options.on_control != isa::OnControl::Leave) {
    name += " ";
    name += isa::kOnControlTexts[static_cast<std::size_t>(d.options.on_control)];
  }
  if (d.options.packed) name += " packed";
  if (d.options.control) name += " control";
  if (d.options.advance) name += " advance";
  if (d.options.indexed) name += " index";
  return name;
}

}  // namespace

// The scalar operand is a value of the start, whatever register it comes from; the accumulator of a
// reduction is a source that names the destination's register itself.
Operand Processor::operand(isa::SourceKind kind, std::uint32_t number, std::uint32_t bytes,
                           const isa::Instruction& code) const {
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
  switch (made.descriptor.kind) {
    case isa::DescriptorKind::Fifo: made.kind = Operand::Kind::Fifo; break;
    case isa::DescriptorKind::Indexed: made.kind = Operand::Kind::Indexed; break;
    case isa::DescriptorKind::FabricIn: made.kind = Operand::Kind::FabricIn; break;
    case isa::DescriptorKind::FabricOut: made.kind = Operand::Kind::FabricOut; break;
    default: made.kind = Operand::Kind::Memory;
  }
  if (made.descriptor.saves) made.saves_to = number;
  return made;
}

std::optional<isa::Trap> Processor::start_vector(const isa::Instruction& code,
                                                 const isa::InstructionInfo& row, Cycle now) {
  Flight flight;
  flight.row = &row;
  flight.code = code;
  flight.pc = pc_ - row.words();
  const auto destination_kind = static_cast<isa::SourceKind>(code.destination_kind);
  const isa::SourceKind kinds[] = {code.source_a_operand(), code.source_b_operand(),
                                   isa::SourceKind::Scalar};
  const std::uint32_t numbers[] = {code.source_a, code.source_b, 0};
  for (std::size_t k = 0; k <= row.last_source(); ++k) {
    flight.sources.push_back(operand(kinds[k], numbers[k], row.source_bytes(k), code));
    if (kinds[k] == isa::SourceKind::Descriptor && !fits(descriptors_[numbers[k]], false)) {
      return isa::Trap::UnsetDescriptor;
    }
  }
  flight.destination = operand(destination_kind, code.destination, row.result_bytes(), code);
  flight.accumulator = flight.destination.value;
  if (destination_kind == isa::SourceKind::Descriptor &&
      !fits(descriptors_[code.destination], true)) {
    return isa::Trap::UnsetDescriptor;
  }
  if (const auto cause = read_scalars(flight)) return cause;
  if (const auto cause = set_length(flight)) return cause;
  if (const auto cause = set_scalars(flight)) return cause;
  if (const auto cause = check_ends(flight)) return cause;
  if (const auto cause = check_memory(flight)) return cause;
  const std::size_t thread = code.asynchronous != 0 ? 1 + code.microthread : 0;
  if (thread != 0 && !can_wait(flight)) return isa::Trap::BadDescriptor;
  if (const auto cause = check_queues(flight)) return cause;
  if (const auto cause = check_partners(flight, thread)) return cause;
  if (const auto cause = check_fifos(flight)) return cause;
  if (const auto cause = check_words(flight)) return cause;
  set_rate(flight);
  note_operands(flight);
  flight.may_issue = first_issue(flight, now);
  if (thread != 0) flight.may_issue += jitter_.lateness(pe_, thread, now);
  if (thread == 0 && !can_wait(flight)) {
    const std::uint64_t each = flight.scalars ? flight.per_scalar : flight.length;
    const std::uint64_t times = flight.scalars && each > 0 ? flight.length / each : 1;
    flight.cools_from = flight.may_issue;
    flight.may_issue += noops(profile_, pe_, now, times * ((each + flight.rate - 1) / flight.rate));
  }
  if (flight.length == 0) {
    end_issues(flight, flight.may_issue);
    if (flight.destination.kind == Operand::Kind::FabricOut &&
        flight.destination.descriptor.options.advance) {
      const std::uint32_t colour = flight.destination.descriptor.colour;
      routers_.later([this, colour] { routers_.advance(pe_, colour); });
    }
  }
  flights_[thread] = std::move(flight);
  if (thread == 0) wait_for_flight(now);
  // Without elements, start and drain it has finished already, before the code after it.
  if (flights_[thread]->finish && *flights_[thread]->finish <= now) finish(thread, now);
  return std::nullopt;
}

// Lets the main thread wait for its instruction, which starts now.
void Processor::wait_for_flight(Cycle now) {
  lines.note(now, Doing::SetsUp, flights_[0]->pc);
  if (flights_[0]->cools_from) lines.note(*flights_[0]->cools_from, Doing::Cools, flights_[0]->pc);
  lines.note(flights_[0]->may_issue, Doing::InVector, flights_[0]->pc);
  main_ = Main::InVector;
  awaited_ = 0;
}

void Processor::note_operands(const Flight& flight) {
  for (const Operand* operand : flight.operands()) {
    ++outcome_.met["operand " + kind_name(*operand)];
  }
  if (flight.scalars) ++outcome_.met["mapped over " + kind_name(*flight.scalars)];
}

std::vector<const Operand*> Flight::operands() const {
  std::vector<const Operand*> all;
  for (const Operand& source : sources) all.push_back(&source);
  all.push_back(&destination);
  return all;
}

const Operand* Flight::input(std::uint32_t colour) const {
  for (const Operand* operand : operands()) {
    if (operand->receives() && operand->descriptor.colour == colour) return operand;
  }
  return nullptr;
}

// From the first source that has a length, else from the destination; one fabric operand beside
// scalars moves one word.
std::optional<isa::Trap> Processor::set_length(Flight& flight) const {
  const std::vector<const Operand*> operands = flight.operands();
  const auto first =
      std::ranges::find_if(operands, [](const Operand* o) { return has_length(*o); });
  if (first == operands.end()) {
    const auto moving = std::ranges::count_if(operands, [](const Operand* o) {
      return o->is_fabric() || o->kind == Operand::Kind::Fifo;
    });
    if (moving > 1) return isa::Trap::NoLength;
    flight.length = 1;
    return std::nullopt;
  }
  const isa::Descriptor& bounds = (*first)->descriptor;
  flight.length = bounds.is_unbounded() ? Flight::kUnbounded : bounds.length;
  if (!bounds.is_unbounded() && bounds.length > isa::kMaxLength) return isa::Trap::BadDescriptor;
  for (const Operand* operand : operands) {
    if (operand->kind != Operand::Kind::Memory) continue;
    const bool enough = flight.is_unbounded()
                            ? operand->descriptor.kind == isa::DescriptorKind::Circular
                            : operand->descriptor.length >= flight.length;
    if (!enough) return isa::Trap::ShortOperand;
  }
  return std::nullopt;
}

// Inputs of one instruction, and colours that have no queue where each queue has a colour of its
// own: that of some fabin, fabout or data task of the program.
std::optional<isa::Trap> Processor::check_queues(const Flight& flight) const {
  std::uint32_t inputs = 0;
  for (const Operand* operand : flight.operands()) {
    if (operand->receives()) ++inputs;
    const bool in_order =
        profile_.queue_colours == 0 || !operand->is_fabric() || has_queue(*operand);
    if (!in_order) return isa::Trap::BadDescriptor;
  }
  if (inputs > profile_.fabric_inputs) return isa::Trap::BadDescriptor;
  return std::nullopt;
}

bool Processor::has_queue(const Operand& operand) const {
  const std::uint32_t colour = operand.descriptor.colour;
  for (const isa::DescriptorLiteral& literal : program_->descriptors) {
    const bool out = literal.kind == isa::DescriptorKind::FabricOut;
    if (!out && !isa::receives(literal.kind)) continue;
    const std::uint32_t named =
        literal.colour.is_slot ? slots_[literal.colour.value] : literal.colour.value;
    if (out != operand.receives() && named == colour) return true;
  }
  return operand.receives() && task_of(isa::TaskKind::Data, colour) != nullptr;
}

// What has to know its last element, and the sizes of elements of FIFOs.
std::optional<isa::Trap> Processor::check_ends(const Flight& flight) const {
  const bool may_be_cut = std::ranges::any_of(flight.operands(), [](const Operand* operand) {
    return operand->receives() &&
           operand->descriptor.options.on_control == isa::OnControl::Terminate;
  });
  const isa::FabricOptions& out = flight.destination.descriptor.options;
  const bool needs_end =
      flight.destination.kind == Operand::Kind::FabricOut && (out.advance || out.packed);
  if (needs_end && (may_be_cut || flight.is_unbounded())) return isa::Trap::BadDescriptor;
  for (const Operand* operand : flight.operands()) {
    if (operand->kind != Operand::Kind::Fifo) continue;
    if (fifos_[operand->descriptor.fifo].element_bytes() != operand->bytes) {
      return isa::Trap::BadDescriptor;
    }
  }
  return std::nullopt;
}

std::optional<isa::Trap> Processor::check_memory(const Flight& flight) const {
  if (const auto cause = check_scalars(flight)) return cause;
  for (const Operand* operand : flight.operands()) {
    if (operand->kind == Operand::Kind::Indexed) {
      for (std::uint32_t k = 0; k < operand->descriptor.ring; ++k) {
        const std::uint64_t address = named_element(operand->descriptor, k, operand->bytes);
        if (const auto cause = memory.refuses(address, operand->bytes)) return cause;
      }
    }
    if (operand->kind != Operand::Kind::Memory) continue;
    for (std::uint64_t k = 0; k < elements_met(*operand, flight); ++k) {
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
  for (const std::optional<Flight>& other : flights_) {
    if (other && flight.destination.kind == Operand::Kind::FabricOut &&
        sends_on(*other, flight.destination.descriptor.colour)) {
      return isa::Trap::TwoProducers;
    }
  }
  for (const Operand* operand : flight.operands()) {
    if (!operand->receives()) continue;
    const std::uint32_t colour = operand->descriptor.colour;
    if (data_task_takes(colour) || flight.input(colour) != operand) {
      return isa::Trap::TwoConsumers;
    }
    for (const std::optional<Flight>& other : flights_) {
      if (other && other->input(colour) != nullptr) return isa::Trap::TwoConsumers;
    }
  }
  return std::nullopt;
}

// One pusher and one popper for each FIFO.
std::optional<isa::Trap> Processor::check_fifos(const Flight& flight) const {
  for (std::uint32_t number = 0; number < fifos_.size(); ++number) {
    const auto is_this = [number](const Operand& operand) {
      return operand.kind == Operand::Kind::Fifo && operand.descriptor.fifo == number;
    };
    const auto pushes = [&](const Flight& each) { return is_this(each.destination) ? 1 : 0; };
    const auto pops = [&](const Flight& each) {
      return std::ranges::count_if(each.sources, is_this);
    };
    std::ptrdiff_t pushers = pushes(flight);
    std::ptrdiff_t poppers = pops(flight);
    if (pushers + poppers == 0) continue;
    for (const std::optional<Flight>& other : flights_) {
      if (!other) continue;
      pushers += pushers > 0 ? pushes(*other) : 0;
      poppers += poppers > 0 ? pops(*other) : 0;
    }
    if (pushers > 1 || poppers > 1) return isa::Trap::FifoMisuse;
  }
  return std::nullopt;
}

bool Processor::is_of_fifo(const Words& words) const {
  return std::ranges::any_of(words, [this](std::uint32_t word) {
    return std::ranges::any_of(fifos_, [word](const Fifo& fifo) { return fifo.owns(word); });
  });
}

Words Flight::words_of(const Operand& operand) const {
  Words words;
  const bool is_scalars = scalars && &operand == &*scalars;
  const std::uint64_t scalars_met = is_scalars && per_scalar > 0 ? length / per_scalar : 0;
  const std::uint64_t count = is_scalars ? scalars_met : elements_met(operand, *this);
  if (operand.kind == Operand::Kind::Indexed) {
    for (std::uint32_t k = 0; k < operand.descriptor.ring; ++k) {
      add_words(words, named_element(operand.descriptor, k, operand.bytes), operand.bytes);
    }
  }
  if (operand.kind != Operand::Kind::Memory) return words;
  for (std::uint64_t k = 0; k < count; ++k) {
    add_words(words, address_of(operand.descriptor, k, operand.bytes), operand.bytes);
  }
  return words;
}

// The overlap of the instruction with itself, then races with what is in flight; then its claim.
std::optional<isa::Trap> Processor::check_words(Flight& flight) {
  const Words written = flight.words_of(flight.destination);
  if (is_of_fifo(written)) return isa::Trap::FifoMisuse;
  Words read;
  for (const Operand& source : flight.sources) {
    const Words words = flight.words_of(source);
    if (is_of_fifo(words)) return isa::Trap::FifoMisuse;
    // Element by element; without a bound until both rings begin again together.
    bool same =
        source.kind == Operand::Kind::Memory && flight.destination.kind == Operand::Kind::Memory;
    const std::uint64_t rounds = flight.is_unbounded() ? std::uint64_t{source.descriptor.ring} *
                                                             flight.destination.descriptor.ring
                                                       : flight.length;
    for (std::uint64_t k = 0; same && k < rounds; ++k) {
      const Operand& to = flight.destination;
      same = address_of(source.descriptor, flight.place(source, k), source.bytes) ==
                 address_of(to.descriptor, flight.place(to, k), to.bytes) &&
             elements_met(source, flight) == elements_met(to, flight);
    }
    const bool meet = std::ranges::any_of(
        words, [&written](std::uint32_t word) { return written.contains(word); });
    if (meet && !same) return isa::Trap::Overlap;
    read.insert(words.begin(), words.end());
  }
  if (const auto cause = claim_scalars(flight, written, read)) return cause;
  if (!memory.may_read(read) || !memory.may_write(written)) return isa::Trap::MemoryRace;
  flight.claim = memory.claim(read, written);
  return std::nullopt;
}

}  // namespace wse::oracle
