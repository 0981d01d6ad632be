// Reads the file; the sandbox of scripts runs it, within a second and 64 MiB.
#include "vm/front/machine_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "isa/support/atomic_file.h"
#include "isa/support/visible.h"
#include "scripts/host/script.h"
#include "vm/front/data_folder.h"

namespace wse::front {
namespace {

constexpr std::size_t kMaxMachineBytes = std::size_t{1} << 20;
constexpr script::LimitOptions kLimits = {.memory_bytes = std::uint64_t{64} << 20,
                                          .instructions = 100'000'000};

Outcome<isa::MeasuredProfile> find_profile(const std::string& name) {
  std::optional<isa::MeasuredProfile> found = isa::find_measured_profile(name);
  if (found) return std::move(*found);
  std::string names;
  for (const std::string& known : isa::profile_names()) names += " " + known;
  return failure(
      fmt::format("there is no machine '{}'; the profiles are{}, a file of one's own ends in .lua",
                  name, names));
}

}  // namespace

Outcome<isa::MeasuredProfile> find_machine(const std::string& given, isa::InputList& inputs,
                                           const MachineFileHost& host) {
  if (!script::is_machine_file(given)) return find_profile(given);
  const Outcome<std::string> path = find_input(given);
  if (!path) return std::unexpected(path.error());
  const auto text = isa::read_text_file(*path, inputs, kMaxMachineBytes);
  if (!text) return failure(text.error());
  script::Options options;
  options.file = isa::visible_line(given);
  options.path = *path;
  options.data_folder = data_folder().string();
  options.limits = kLimits;
  options.print = options.log = host.log;
  options.give_up = host.give_up;
  isa::Result<isa::MeasuredProfile> machine = script::read_machine(*text, options, inputs);
  if (!machine) return failure(machine.error());
  return std::move(*machine);
}

std::string machine_name(const std::string& given) {
  return script::is_machine_file(given) ? std::filesystem::path(given).stem().string() : given;
}

}  // namespace wse::front
