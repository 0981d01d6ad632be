// Says which call may come when, and what a machine that has stopped means for the next one.
#include "vm/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "vm/run/array_parts.h"
#include "vm/run/open_streams.h"

namespace wse::vm {
namespace {

isa::Status check_bytes(std::string_view array, std::size_t wanted, std::size_t given) {
  if (wanted == given) return {};
  return isa::fail(
      fmt::format("this part of array '{}' has {} bytes, not {}", array, wanted, given));
}

// The exported tasks of all programs that are placed, by name.
std::vector<LaunchInfo> launches_of(const isa::Image& image) {
  std::vector<bool> is_placed(image.programs.size());
  for (const isa::Placement& placement : image.placements) is_placed[placement.program] = true;
  std::map<std::string, std::vector<isa::Type>> tasks;
  for (std::size_t k = 0; k < image.programs.size(); ++k) {
    for (const isa::Task& task : image.programs[k].tasks) {
      if (is_placed[k] && task.exported) tasks.emplace(task.name, task.argument_types);
    }
  }
  std::vector<LaunchInfo> all;
  for (auto& [name, types] : tasks) all.push_back({name, std::move(types)});
  return all;
}

isa::Status read_stream(const Machine& machine, std::string_view name, std::span<std::byte> to) {
  const isa::Result<ArrayInfo> info = machine.array(name);
  const isa::Result<std::vector<std::uint32_t>> words = machine.read_array(name);
  if (!words) return std::unexpected(words.error());
  const std::size_t size = isa::info(info->type).bytes;
  for (std::size_t k = 0; k < words->size(); ++k) {
    std::memcpy(to.data() + k * size, words->data() + k, size);
  }
  return {};
}

// Writes one of a machine that has not begun, or says why not.
isa::Status write_stream(Machine& machine, bool has_begun, std::string_view name,
                         std::span<const std::byte> from) {
  const std::vector<isa::Stream>& streams = machine.image().streams;
  const auto stream = std::ranges::find(streams, name, &isa::Stream::name);
  if (!stream->enters) {
    return isa::fail(fmt::format("stream '{}' leaves the machine: it is only read", name));
  }
  if (has_begun) {
    return isa::fail(fmt::format(
        "stream '{}' has begun: it is written before the first cycle; send to it", name));
  }
  const isa::Result<ArrayInfo> info = machine.array(name);
  const std::size_t size = isa::info(info->type).bytes;
  std::vector<std::uint32_t> words(from.size() / size);
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::memcpy(words.data() + k, from.data() + k * size, size);
  }
  return machine.write_array(name, *info, words);
}

// The arguments of a launch as words of their types.
isa::Result<std::vector<std::uint32_t>> words_of(std::span<const LaunchInfo> launches,
                                                 std::string_view task,
                                                 std::span<const isa::Number> arguments) {
  const auto found = std::ranges::find(launches, task, &LaunchInfo::name);
  if (found == launches.end()) {
    std::string names;
    for (const LaunchInfo& info : launches) names += (names.empty() ? "" : ", ") + info.name;
    return isa::fail(fmt::format("no program on the grid exports a task '{}'; {}", task,
                                 names.empty()
                                     ? fmt::format("write `task {} exported:` in the program", task)
                                     : "launches are: " + names));
  }
  const std::vector<isa::Type>& types = found->arguments;
  if (types.size() != arguments.size()) {
    return isa::fail(fmt::format("task '{}' takes {} argument{}, {} {} given", task, types.size(),
                                 types.size() == 1 ? "" : "s", arguments.size(),
                                 arguments.size() == 1 ? "is" : "are"));
  }
  std::vector<std::uint32_t> words;
  for (std::size_t k = 0; k < types.size(); ++k) {
    const isa::Result<std::uint32_t> bits = isa::to_bits(arguments[k], types[k]);
    if (!bits) {
      return isa::fail(fmt::format("argument {} of task '{}': {}", k + 1, task, bits.error()));
    }
    words.push_back(*bits);
  }
  return words;
}

}  // namespace

Session::Session(std::unique_ptr<Machine> machine)
    : machine_(std::move(machine)), launches_(launches_of(machine_->image())) {}

std::unique_ptr<Session> Session::of(std::unique_ptr<Machine> machine, const RunOptions& options) {
  RunOptions launching = options;
  launching.launches = true;
  machine->begin(launching);
  return std::unique_ptr<Session>(new Session(std::move(machine)));
}

isa::Status Session::run(Cycle until) {
  if (state_ == State::Broken) return isa::fail(problem_);
  if (state_ == State::Quiet) {
    if (until != kNever) Launches(*machine_).wait_until(until);
    return {};
  }
  if (until <= cycle()) return {};
  return end_with(machine_->advance(until), until);
}

