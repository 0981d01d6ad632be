// Checks what is asked, then asks the machine.
#include "vm/library/machine.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "jit/engines.h"
#include "vm/front/program_file.h"
#include "vm/library/handles.h"
#include "vm/profile/collect.h"
#include "vm/run/judge.h"
#include "vm/run/memory_need.h"
#include "vm/run/open_streams.h"

namespace wse::library {
namespace {

wsevm_status status_of(vm::RunStatus status) {
  switch (status) {
    case vm::RunStatus::Halted: return WSEVM_HALTED;
    case vm::RunStatus::Deadlock: return WSEVM_DEADLOCK;
    case vm::RunStatus::Trap: return WSEVM_TRAP;
    case vm::RunStatus::CycleLimit: return WSEVM_CYCLE_LIMIT;
    case vm::RunStatus::Interrupted: return WSEVM_STOPPED;
  }
  return WSEVM_TRAP;
}

std::optional<vm::PeRect> rect_of(const wsevm_rectangle* place) {
  if (place == nullptr) return std::nullopt;
  return vm::PeRect{place->x, place->y, place->width, place->height};
}

// Returns the part; `first + count` must not wrap.
Fallible<vm::ArrayPart> part_of(const wsevm_rectangle* place, const wsevm_elements* elements) {
  vm::ArrayPart part{rect_of(place), std::nullopt};
  if (elements == nullptr) return part;
  if (elements->count > UINT32_MAX - elements->first) {
    return bad_input(fmt::format("{} elements from element {} on: no array has so many",
                                 elements->count, elements->first));
  }
  part.elements = vm::ElementRange{elements->first, elements->first + elements->count};
  return part;
}

// Returns the arguments as the numbers that their types read: whole ones as integers.
std::vector<isa::Number> numbers_of(std::span<const double> arguments) {
  constexpr double kMostWhole = 9007199254740992;  // 2^53
  std::vector<isa::Number> numbers;
  for (const double value : arguments) {
    const bool whole = std::trunc(value) == value && std::fabs(value) <= kMostWhole;
    const bool minus_zero = value == 0 && std::signbit(value);
    numbers.push_back(whole && !minus_zero ? isa::Number::of(static_cast<std::int64_t>(value))
                                           : isa::Number::of(value));
  }
  return numbers;
}

Done check_bytes(const std::string& name, std::size_t given, std::size_t wanted) {
  if (given == wanted) return {};
  return bad_input(
      fmt::format("symbol '{}': {} bytes are given, {} are wanted", name, given, wanted));
}

}  // namespace

Fallible<MadeMachine> make_machine(const Program& program, const Choices& choices) {
  isa::Profile profile = program.profile();
  if (choices.machine) {
    Fallible<isa::Profile> found = find_profile(*choices.machine, *program.inputs());
    if (!found) return std::unexpected(found.error());
    profile = std::move(*found);
  }
  auto engine = jit::make_engine(choices.source.engine.name, {.waits_at_end = true});
  if (!engine) return bad_input(engine.error());
  front::ProgramSource source = choices.source;
  source.file = program.title();
  auto machine = front::make_machine(source, program.image(), profile, {.engine = engine->get()});
  if (!machine) return fault(machine.error());
  if (choices.profile && vm::line_bytes(program.image()) <= vm::kMostProfiledLineBytes) {
    if (const Done counted = done((*machine)->count_lines()); !counted) {
      return std::unexpected(counted.error());
    }
  }
  return MadeMachine{std::move(*engine), std::move(*machine)};
}

vm::RunOptions run_options(const Choices& choices, const std::atomic<bool>& interrupt) {
  vm::RunOptions options;
  options.max_cycles = choices.max_cycles;
  options.interrupt = &interrupt;
  options.tsc_skew = choices.tsc_skew;
  options.jitter = choices.jitter;
  options.profile = choices.profile;
  return options;
}

Fallible<std::shared_ptr<Machine>> Machine::create(std::shared_ptr<const Program> program,
                                                   Choices choices) {
  Fallible<MadeMachine> parts = make_machine(*program, choices);
  if (!parts) return std::unexpected(parts.error());
  auto made = std::make_shared<Machine>();
  made->program_ = std::move(program);
  made->choices_ = std::move(choices);
  made->engine_ = std::move(parts->engine);
  made->begin(std::move(parts->machine));
  return made;
}

void Machine::hear_prints(wsevm_print print, void* user) {
  print_ = print;
  print_user_ = user;
}

Done Machine::hear_progress(wsevm_progress progress, void* user) {
  if (!choices_.progress) {
    return fault(WSEVM_BAD_STATE, "the machine tells no progress; make it with progress=1");
  }
  progress_ = progress;
  progress_user_ = user;
  return {};
}

void Machine::begin(std::unique_ptr<vm::Machine> machine) {
  vm::RunOptions options = run_options(choices_, interrupt_);
  options.print = [this](std::string_view line) {
    if (print_ != nullptr) print_(print_user_, std::string(line).c_str());
  };
  if (choices_.progress) {
    options.progress = [this](const vm::RunProgress& run) {
      if (progress_ != nullptr) progress_(progress_user_, run.cycle, run.busy_pes, run.placed_pes);
    };
  }
  session_ = vm::Session::of(std::move(machine), options);
}

Fallible<vm::ArrayInfo> Machine::array(const std::string& name) {
  if (const auto known = arrays_.find(name); known != arrays_.end()) return known->second;
  isa::Result<vm::ArrayInfo> array = session_->machine().array(name);
  if (!array) return bad_input(array.error());
  return arrays_.emplace(name, std::move(*array)).first->second;
}

Done Machine::write(const std::string& name, const wsevm_rectangle* place,
                    const wsevm_elements* elements, std::span<const std::byte> from) {
  const Fallible<vm::ArrayPart> part = part_of(place, elements);
  if (!part) return std::unexpected(part.error());
  return done(session_->write(name, *part, from));
}

Done Machine::read(const std::string& name, const wsevm_rectangle* place,
                   const wsevm_elements* elements, std::span<std::byte> to) {
  const Fallible<vm::ArrayPart> part = part_of(place, elements);
  if (!part) return std::unexpected(part.error());
  return done(session_->read(name, *part, to));
}

Done Machine::write_symbol(std::uint32_t x, std::uint32_t y, const std::string& name,
                           std::span<const std::byte> from) {
  const isa::Result<vm::SymbolValue> value = session_->symbol(x, y, name);
  if (!value) return bad_input(value.error());
  const std::size_t size = isa::info(value->type).bytes;
  const std::size_t count = value->words.size();
  if (const Done fine = check_bytes(name, from.size(), count * size); !fine) return fine;
  std::vector<std::uint32_t> words(count);
  for (std::size_t k = 0; k < count; ++k) std::memcpy(&words[k], from.data() + k * size, size);
  return done(session_->set_symbol(x, y, name, words));
}

Done Machine::read_symbol(std::uint32_t x, std::uint32_t y, const std::string& name,
                          std::span<std::byte> to) {
  const isa::Result<vm::SymbolValue> value = session_->symbol(x, y, name);
  if (!value) return bad_input(value.error());
  const std::size_t size = isa::info(value->type).bytes;
  const std::size_t count = value->words.size();
  if (const Done fine = check_bytes(name, to.size(), count * size); !fine) return fine;
  for (std::size_t k = 0; k < count; ++k) std::memcpy(to.data() + k * size, &value->words[k], size);
  return {};
}

Fallible<wsevm_status> Machine::run_until(std::uint64_t cycle) {
  vm::Session& used = *session_;
  const bool may_go_on =
      used.state() == vm::Session::State::New || used.state() == vm::Session::State::Stopped;
  if (may_go_on && cycle <= used.cycle()) return WSEVM_CYCLE_LIMIT;  // nothing to do
  profile_.reset();
  static_cast<void>(used.run(cycle));  // the record says it
  return take_record();
}

Done Machine::prepare(const std::string& task, std::span<const double> arguments,
                      const wsevm_rectangle* place) {
  vm::Session& used = *session_;
  const isa::Status prepared = used.prepare(task, numbers_of(arguments), rect_of(place));
  profile_.reset();
  if (prepared) return {};
  const bool must_run_on = used.state() == vm::Session::State::Stopped && !used.is_prepared();
  return refused(prepared.error(), must_run_on ? WSEVM_BAD_STATE : WSEVM_BAD_INPUT);
}

Done Machine::refused(const std::string& why, wsevm_code code) {
  if (session_->state() != vm::Session::State::Broken) return fault(code, why);
  take_record();
  return fault(WSEVM_ENDED_BADLY, why);
}

Fallible<wsevm_status> Machine::launch(const std::string& task, std::span<const double> arguments,
                                       const wsevm_rectangle* place) {
  if (const Done prepared = prepare(task, arguments, place); !prepared) {
    return std::unexpected(prepared.error());
  }
  return run_until(WSEVM_TO_THE_END);
}

Fallible<Machine::StreamPart> Machine::stream_part(const std::string& name, std::size_t bytes) {
  if (!vm::OpenStreams(session_->machine()).has(name)) {
    return bad_input(fmt::format("there is no stream '{}'", name));
  }
  const Fallible<vm::ArrayInfo> stream = array(name);
  if (!stream) return std::unexpected(stream.error());
  const StreamPart part{.element_bytes = isa::info(stream->type).bytes,
                        .pes = std::size_t{stream->width} * stream->height};
  if (bytes % std::max<std::size_t>(1, part.pes * part.element_bytes) == 0) return part;
  return bad_input(
      fmt::format("stream '{}' is at {} PEs and has elements of {} bytes: {} bytes are not as many "
                  "elements for each",
                  name, part.pes, part.element_bytes, bytes));
}

Done Machine::send(const std::string& stream, std::span<const std::byte> from) {
  const Fallible<StreamPart> part = stream_part(stream, from.size());
  if (!part) return std::unexpected(part.error());
  const std::size_t size = part->element_bytes;
  std::vector<std::uint32_t> words(from.size() / size);
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::memcpy(&words[k], from.data() + k * size, size);
  }
  const isa::Status sent = session_->send(stream, words);
  profile_.reset();
  if (!sent) return refused(sent.error(), WSEVM_BAD_INPUT);
  return {};
}

