// Each share begins with what the record alone tells of it.
#include "vm/run/joined_machine.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "vm/run/machine_state.h"
#include "vm/run/memory_state.h"
#include "vm/run/parts.h"
#include "vm/strips/shared_memory.h"

namespace wse::vm {
namespace {

// Cuts as the machine of several processes was cut; nothing runs there.
class Apart final : public Medium {
 public:
  explicit Apart(std::uint32_t processes) : processes_(processes) {}
  std::unique_ptr<Communicator> connect(std::uint32_t strips) const override {
    return std::make_unique<SharedMemory>(strips);
  }
  std::uint32_t threads(std::uint32_t /*strips*/) const override { return 1; }
  std::uint32_t processes() const override { return processes_; }
  bool may_run() const override { return false; }

 private:
  std::uint32_t processes_;
};

}  // namespace

template <class Archive>
void JoinedMachine::Told::pass(Archive& archive) {
  archive.number(native.instructions);
  archive.number(native.regions);
  archive.number(native.cached);
  auto nanoseconds = static_cast<std::uint64_t>(native.compile_seconds * 1e9);
  archive.number(nanoseconds);
  native.compile_seconds = static_cast<double>(nanoseconds) / 1e9;
  archive.text(engine_problem);
}

void JoinedMachine::Told::join(const Told& other) {
  native.instructions += other.native.instructions;
  native.regions += other.native.regions;
  native.cached += other.native.cached;
  native.compile_seconds += other.native.compile_seconds;
  if (engine_problem.empty()) engine_problem = other.engine_problem;
}

MessageBytes JoinedMachine::share_of(Machine& machine, std::span<const std::string> symbols) {
  Machine::Parts& p = *machine.parts_;
  const PeRange pes = p.strips.pes();
  StateWriter writer;
  writer.number(pes.first);
  writer.number(pes.end);
  if (pes.first == pes.end) return std::move(writer.written());
  Told told{p.native_work(), p.engine_problem()};
  told.pass(writer);
  MachineState(machine, pes, symbols).write_share(writer);
  return std::move(writer.written());
}

// A likeness holds what a machine like another one is made of.
struct JoinedMachine::Likeness {
  isa::Image image;
  isa::Profile profile;
  std::uint32_t processes = 1;
  std::uint32_t threads = 1;  // of each
  bool has_planes = false;    // at first; the run may have gone on with steppers
  bool counts_lines = false;
  RunOptions options;

  Likeness(isa::Image of, const Machine::Parts& was, std::uint32_t all)
      : image(std::move(of)),
        profile(was.profile),
        processes(all),
        threads(was.most_threads),
        has_planes(was.field.has_value()),
        counts_lines(was.lines.has_value()),
        options(was.options) {
    options.print = {};
    options.mark = {};
    options.progress = {};
  }
};

JoinedMachine::JoinedMachine(const Machine& own, std::vector<std::string> symbols)
    : symbols_(std::move(symbols)),
      engine_name_(own.parts_->engine_name),
      on_wafer_(own.parts_->on_wafer),
      transport_reason_(own.parts_->transport_reason),
      wall_seconds_(own.parts_->wall_seconds) {}

isa::Attempt<void> JoinedMachine::make(Likeness likeness) {
  const Apart apart(likeness.processes);
  const MachineOptions options{
      .threads = likeness.threads,
      .transport = likeness.has_planes ? TransportChoice::Wafer : TransportChoice::Stepper,
      .medium = &apart};
  auto machine = Machine::create(std::move(likeness.image), likeness.profile, options);
  if (!machine) return std::unexpected(machine.error());
  machine_ = std::move(*machine);
  machine_->parts_->medium = nullptr;  // all of it is here
  if (likeness.counts_lines) static_cast<void>(machine_->count_lines());
  machine_->begin(likeness.options);
  return {};
}

isa::Attempt<JoinedMachine> JoinedMachine::begin(std::unique_ptr<Machine> own,
                                                 std::uint32_t processes,
                                                 std::vector<std::string> symbols) {
  JoinedMachine made(*own, std::move(symbols));
  Likeness likeness(std::move(own->parts_->image), *own->parts_, processes);
  own.reset();
  if (const auto done = made.make(std::move(likeness)); !done) return std::unexpected(done.error());
  return made;
}

isa::Attempt<JoinedMachine> JoinedMachine::begin_beside(const Machine& own,
                                                        std::uint32_t processes) {
  JoinedMachine made(own, {});
  const auto done = made.make({own.image(), *own.parts_, processes});
  if (!done) return std::unexpected(done.error());
  return made;
}

isa::Attempt<void> JoinedMachine::add(std::span<const std::byte> share) try {
  const std::uint32_t process = shares_++;
  const auto broken = [process] {
    return std::unexpected(isa::Error(fmt::format("the share of process {} is broken", process)));
  };
  StateReader reader(share);
  PeRange pes{0, 0};
  reader.number(pes.first);
  reader.number(pes.end);
  if (reader.ok() && pes.first == pes.end) return {};
  reader.expect(pes.first < pes.end && pes.end <= machine_->parts_->mesh.pes());
  Told of_share;
  of_share.pass(reader);
  if (!reader.ok()) return broken();
  told_.join(of_share);
  if (!MachineState(*machine_, pes, symbols_).read_share(reader)) return broken();
  return {};
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" for the shares of all processes");
}

std::unique_ptr<Machine> JoinedMachine::finish() {
  MachineState(*machine_).show_read();
  Machine::Parts& p = *machine_->parts_;
  p.engine_name = engine_name_;
  p.wall_seconds = wall_seconds_;
  Record record = machine_->record();
  record.transport = on_wafer_ ? "wafer" : "stepper";
  record.transport_reason = transport_reason_;
  record.native = told_.native;
  record.engine_problem = told_.engine_problem;
  p.record = std::move(record);
  return std::move(machine_);
}

MessageBytes JoinedMachine::symbol_of(Machine& own, const std::string& symbol) {
  Machine::Parts& p = *own.parts_;
  PeRange pes = p.strips.pes();
  StateWriter writer;
  writer.number(pes.first);
  writer.number(pes.end);
  MemoryState memory(p.loaded);
  for (PeId pe = pes.first; pe < pes.end; ++pe) {
    if (p.loaded.program_at(pe) != nullptr) memory.pass(writer, pe, std::span(&symbol, 1));
  }
  return std::move(writer.written());
}

bool JoinedMachine::take_symbol(Machine& joined, const std::string& symbol,
                                std::span<const std::byte> bytes) {
  Machine::Parts& p = *joined.parts_;
  StateReader reader(bytes);
  PeRange pes{0, 0};
  reader.number(pes.first);
  reader.number(pes.end);
  reader.expect(pes.first <= pes.end && pes.end <= p.mesh.pes());
  MemoryState memory(p.loaded);
  for (PeId pe = pes.first; reader.ok() && pe < pes.end; ++pe) {
    if (p.loaded.program_at(pe) != nullptr) memory.pass(reader, pe, std::span(&symbol, 1));
  }
  return reader.ok();
}

}  // namespace wse::vm
