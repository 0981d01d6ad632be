// What waits for others by itself: FIFOs, arrays whose elements wavelets name, instructions that a
// control wavelet ends or that tell a task of it.
#include <fmt/format.h>

#include <algorithm>

#include "isa/descriptor/descriptor.h"
#include "tests/differential/pe_writer.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kNames = 20;     // elements that `names` can name
constexpr std::uint32_t kElements = 60;  // of the arrays in pe_writer.cpp

// A length like any other, and never reached here.
constexpr std::string_view kManyWords = "32766 + 1";

using isa::OperandType;
struct QueueType {
  OperandType type;
  std::string_view text;
};
constexpr QueueType kQueueTypes[2][2] = {{{OperandType::I32, "i32"}, {OperandType::F32, "f32"}},
                                         {{OperandType::I16, "i16"}, {OperandType::F16, "f16"}}};

// Whether an operand of an instruction may be a queue of elements of that type.
bool fits(OperandType operand, OperandType queue) {
  const bool any = operand == OperandType::Any32 || operand == OperandType::Any16;
  return operand == queue || (any && isa::info(operand).bytes == isa::info(queue).bytes);
}

}  // namespace

// A local task that only counts.
std::string PeWriter::told_task() {
  if (told_.size() < 2) told_.push_back(fmt::format("told{}", told_.size()));
  return told_[random_.below(static_cast<std::uint32_t>(told_.size()))];
}

void PeWriter::end() {
  line("halt");
  for (const std::string& task : told_) {
    header(fmt::format("task {}{}:", task, random_.one_in(2) ? " high" : ""));
    line("add32 r13, r13, 1");
  }
}

PeWriter::Queue& PeWriter::queue(bool half) {
  Queue& queue = queues_[half ? 1 : 0];
  if (queue.capacity > 0) return queue;
  queue.capacity = 1 + random_.below(9);
  queue.name = half ? "q16" : "q32";
  const QueueType& type = kQueueTypes[half ? 1 : 0][random_.below(2)];
  queue.type = type.type;
  directive(fmt::format(".{} {}_store[{}]", type.text, queue.name, queue.capacity + 2));
  std::string told;
  if (random_.one_in(2)) told += " on_leaving_full=" + told_task();
  if (random_.one_in(2)) told += " on_leaving_empty=" + told_task();
  directive(
      fmt::format(".fifo {} = {}_store[1:{}]{}", queue.name, queue.name, queue.capacity + 1, told));
  return queue;
}

// Some instruction that puts `count` elements into the queue.
PeWriter::Use PeWriter::push(Queue& queue, std::uint32_t count, bool asynchronously) {
  const auto& row = some_row([&queue](const isa::InstructionInfo& r) {
    return r.is_vector() && fits(r.types.result, queue.type);
  });
  Use use;
  use.to.insert(queue.name);
  std::string sources;
  for (std::size_t k = 0; k < sources_of(row); ++k) sources += ", " + source(row, k, count, use);
  settle(use);
  const std::string thread = asynchronously ? asynchronous(use, true) : "";
  line(fmt::format("{} {}{}{}", row.mnemonic, queue.name, sources, thread));
  if (!asynchronously) line("getleft " + reg());
  return use;
}

// Some instruction that takes `count` elements out of it, without waiting for the one that puts
// them in, which has the use `beside`.
void PeWriter::pop(Queue& queue, std::uint32_t count, bool asynchronously, const Use& beside) {
  const bool alone = !beside.read.empty();  // so that an array is left for the result
  const auto& row = some_row([&queue, alone](const isa::InstructionInfo& r) {
    return r.is_vector() && fits(r.types.source[0], queue.type) &&
           (!alone || r.format == isa::Format::Vector1);
  });
  Use use;
  use.from.insert(queue.name);
  use.read = beside.read;
  std::string sources;
  for (std::size_t k = 0; k < sources_of(row); ++k) {
    sources += ", " + (k == 0 ? queue.name : source(row, k, count, use));
  }
  const std::string destination = memory(row.types.result, count, true, use);
  settle(use);
  const std::string thread = asynchronously ? asynchronous(use, true) : "";
  line(fmt::format("{} {}{}{}", row.mnemonic, destination, sources, thread));
  if (!asynchronously) line("getleft " + reg());
}

