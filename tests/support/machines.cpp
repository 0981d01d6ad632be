// Reads the machine files of scripts/machines without Lua: a base, and numbers.
#include "tests/support/machines.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <stdexcept>

#include "tests/support/files.h"

namespace wse::test_support {

isa::Profile machine(const std::string& name) {
  if (const auto profile = isa::find_profile(name)) return *profile;
  const auto file = std::filesystem::path(WSE_SOURCE_DIR) / "scripts/machines" / (name + ".lua");
  const std::string text = read_text(file);
  std::smatch base;
  if (!std::regex_search(text, base, std::regex(R"re(base = "([a-z0-9-]+)")re"))) {
    throw std::runtime_error(file.string() + ": no machine file");
  }
  isa::Profile profile = *isa::find_profile(base[1].str());
  profile.name = name;
  const std::regex line(R"(\n  ([a-z_0-9]+) = ([0-9]+),)");
  for (std::sregex_iterator found(text.begin(), text.end(), line), end; found != end; ++found) {
    const auto parameter =
        std::ranges::find(isa::kParameters, (*found)[1].str(), &isa::ParameterInfo::name);
    if (parameter == std::end(isa::kParameters)) {
      throw std::runtime_error(file.string() + ": " + (*found)[1].str() + " is no parameter");
    }
    profile.*parameter->member = static_cast<std::uint32_t>(std::stoul((*found)[2].str()));
  }
  return profile;
}

}  // namespace wse::test_support