// A stop at the cycle that was asked for is no problem; one at the limit of the session is.
isa::Status Session::end_with(const Stop& stop, Cycle until) {
  problem_.clear();
  if (stop.status == RunStatus::Interrupted ||
      (stop.status == RunStatus::CycleLimit && cycle() < until)) {
    problem_ = machine_->record().message;
  }
  state_ = State::Stopped;
  if (stop.status == RunStatus::CycleLimit || stop.status == RunStatus::Interrupted) return {};
  problem_ =
      stop.status == RunStatus::Trap ? machine_->record().message : Launches(*machine_).unrest();
  if (!problem_.empty()) {
    state_ = State::Broken;
    return isa::fail(problem_);
  }
  state_ = State::Quiet;
  if (until != kNever) Launches(*machine_).wait_until(until);
  return {};
}

isa::Status Session::check_may_launch() {
  if (state_ == State::New) {
    if (isa::Status status = run(); !status) return status;
  }
  if (state_ == State::Broken) return isa::fail(problem_);
  if (state_ == State::Quiet || is_prepared()) return {};
  return isa::fail(
      fmt::format("the machine has stopped before cycle {} and is not quiet: run it on before the "
                  "next launch{}{}",
                  cycle(), problem_.empty() ? "" : "\n", problem_));
}

isa::Status Session::prepare(std::string_view task, std::span<const isa::Number> arguments,
                             std::optional<PeRect> region) {
  const isa::Result<std::vector<std::uint32_t>> words = words_of(launches_, task, arguments);
  if (!words) return std::unexpected(words.error());
  if (isa::Status status = check_may_launch(); !status) return status;
  const isa::Image& image = machine_->image();
  const PeRect whole{0, 0, image.width, image.height};
  if (isa::Status status = Launches(*machine_).launch(task, *words, region.value_or(whole));
      !status) {
    return status;
  }
  state_ = State::Stopped;
  return {};
}

isa::Status Session::launch(std::string_view task, std::span<const isa::Number> arguments,
                            std::optional<PeRect> region) {
  if (isa::Status status = prepare(task, arguments, region); !status) return status;
  return run();
}

const Record& Session::record() { return machine_->record(); }

void Session::follow_machine(const std::string& problem) {
  const Launches launches(*machine_);
  const std::optional<RunStatus> status = launches.status();
  problem_ = problem;
  if (!problem.empty()) {
    state_ = State::Broken;
  } else if (!status) {
    state_ = State::New;
  } else if (*status == RunStatus::CycleLimit || *status == RunStatus::Interrupted) {
    state_ = State::Stopped;
  } else {
    problem_ = launches.unrest();
    state_ = problem_.empty() ? State::Quiet : State::Broken;
  }
}

isa::Result<PartShape> Session::shape(std::string_view array, const ArrayPart& part) const {
  if (!OpenStreams(*machine_).has(array)) return ArrayParts(*machine_).shape(array, part);
  if (part.rect || part.elements) {
    return isa::fail(fmt::format("stream '{}' is read and written as a whole", array));
  }
  const isa::Result<ArrayInfo> info = machine_->array(array);
  if (!info) return std::unexpected(info.error());
  return PartShape{.type = info->type,
                   .is_array = info->is_array,
                   .first = 0,
                   .count = info->count,
                   .rect = {info->x0, info->y0, info->width, info->height}};
}

isa::Status Session::send(std::string_view stream, std::span<const std::uint32_t> words) {
  if (state_ == State::New) {
    if (isa::Status status = run(); !status) return status;
  }
  if (state_ == State::Broken) return isa::fail(problem_);
  if (isa::Status status = OpenStreams(*machine_).send(stream, words); !status) return status;
  state_ = State::Stopped;
  return {};
}

isa::Result<std::vector<std::uint32_t>> Session::receive(std::string_view stream, std::size_t n) {
  return OpenStreams(*machine_).receive(stream, n);
}

isa::Result<std::size_t> Session::arrived(std::string_view stream) const {
  return OpenStreams(*machine_).arrived(stream);
}

isa::Status Session::read(std::string_view array, const ArrayPart& part,
                          std::span<std::byte> to) const {
  const isa::Result<PartShape> shape = this->shape(array, part);
  if (!shape) return std::unexpected(shape.error());
  if (isa::Status status = check_bytes(array, shape->bytes(), to.size()); !status) return status;
  if (OpenStreams(*machine_).has(array)) return read_stream(*machine_, array, to);
  ArrayParts(*machine_).read(array, *shape, to);
  return {};
}

isa::Status Session::write(std::string_view array, const ArrayPart& part,
                           std::span<const std::byte> from) {
  const isa::Result<PartShape> shape = this->shape(array, part);
  if (!shape) return std::unexpected(shape.error());
  if (isa::Status status = check_bytes(array, shape->bytes(), from.size()); !status) return status;
  if (OpenStreams(*machine_).has(array))
    return write_stream(*machine_, state_ != State::New, array, from);
  ArrayParts(*machine_).write(array, *shape, from);
  return {};
}

isa::Result<SymbolValue> Session::symbol(std::uint32_t x, std::uint32_t y,
                                         std::string_view name) const {
  return machine_->read_symbol(x, y, name);
}

isa::Status Session::set_symbol(std::uint32_t x, std::uint32_t y, std::string_view name,
                                std::span<const std::uint32_t> words) {
  return ArrayParts(*machine_).write_symbol(x, y, name, words);
}

}  // namespace wse::vm