// Uneven rates, and ends by a full or empty FIFO. What is in it after the event is known.
void PeWriter::queues() {
  if (in_task_) return;
  Queue& q = queue(random_.one_in(2));
  const std::uint32_t count = random_.below(16);
  switch (random_.below(4)) {
    case 0:
      settle_queue(q);
      push(q, count, false);
      q.inside = std::min(q.capacity, q.inside + count);
      return;
    case 1:
      settle_queue(q);
      pop(q, count, false);
      q.inside -= std::min(q.inside, count);
      return;
    case 2: {
      settle_queue(q);
      const Use pushing = push(q, count, true);
      const std::uint32_t all = q.inside + count;
      const std::uint32_t least = all > q.capacity ? all - q.capacity : 0;
      const std::uint32_t out = least + random_.below(all - least + 1);
      if (random_.one_in(3)) delay();
      pop(q, out, true, pushing);
      q.inside = all - out;
      return;
    }
    default: {
      settle_queue(q);
      const std::uint32_t fits = random_.below(q.capacity - q.inside + 1);
      const Use pushing = push(q, fits, true);
      pop(q, 1 + random_.below(q.capacity), false, pushing);
      settle_queue(q);
      pop(q, q.capacity + 1, false);  // whatever there is
      q.inside = 0;
    }
  }
}

void PeWriter::settle_queue(const Queue& queue) {
  Use use;
  use.from = use.to = {queue.name};
  settle(use);
}

// From the fabric through a FIFO into memory; the rest of what the main thread could not take at
// once is taken by a microthread.
void PeWriter::receive_by_queue(const End& from, const std::string& ending) {
  Queue& q = queue(false);
  Use in;
  in.from.insert(from.colour);
  in.to.insert(q.name);
  settle(in);
  const std::string length =
      ending.empty() ? std::to_string(from.wavelets) : std::string(isa::kEndlessText);
  line(fmt::format("mov32 {}, fabin({}, length={}{}){}", q.name, colour(from.colour), length,
                   ending, asynchronous(in, true)));
  if (from.wavelets == 0 || random_.one_in(2)) return pop(q, from.wavelets, true);
  Use out;
  out.from.insert(q.name);
  const std::string array = fmt::format("i32_{}", 1 + random_.below(3));
  out.written.insert(array);
  settle(out);
  const std::uint32_t first = random_.below(kElements - from.wavelets + 1);
  line(fmt::format("setd d10, save({}[{}:{}])", array, first, first + from.wavelets));
  if (random_.one_in(3)) delay();
  line(fmt::format("mov32 d10, {}", q.name));
  line("getleft r1");
  line("setdlen d10, r1");
  line(fmt::format("mov32 d10, {}{}", q.name, asynchronous(out, true)));
}

// From one colour to another through a FIFO; here too a microthread may do the rest.
void PeWriter::relay_by_queue(const End& from, const End& to) {
  Queue& q = queue(false);
  Use in;
  in.from.insert(from.colour);
  in.to.insert(q.name);
  settle(in);
  line(fmt::format("mov32 {}, fabin({}, length={}){}", q.name, colour(from.colour), from.wavelets,
                   asynchronous(in, true)));
  Use out;
  out.from.insert(q.name);
  out.to.insert(to.colour);
  settle(out);
  const bool waits = random_.one_in(2);
  line(fmt::format("setd d10, fabout({}, length={})", colour(to.colour), to.wavelets));
  if (!waits) {
    if (random_.one_in(2)) delay();
    line("mov32 d10, " + q.name);
    line("getleft r1");
    line("setdlen d10, r1");
  }
  line(fmt::format("mov32 d10, {}{}", q.name, asynchronous(out, true)));
}

// The instruction asks for more than there is, so it ends early; half of a packed wavelet is lost.
std::uint32_t PeWriter::send_by_queue(const End& to) {
  const bool packed = random_.one_in(3);
  Queue& q = queue(packed);
  settle_queue(q);
  const std::uint32_t most = (packed ? 2 : 1) * to.wavelets;
  if (q.inside < most) {
    const std::uint32_t pushed = random_.below(most - q.inside + 1);
    push(q, pushed, false);
    q.inside = std::min(q.capacity, q.inside + pushed);
  }
  if (q.inside > most) return 0;
  Use use;
  use.to.insert(to.colour);
  settle(use);
  line(fmt::format("mov{} fabout({}{}, length={}), {}", packed ? 16 : 32, colour(to.colour),
                   packed ? ", packed" : "", q.inside + 1 + random_.below(3), q.name));
  line("getleft " + reg());
  const std::uint32_t sent = packed ? q.inside / 2 : q.inside;
  q.inside = 0;
  return sent;
}

std::string PeWriter::named(isa::OperandType type, std::uint32_t count, bool written, Use& use) {
  for (;;) {
    const Array array = some_array(type, 1);
    if (use.written.contains(array.name) || (written && use.read.contains(array.name))) continue;
    (written ? use.written : use.read).insert(array.name);
    const std::uint32_t stride = 1 + random_.below(3);
    const std::uint32_t first = random_.below(kElements - (kNames - 1) * stride);
    const std::string slice =
        fmt::format("{}[{}:{}:{}]", array.name, first, first + (kNames - 1) * stride + 1, stride);
    return fmt::format("indexed({}, fabin({}, length={}))", slice, colour("own"), count);
  }
}

