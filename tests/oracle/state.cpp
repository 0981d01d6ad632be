// The names are those of vm/report/pe_state.h, so that the two can be compared line by line.
#include "tests/oracle/state.h"

#include <fmt/format.h>

#include "tests/oracle/processor.h"
#include "tests/oracle/routers.h"

namespace wse::oracle {
namespace {

std::string line_text(const isa::Image& image, const isa::Program& program, std::uint32_t pc) {
  const std::string place = image.place_text(program.line_of(pc));
  return place.empty() ? fmt::format("word {}", pc) : place;
}

void add_queue(const Queue& queue, const std::string& name, State& state) {
  if (queue.empty()) return;
  std::string words;
  for (const Wavelet& wavelet : queue.wavelets()) {
    words += fmt::format(" {}{}", wavelet.control ? "control " : "", wavelet.word);
  }
  state.emplace_back(name, words.substr(1));
}

}  // namespace

void Processor::add_state(const isa::Image& image, State& state) const {
  static constexpr const char* kMainTexts[] = {
      "has no task", "runs",      "waits for its vector instruction", "waits for a microthread",
      "has halted",  "has halted"};  // the last by a trap
  const bool waits_for_main = main_ == Main::WaitsForThread && awaited_ == 0;
  const Main main = waits_for_main ? Main::InVector : main_;
  state.emplace_back("main thread", kMainTexts[static_cast<std::size_t>(main)]);
  if (main_ != Main::Free && main_ != Main::Halted && main_ != Main::Trapped) {
    state.emplace_back("continues at", line_text(image, *program_, pc_));
  }
  for (std::uint32_t k = 0; k < isa::kRegisters; ++k) {
    if (registers_[k] != 0)
      state.emplace_back(fmt::format("r{}", k), std::to_string(registers_[k]));
  }
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    if (!flights_[thread]) continue;
    const Flight& flight = *flights_[thread];
    const std::string name = fmt::format("thread {}", thread);
    state.emplace_back(name, line_text(image, *program_, flight.pc));
    if (!flight.finish) state.emplace_back(name + " elements", std::to_string(flight.done));
  }
  for (const isa::Task& task : program_->tasks) {
    if (task.kind == isa::TaskKind::Main || task.kind == isa::TaskKind::Teardown) continue;
    if (activated_[id_of(task)]) state.emplace_back(task.name, "activated");
    if (blocked_by_code_[id_of(task)]) state.emplace_back(task.name, "blocked");
  }
}

void add_state(const Channel& channel, const std::string& colour, State& state) {
  if (channel.position != 0)
    state.emplace_back(colour + " position", std::to_string(channel.position));
  if (channel.torn_down) state.emplace_back(colour, "torn down");
  constexpr std::size_t kUpRamp = static_cast<std::size_t>(isa::Port::Ramp);
  for (std::size_t port = 0; port < channel.arrived.size(); ++port) {
    const std::string name = port == kUpRamp
                                 ? "up-ramp"
                                 : fmt::format("from {}", isa::text(static_cast<isa::Port>(port)));
    add_queue(channel.arrived[port], colour + " " + name, state);
  }
  add_queue(channel.down, colour + " down-ramp", state);
}

}  // namespace wse::oracle
