// Runs a script in this process, without output, on one thread.
#include "tests/fidelity/script_run.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <variant>

#include "isa/support/input_list.h"
#include "scripts/host/script.h"
#include "tests/support/files.h"

namespace wse::fidelity {
namespace {

isa::Result<double> user_number(const script::ScriptResult& result, const std::string& key) {
  const auto found = result.user.find(key);
  if (found == result.user.end()) return isa::fail(fmt::format("it says no '{}'", key));
  const auto* scalar = std::get_if<script::UserScalar>(&found->second);
  if (scalar == nullptr) return isa::fail(fmt::format("its '{}' is no number", key));
  if (const auto* value = std::get_if<double>(scalar)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(scalar)) return static_cast<double>(*value);
  return isa::fail(fmt::format("its '{}' is no number", key));
}

}  // namespace

isa::Result<double> number_of_script(const std::string& file, const Arguments& arguments,
                                     const std::string& key, const std::filesystem::path& root,
                                     const isa::Profile& profile) {
  const std::filesystem::path path = root / file;
  script::Options options;
  options.file = file;
  options.path = path.string();
  options.arguments = arguments;
  options.data_folder = root.string();
  options.defaults.machine = {profile, profile.name, ""};
  options.threads = 1;
  options.print = options.log = [](std::string_view) {};
  isa::InputList inputs;
  const script::ScriptResult result =
      script::run_script(test_support::read_text(path), options, inputs);
  if (result.ending != script::Ending::Fine) return isa::fail(result.message);
  return user_number(result, key);
}

}  // namespace wse::fidelity
