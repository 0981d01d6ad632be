// Each share begins with what the record alone tells of it.
#include "vm/run/joined_machine.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "vm/run/machine_state.h"
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
  bool has_data() const override { return false; }

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
  MachineState(machine, pes, symbols).write(writer);
  return std::move(writer.written());
}

isa::Attempt<JoinedMachine> JoinedMachine::begin(std::unique_ptr<Machine> own,
                                                 std::uint32_t processes,
                                                 std::vector<std::string> symbols) {
  Machine::Parts& was = *own->parts_;
  JoinedMachine made;
  made.symbols_ = std::move(symbols);
  made.engine_name_ = was.engine_name;
  made.on_wafer_ = was.on_wafer;
  made.transport_reason_ = was.transport_reason;
  made.wall_seconds_ = was.wall_seconds;
  const Apart apart(processes);
  const MachineOptions options{
      .threads = was.most_threads,
      // Cut as it was, though the run may have gone on from a checkpoint, with steppers.
      .transport = was.field ? TransportChoice::Wafer : TransportChoice::Stepper,
      .medium = &apart};
  RunOptions run = was.options;
  run.print = {};
  run.mark = {};
  run.progress = {};
  const bool counts_lines = was.lines.has_value();
  isa::Image image = std::move(was.image);
  const isa::Profile profile = was.profile;
  own.reset();
  auto machine = Machine::create(std::move(image), profile, options);
  if (!machine) return std::unexpected(machine.error());
  made.machine_ = std::move(*machine);
  made.machine_->parts_->medium = nullptr;  // all of it is here
  if (counts_lines) static_cast<void>(made.machine_->count_lines());
  made.machine_->begin(run);
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

}  // namespace wse::vm
