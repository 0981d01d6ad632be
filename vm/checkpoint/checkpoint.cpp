// The file around a state.
#include "vm/checkpoint/checkpoint.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "isa/support/bytes.h"
#include "isa/support/hash.h"
#include "vm/run/machine_state.h"

namespace wse::vm {
namespace {

using Header = nlohmann::json;

constexpr std::string_view kMagic = "wsevm checkpoint\n";
constexpr std::uint32_t kFormat = 1;
// Deflated zeros take a thousandth, so nothing honest is smaller.
constexpr std::uint64_t kMostRatio = 1100;

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

// What must be the same, each under the name that an error tells.
Header header_of(Machine& machine) {
  const RunOptions& options = MachineState(machine).options();
  Header header = {{"format", kFormat},
                   {"program", hex(isa::hash_bytes(isa::write_image(machine.image())))},
                   {"profile kept", options.profile}};
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    header["machine"][std::string(parameter.name)] = machine.profile().*parameter.member;
  }
  header["seed of cycle counters"] = options.tsc_skew ? Header(*options.tsc_skew) : Header();
  header["jitter"] =
      options.jitter ? Header{{"seed", options.jitter->seed}, {"cycles", options.jitter->cycles}}
                     : Header();
  return header;
}

std::string value_text(const Header& value) { return value.is_null() ? "none" : value.dump(); }

// Returns what differs between a file and the machine that is to take it up; empty if nothing does.
std::string difference(const Header& file, const Header& wanted) {
  if (!file.is_object() || file.value("format", Header()) != wanted.at("format")) {
    return fmt::format("it has another format than {}; write it again", kFormat);
  }
  if (file.value("program", Header()) != wanted.at("program")) {
    return "it is of another program, or of other values of its constants and parameters";
  }
  const Header machine = file.value("machine", Header::object());
  for (const auto& [name, value] : wanted.at("machine").items()) {
    const Header other = machine.is_object() ? machine.value(name, Header()) : Header();
    if (other == value) continue;
    return fmt::format("its machine has {} = {}, this one {}", name, value_text(other),
                       value_text(value));
  }
  for (const char* const name : {"seed of cycle counters", "jitter", "profile kept"}) {
    const Header other = file.value(name, Header());
    if (other == wanted.at(name)) continue;
    return fmt::format("{}: {} there, {} here", name, value_text(other),
                       value_text(wanted.at(name)));
  }
  return {};
}

std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  uLongf size = compressBound(bytes.size());
  std::vector<std::byte> packed(size);
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_SPEED);
  packed.resize(size);
  return packed;
}

std::unexpected<isa::Error> damaged() {
  return std::unexpected(isa::Error("the checkpoint is damaged"));
}

// The parts of a file.
struct Parts {
  Header header;
  std::vector<std::byte> state;
};

isa::Attempt<Parts> parts_of(std::span<const std::byte> file) {
  const auto magic = std::as_bytes(std::span(kMagic));
  if (file.size() < magic.size() || !std::ranges::equal(file.first(magic.size()), magic)) {
    return std::unexpected(isa::Error("the file is no checkpoint of wsevm"));
  }
  constexpr std::size_t kHash = 8;
  if (file.size() < magic.size() + kHash) return damaged();
  isa::ByteReader hash(file.last(kHash));
  if (hash.u64() != isa::hash_bytes(file.first(file.size() - kHash))) return damaged();
  isa::ByteReader reader(file.subspan(magic.size(), file.size() - magic.size() - kHash));
  Parts parts;
  parts.header = Header::parse(reader.text(), nullptr, false);
  const std::uint64_t size = reader.u64();
  if (reader.failed() || parts.header.is_discarded()) return damaged();
  const std::span<const std::byte> packed =
      file.subspan(file.size() - kHash - reader.left(), reader.left());
  if (size / kMostRatio > packed.size()) return damaged();
  parts.state.resize(size);
  uLongf unpacked = size;
  const int status = uncompress(reinterpret_cast<Bytef*>(parts.state.data()), &unpacked,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (status != Z_OK || unpacked != size) return damaged();
  return parts;
}

}  // namespace

isa::Attempt<std::vector<std::byte>> checkpoint_of(Machine& machine) try {
  MachineState state(machine);
  if (std::string refusal = state.refusal(); !refusal.empty()) {
    return std::unexpected(isa::Error("no checkpoint: " + refusal));
  }
  StateWriter writer;
  state.write(writer);
  isa::ByteWriter file;
  for (const char c : kMagic) file.u8(static_cast<std::uint8_t>(c));
  file.text(header_of(machine).dump());
  file.u64(writer.written().size());
  std::vector<std::byte> bytes = file.bytes();
  const std::vector<std::byte> packed = deflated(writer.written());
  bytes.insert(bytes.end(), packed.begin(), packed.end());
  isa::ByteWriter hash;
  hash.u64(isa::hash_bytes(bytes));
  bytes.insert(bytes.end(), hash.bytes().begin(), hash.bytes().end());
  return bytes;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" for a checkpoint");
}

isa::Attempt<void> restore(Machine& machine, std::span<const std::byte> file) try {
  MachineState state(machine);
  if (const std::string refusal = state.refusal(); !refusal.empty()) {
    return std::unexpected(isa::Error("the machine takes up no checkpoint: " + refusal));
  }
  isa::Attempt<Parts> parts = parts_of(file);
  if (!parts) return std::unexpected(parts.error());
  if (const std::string other = difference(parts->header, header_of(machine)); !other.empty()) {
    return std::unexpected(isa::Error("the checkpoint does not fit: " + other));
  }
  StateReader reader(parts->state);
  if (!state.read(reader)) return damaged();
  return {};
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to take up a checkpoint");
}

}  // namespace wse::vm