// Elements that words from the PE's own loop name: read, written, or both.
void PeWriter::gather() {
  if (in_task_) return;
  const std::uint32_t count = 1 + random_.below(9);
  Use send;
  send.to.insert("own");
  send.read.insert("names");
  settle(send);
  const std::uint32_t first = random_.below(2 * kNames - count);
  line(fmt::format("mov32 fabout({}), names[{}:{}]{}", colour("own"), first, first + count,
                   asynchronous(send, true)));
  const isa::InstructionInfo& row = vector_row();
  Use use;
  use.from.insert("own");
  const bool scatters = random_.one_in(2);
  const std::size_t wire = sources_of(row) > 1 ? random_.below(2) : 0;
  const bool third = row.format == isa::Format::Vector3;
  std::string destination;
  if (scatters) destination = named(row.types.result, count, true, use);
  std::string sources;
  for (std::size_t k = 0; k < sources_of(row); ++k) {
    const bool here = !scatters && k == (third && wire == 1 ? 0 : wire);
    sources +=
        ", " + (here ? named(row.types.source[k], count, false, use) : source(row, k, count, use));
  }
  if (!scatters) {
    destination = random_.one_in(5) ? landing() : memory(row.types.result, count, true, use);
  }
  settle(use);
  line(fmt::format("{} {}{}{}", row.mnemonic, destination, sources, asynchronous(use, false)));
}

// Wavelets until a control wavelet comes: into memory with a length that is too large, round a
// ring, or into a register.
void PeWriter::receive_until_control(const End& from) {
  const isa::InstructionInfo& row =
      some_row([](const isa::InstructionInfo& r) { return r.format == isa::Format::Vector1; });
  Use use;
  use.from.insert(from.colour);
  std::uint32_t count = from.wavelets + (random_.one_in(30) ? 0 : 1 + random_.below(4));
  const std::string extra = options(row.types.source[0], false, count);
  const bool bounded = random_.one_in(2);
  std::string destination = landing();
  if (bounded && random_.one_in(2)) {
    destination = memory(row.types.result, count, true, use);
  } else if (random_.one_in(2)) {
    const Array array = some_array(row.types.result, 1);
    use.written.insert(array.name);
    const std::uint32_t ring = 1 + random_.below(8);
    destination = fmt::format("circular({}[3:{}], length={}, start={})", array.name, 3 + ring,
                              bounded ? count : 1, random_.below(ring));
  }
  settle(use);
  const std::string thread = asynchronous(use, false);
  const bool many = random_.one_in(3) && use.written.empty();
  const std::string unbounded(many ? kManyWords : isa::kEndlessText);
  line(fmt::format("{} {}, fabin({}{}, length={}, on_control=terminate){}", row.mnemonic,
                   destination, colour(from.colour), extra,
                   bounded ? std::to_string(count) : unbounded, thread));
  if (thread.empty()) line("getleft " + reg());
}

// Wavelets with a control wavelet among them that tells a task.
void PeWriter::receive_and_tell(const End& from) {
  const isa::InstructionInfo& row =
      some_row([](const isa::InstructionInfo& r) { return r.format == isa::Format::Vector2; });
  Use use;
  use.from.insert(from.colour);
  std::uint32_t count = from.wavelets;
  const std::string extra = options(row.types.source[1], false, count);
  const std::string first = source(row, 0, count, use);
  const std::string destination =
      random_.one_in(5) ? landing() : memory(row.types.result, count, true, use);
  settle(use);
  const std::string task = told_task();
  const bool activates = random_.one_in(2);
  if (!activates) line("block " + task);
  if (!activates) line("activate " + task);
  line(fmt::format("{} {}, {}, fabin({}{}, length={}, on_control={}({})){}", row.mnemonic,
                   destination, first, colour(from.colour), extra, count,
                   activates ? "activate" : "unblock", task, asynchronous(use, false)));
}

void PeWriter::relay_until_control(const End& from, const End& to) {
  const isa::InstructionInfo& row =
      some_row([](const isa::InstructionInfo& r) { return r.format == isa::Format::Vector1; });
  Use use;
  use.from.insert(from.colour);
  use.to.insert(to.colour);
  settle(use);
  const std::string length(random_.one_in(3) ? kManyWords : isa::kEndlessText);
  line(fmt::format("{} fabout({}{}), fabin({}, length={}, on_control=terminate){}", row.mnemonic,
                   colour(to.colour), random_.one_in(2) ? ", length=" + length : "",
                   colour(from.colour), length, asynchronous(use, false)));
}

}  // namespace wse::differential
