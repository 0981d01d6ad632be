// The file around a state.
#include "vm/checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "isa/support/bytes.h"
#include "isa/support/hash.h"
#include "vm/numpy/deflate.h"
#include "vm/run/machine_state.h"

namespace wse::vm {
namespace {

using Header = nlohmann::json;

constexpr std::string_view kMagic = "wsevm checkpoint\n";
constexpr std::uint32_t kFormat = 2;
constexpr int kFast = 1;  // level of deflation: most of a state is zeros

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

// Two texts are one program whatever their files are called.
std::uint64_t hash_of(isa::Image image) {
  for (std::string& name : image.sources) name.clear();
  return isa::hash_bytes(isa::write_image(image));
}

// Returns all that must be the same, each under the name that an error tells.
Header header_of(Machine& machine) {
  const RunOptions& options = MachineState(machine).options();
  Header header = {{"format", kFormat},
                   {"program", hex(hash_of(machine.image()))},
                   {"profile kept", options.profile},
                   {"lines counted", MachineState(machine).counts_lines()},
                   {"slices of time", options.slices},
                   {"trace written", options.trace != nullptr},
                   {"held by a host", options.launches}};
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    header["machine"][std::string(parameter.name)] = machine.profile().*parameter.member;
  }
  header["seed of cycle counters"] = options.tsc_skew ? Header(*options.tsc_skew) : Header();
  const Header none;
  header["seed of jitter"] = options.jitter ? Header(options.jitter->seed) : none;
  header["cycles of jitter"] = options.jitter ? Header(options.jitter->cycles) : none;
  return header;
}

// Returns a member, or null if there is none. A stranger's values may be nested deeply: they are
// neither copied nor written.
const Header& member(const Header& object, std::string_view name) {
  static const Header kNull;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() ? *found : kNull;
}

std::string value_text(const Header& value) {
  if (value.is_null()) return "none";
  return value.is_primitive() ? value.dump() : "no number";
}

constexpr const char* kOptions[] = {"held by a host",   "seed of cycle counters", "seed of jitter",
                                    "cycles of jitter", "profile kept",           "lines counted",
                                    "slices of time",   "trace written"};

// Returns what differs between a file and the machine that is to take it up; empty if nothing does.
std::string difference(const Header& file, const Header& wanted) {
  if (member(file, "format") != wanted.at("format")) {
    return fmt::format("it has another format than {}; write it again", kFormat);
  }
  if (member(file, "program") != wanted.at("program")) {
    return "it is of another program, or of other values of its constants and parameters";
  }
  for (const auto& [name, value] : wanted.at("machine").items()) {
    const Header& other = member(member(file, "machine"), name);
    if (other == value) continue;
    return fmt::format("its machine has {} = {}, this one {}", name, value_text(other),
                       value_text(value));
  }
  for (const char* const name : kOptions) {
    const Header& other = member(file, name);
    if (other == wanted.at(name)) continue;
    return fmt::format("{}: {} there, {} here; ask for the same as there", name, value_text(other),
                       value_text(wanted.at(name)));
  }
  return {};
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
  const bool is_whole =
      numpy::inflate(file.subspan(file.size() - kHash - reader.left(), reader.left()),
                     [&](std::span<const std::byte> piece) {
                       parts.state.insert(parts.state.end(), piece.begin(), piece.end());
                       return parts.state.size() <= size;
                     });
  if (!is_whole || parts.state.size() != size) return damaged();
  return parts;
}

// Returns the state in the file, if the machine may take it up.
isa::Attempt<std::vector<std::byte>> state_in(Machine& machine,
                                              std::span<const std::byte> file) try {
  isa::Attempt<Parts> parts = parts_of(file);
  if (!parts) return std::unexpected(parts.error());
  if (const std::string other = difference(parts->header, header_of(machine)); !other.empty()) {
    return std::unexpected(isa::Error("the checkpoint does not fit: " + other));
  }
  return std::move(parts->state);
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to take up a checkpoint");
}

// Lets the machine take it up; after an error it must not be used.
isa::Attempt<void> restore_state(Machine& machine, std::span<const std::byte> state) try {
  StateReader reader(state);
  if (!MachineState(machine).read(reader)) return damaged();
  return {};
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to take up a checkpoint");
}

}  // namespace

isa::Attempt<std::vector<std::byte>> checkpoint_of(Machine& machine) try {
  MachineState state(machine);
  if (state.is_over()) {
    return std::unexpected(isa::Error("no checkpoint: the run is over; stop it at a cycle before"));
  }
  StateWriter writer;
  state.write(writer);
  isa::ByteWriter file;
  for (const char c : kMagic) file.u8(static_cast<std::uint8_t>(c));
  file.text(header_of(machine).dump());
  file.u64(writer.written().size());
  std::vector<std::byte> bytes = file.bytes();
  numpy::Deflater deflater(kFast);
  deflater.add(writer.written());
  const std::vector<std::byte> packed = deflater.finish();
  bytes.insert(bytes.end(), packed.begin(), packed.end());
  isa::ByteWriter hash;
  hash.u64(isa::hash_bytes(bytes));
  bytes.insert(bytes.end(), hash.bytes().begin(), hash.bytes().end());
  return bytes;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" for a checkpoint");
}

isa::Attempt<void> restore(Machine& machine, std::span<const std::byte> file) {
  const isa::Attempt<std::vector<std::byte>> state = state_in(machine, file);
  if (!state) return std::unexpected(state.error());
  return restore_state(machine, *state);
}

isa::Attempt<std::vector<std::byte>> checkpoint_of(Session& session) {
  if (session.state() == Session::State::Broken) {
    return std::unexpected(isa::Error("no checkpoint: " + session.problem()));
  }
  return checkpoint_of(session.machine());
}

isa::Attempt<void> restore(Session& session, std::span<const std::byte> file) {
  if (session.state() != Session::State::New) {
    return std::unexpected(isa::Error("a checkpoint is taken up before the first cycle"));
  }
  const isa::Attempt<std::vector<std::byte>> state = state_in(session.machine(), file);
  if (!state) return std::unexpected(state.error());
  isa::Attempt<void> done = restore_state(session.machine(), *state);
  session.follow_machine(done ? std::string() : done.error().message);
  return done;
}

}  // namespace wse::vm