Done Machine::receive(const std::string& stream, std::span<std::byte> to) {
  const Fallible<StreamPart> part = stream_part(stream, to.size());
  if (!part) return std::unexpected(part.error());
  const std::size_t size = part->element_bytes;
  const std::size_t all = part->pes * size;
  const auto words = session_->receive(stream, all == 0 ? 0 : to.size() / all);
  if (!words) return bad_input(words.error());
  for (std::size_t k = 0; k < words->size(); ++k) {
    std::memcpy(to.data() + k * size, &(*words)[k], size);
  }
  return {};
}

Fallible<std::size_t> Machine::arrived(const std::string& stream) const {
  const isa::Result<std::size_t> there = session_->arrived(stream);
  if (!there) return bad_input(there.error());
  return *there;
}

wsevm_status Machine::take_record() {
  using State = vm::Session::State;
  vm::Session& used = *session_;
  record_ = used.record();
  const wsevm_status status = status_of(record_->status);
  interrupt_ = false;  // one that has come too late is not for the next run
  // Words that nobody takes keep launches off, and harm no program that has none.
  const bool has_ended =
      used.state() == State::Quiet || (status == WSEVM_HALTED && used.launches().empty());
  is_good_ = has_ended ? vm::judge(used.machine(), {choices_.strict, choices_.expect}, *record_)
                       : used.state() == State::Stopped && status == WSEVM_CYCLE_LIMIT;
  if (!is_good_ && record_->message.empty()) record_->message = used.problem();
  if (has_ended) return WSEVM_HALTED;
  return status == WSEVM_HALTED ? WSEVM_DEADLOCK : status;
}

