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

 private:
  std::uint32_t processes_;
};

// What the executors of a process say of themselves.
struct Told {
  NativeWork native;
  std::string engine_problem;

  template <class Archive>
  void pass(Archive& archive) {
    archive.number(native.instructions);
    archive.number(native.regions);
    archive.number(native.cached);
    auto nanoseconds = static_cast<std::uint64_t>(native.compile_seconds * 1e9);
    archive.number(nanoseconds);
    native.compile_seconds = static_cast<double>(nanoseconds) / 1e9;
    archive.text(engine_problem);
  }
  void join(const Told& other) {
    native.instructions += other.native.instructions;
    native.regions += other.native.regions;
    native.cached += other.native.cached;
    native.compile_seconds += other.native.compile_seconds;
    if (engine_problem.empty()) engine_problem = other.engine_problem;
  }
};

}  // namespace

MessageBytes JoinedMachine::share_of(Machine& machine) {
  Machine::Parts& p = *machine.parts_;
  const PeRange pes = p.strips.pes();
  StateWriter writer;
  writer.number(pes.first);
  writer.number(pes.end);
  if (pes.first == pes.end) return std::move(writer.written());
  Told told{p.native_work(), p.engine_problem()};
  told.pass(writer);
  MachineState(machine, pes).write(writer);
  return std::move(writer.written());
}

isa::Attempt<std::unique_ptr<Machine>> JoinedMachine::join(std::unique_ptr<Machine> own,
                                                           std::span<MessageBytes> shares) try {
  Machine::Parts& was = *own->parts_;
  const Apart apart(static_cast<std::uint32_t>(shares.size()));
  const bool on_wafer = was.on_wafer;
  const MachineOptions options{
      .threads = was.most_threads,
      .transport = on_wafer ? TransportChoice::Wafer : TransportChoice::Stepper,
      .medium = &apart};
  RunOptions run = was.options;
  run.print = {};
  run.mark = {};
  run.progress = {};
  const bool counts_lines = was.lines.has_value();
  const std::string engine_name = was.engine_name;
  const std::string reason = was.transport_reason;
  const double wall_seconds = was.wall_seconds;
  const isa::Image image = was.image;
  const isa::Profile profile = was.profile;
  own.reset();
  auto machine = Machine::create(image, profile, options);
  if (!machine) return machine;
  Machine::Parts& p = *(*machine)->parts_;
  p.medium = nullptr;  // all of it is here
  if (counts_lines) static_cast<void>((*machine)->count_lines());
  (*machine)->begin(run);
  Told told;
  for (std::size_t process = 0; process < shares.size(); ++process) {
    const MessageBytes share = std::exchange(shares[process], {});
    StateReader reader(share);
    PeRange pes{0, 0};
    reader.number(pes.first);
    reader.number(pes.end);
    if (reader.ok() && pes.first == pes.end) continue;
    reader.expect(pes.first < pes.end && pes.end <= p.mesh.pes());
    Told of_share;
    of_share.pass(reader);
    told.join(of_share);
    if (!reader.ok() || !MachineState(**machine, pes).read_share(reader)) {
      return std::unexpected(isa::Error(fmt::format("the share of process {} is broken", process)));
    }
  }
  MachineState(**machine).show_read();
  p.engine_name = engine_name;
  p.wall_seconds = wall_seconds;
  Record record = (*machine)->record();
  record.transport = on_wafer ? "wafer" : "stepper";
  record.transport_reason = reason;
  record.native = told.native;
  record.engine_problem = told.engine_problem;
  p.record = std::move(record);
  return machine;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" for the shares of all processes");
}

}  // namespace wse::vm
