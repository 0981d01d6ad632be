// Codes for what vm/checkpoint refuses.
#include "vm/library/machine_file.h"

#include "vm/checkpoint/checkpoint.h"

namespace wse::library {

Fallible<std::vector<std::byte>> MachineFile::bytes() {
  auto file = vm::checkpoint_of(session());
  if (file) return std::move(*file);
  const bool is_broken = session().state() == vm::Session::State::Broken;
  const wsevm_code code = is_broken ? WSEVM_ENDED_BADLY : WSEVM_BAD_STATE;
  return fault(file.error().exhausted ? WSEVM_EXHAUSTED : code, file.error().message);
}

Done MachineFile::take_up(std::span<const std::byte> file) {
  if (session().state() != vm::Session::State::New) {
    return fault(WSEVM_BAD_STATE, "the machine has run; a new one takes a checkpoint up");
  }
  if (const auto done = vm::restore(session(), file); !done) {
    return fault(done.error().exhausted ? WSEVM_EXHAUSTED : WSEVM_BAD_INPUT, done.error().message);
  }
  if (session().state() != vm::Session::State::New) machine_.take_record();
  return {};
}

}  // namespace wse::library
