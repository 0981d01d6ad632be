// A symbol comes to the leader before it is read there.
#include "scripts/host/run_reads.h"

#include <fmt/format.h>

#include <functional>

namespace wse::script {
namespace {

template <class T>
std::expected<T, BindingError> found(isa::Result<T> result) {
  if (!result) return problem(result.error());
  return std::move(*result);
}

template <class T>
using Find = std::function<std::expected<T, BindingError>()>;

template <class T>
std::expected<T, BindingError> fetched(TeamMachine& shared, const std::string& name,
                                       const Find<T>& find) {
  if (const Done done = shared.fetch(name); !done) return std::unexpected(done.error());
  return shared.tell<T>(name, find);
}

}  // namespace

std::expected<std::vector<std::uint32_t>, BindingError> RunReads::array(
    const std::string& name) const {
  const Find<std::vector<std::uint32_t>> find = [&] { return found(machine.read_array(name)); };
  return shared == nullptr ? find() : fetched(*shared, name, find);
}

std::expected<vm::SymbolValue, BindingError> RunReads::symbol(std::uint32_t x, std::uint32_t y,
                                                              const std::string& name) const {
  const Find<vm::SymbolValue> find = [&] { return found(machine.read_symbol(x, y, name)); };
  return shared == nullptr ? find() : fetched(*shared, name, find);
}

std::expected<std::vector<std::uint64_t>, BindingError> RunReads::profile(
    const std::string& name) const {
  const Find<std::vector<std::uint64_t>> find = [&] { return found(machine.profile_array(name)); };
  return shared == nullptr ? find() : shared->tell<std::vector<std::uint64_t>>(name, find);
}

std::expected<std::vector<std::byte>, BindingError> RunReads::file(
    const std::string& name, const FormatArray& format) const {
  std::vector<std::byte> bytes;
  const Find<bool> find = [&]() -> std::expected<bool, BindingError> {
    auto formatted = format(machine, name);
    if (!formatted) return problem(formatted.error());
    bytes = std::move(*formatted);
    return true;
  };
  const auto done = shared == nullptr ? find() : fetched(*shared, name, find);
  if (!done) return std::unexpected(done.error());
  return bytes;
}

}  // namespace wse::script