Done Machine::verdict(wsevm_status status, std::uint64_t cycle) const {
  const bool at_own_limit = status == WSEVM_CYCLE_LIMIT && cycles() < cycle;
  if (is_good_ && !at_own_limit) return {};
  const std::string& message = record_ ? record_->message : std::string();
  return fault(status == WSEVM_STOPPED ? WSEVM_INTERRUPTED : WSEVM_ENDED_BADLY, message);
}

std::string Machine::launches_json() {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const vm::LaunchInfo& launch : session_->launches()) {
    nlohmann::ordered_json types = nlohmann::ordered_json::array();
    for (const isa::Type type : launch.arguments) types.push_back(isa::info(type).text);
    rows.push_back({{"name", launch.name}, {"arguments", std::move(types)}});
  }
  return rows.dump();
}

Fallible<const vm::Record*> Machine::record() const {
  if (!record_) return fault(WSEVM_BAD_STATE, "there is no record: nothing has run");
  return &*record_;
}

Fallible<const vm::Profile*> Machine::profile() {
  if (!choices_.profile) {
    return fault(WSEVM_BAD_STATE, "the machine keeps no profile; make it with profile=1");
  }
  if (!record_) return fault(WSEVM_BAD_STATE, "there is no profile: nothing has run");
  if (!profile_) {
    auto collected =
        vm::collect_profile(session_->machine(), *record_,
                            {program_->title(), program_->origin().values, &program_->sources()});
    if (!collected) return bad_input(collected.error());
    profile_ = std::move(*collected);
  }
  return &*profile_;
}

Fallible<Use> Use::begin(wsevm_machine handle) {
  std::shared_ptr<Machine> machine = machines().find(handle);
  if (!machine) {
    return fault(WSEVM_BAD_HANDLE, fmt::format("handle {} names no machine{}", handle,
                                               handle == 0 ? "" : "; it may be freed"));
  }
  if (machine->in_use_.exchange(true)) {
    return fault(WSEVM_BUSY, "another call uses the machine");
  }
  return Use(std::move(machine));
}

}  // namespace wse::library
