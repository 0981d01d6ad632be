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
constexpr std::uint32_t kFormat = 4;
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

constexpr std::size_t kHash = 8;
constexpr std::size_t kEnd = 8 + kHash;  // size of the state, hash
constexpr std::size_t kPiece = std::size_t{1} << 20;

// Reads a range of bytes of a file, piece by piece.
class Pieces {
 public:
  Pieces(const CheckpointFile& file, std::uint64_t from, std::uint64_t end)
      : file_(file), at_(from), end_(end) {}

  // Returns the next bytes, which stay until it is called again; none at the end.
  std::span<const std::byte> next() {
    piece_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, end_ - at_)));
    if (!piece_.empty() && !file_.read(at_, piece_)) return {};
    at_ += piece_.size();
    return piece_;
  }

 private:
  const CheckpointFile& file_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::vector<std::byte> piece_;
};

// A file whose hash is right.
struct Opened {
  Header header;
  std::uint64_t begin = 0;  // of the deflated state
  std::uint64_t state_bytes = 0;
};

isa::Attempt<Opened> opened(const CheckpointFile& file) {
  std::vector<std::byte> begin(kMagic.size() + 4);
  if (file.bytes < kMagic.size() || !file.read(0, std::span(begin).first(kMagic.size())) ||
      !std::ranges::equal(std::span(begin).first(kMagic.size()),
                          std::as_bytes(std::span(kMagic)))) {
    return std::unexpected(isa::Error("the file is no checkpoint of wsevm"));
  }
  if (file.bytes < begin.size() + kEnd) return damaged();
  std::vector<std::byte> end(kEnd);
  if (!file.read(0, begin) || !file.read(file.bytes - kEnd, end)) return damaged();
  std::uint64_t hash = isa::kHashSeed;
  Pieces pieces(file, 0, file.bytes - kHash);
  for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    hash = isa::hash_bytes(piece, hash);
  }
  isa::ByteReader last(end);
  Opened opened;
  opened.state_bytes = last.u64();
  if (last.u64() != hash) return damaged();
  isa::ByteReader first(std::span<const std::byte>(begin).last(4));
  const std::uint64_t size = first.u32();
  if (size > file.bytes - begin.size() - kEnd) return damaged();
  std::string header(size, '\0');
  if (!file.read(begin.size(), std::as_writable_bytes(std::span(header)))) return damaged();
  opened.header = Header::parse(header, nullptr, false);
  if (opened.header.is_discarded()) return damaged();
  opened.begin = begin.size() + size;
  return opened;
}

// Returns where the state is in the file, if the machine may take it up.
isa::Attempt<Opened> fitting(Machine& machine, const CheckpointFile& file) try {
  isa::Attempt<Opened> found = opened(file);
  if (!found) return std::unexpected(found.error());
  if (const std::string other = difference(found->header, header_of(machine)); !other.empty()) {
    return std::unexpected(isa::Error("the checkpoint does not fit: " + other));
  }
  return found;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to take up a checkpoint");
}

// Lets the machine take it up; after an error it must not be used.
isa::Attempt<void> restore_state(Machine& machine, const CheckpointFile& file,
                                 const Opened& opened) try {
  Pieces pieces(file, opened.begin, file.bytes - kEnd);
  numpy::Inflater inflater([&pieces] { return pieces.next(); });
  StateReader reader(opened.state_bytes, [&inflater] { return inflater.next(); });
  const bool is_read = MachineState(machine).read(reader);
  if (!is_read || !inflater.next().empty() || !inflater.is_whole()) return damaged();
  return {};
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to take up a checkpoint");
}

// Writes a file around a state that comes in pieces.
class FileWriter {
 public:
  FileWriter(const Header& header, const StateWriter::Sink& sink) : sink_(sink) {
    isa::ByteWriter begin;
    for (const char c : kMagic) begin.u8(static_cast<std::uint8_t>(c));
    begin.text(header.dump());
    put(begin.bytes());
  }
  bool add(std::span<const std::byte> of_state) {
    size_ += of_state.size();
    deflater_.add(of_state);
    return put(deflater_.take());
  }
  void finish() {
    put(deflater_.finish());
    isa::ByteWriter size;
    size.u64(size_);
    put(size.bytes());
    isa::ByteWriter hash;
    hash.u64(hash_);
    put(hash.bytes());
  }

 private:
  bool put(std::span<const std::byte> bytes) {
    hash_ = isa::hash_bytes(bytes, hash_);
    is_taken_ = is_taken_ && (bytes.empty() || sink_(bytes));
    return is_taken_;
  }

  const StateWriter::Sink& sink_;
  numpy::Deflater deflater_{kFast};
  std::uint64_t size_ = 0;
  std::uint64_t hash_ = isa::kHashSeed;
  bool is_taken_ = true;
};

}  // namespace

CheckpointFile CheckpointFile::of(std::span<const std::byte> file) {
  return {file.size(), [file](std::uint64_t from, std::span<std::byte> to) {
            if (from > file.size() || to.size() > file.size() - from) return false;
            std::ranges::copy(file.subspan(from, to.size()), to.begin());
            return true;
          }};
}

isa::Attempt<void> write_checkpoint(Machine& machine, const StateWriter::Sink& sink) try {
  MachineState state(machine);
  if (state.is_over()) {
    return std::unexpected(isa::Error("no checkpoint: the run is over; stop it at a cycle before"));
  }
  FileWriter file(header_of(machine), sink);
  StateWriter writer([&file](std::span<const std::byte> piece) { return file.add(piece); });
  state.write(writer);
  writer.flush();
  file.finish();
  return {};
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" for a checkpoint");
}

isa::Attempt<void> write_checkpoint(Machine& machine, StatePieces& pieces, std::uint32_t processes,
                                    const StatePieces::Fetch& fetch,
                                    const StateWriter::Sink& sink) try {
  FileWriter file(header_of(machine), sink);
  StateWriter writer([&file](std::span<const std::byte> piece) { return file.add(piece); });
  if (!pieces.write(writer, processes, fetch)) {
    return std::unexpected(isa::Error(
        fmt::format("no checkpoint: process {} does not give its part", pieces.broken_process())));
  }
  writer.flush();
  file.finish();
  return {};
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" for a checkpoint");
}

isa::Attempt<std::vector<std::byte>> checkpoint_of(Machine& machine) try {
  std::vector<std::byte> bytes;
  const auto written = write_checkpoint(machine, [&bytes](std::span<const std::byte> piece) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return true;
  });
  if (!written) return std::unexpected(written.error());
  return bytes;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" for a checkpoint");
}

isa::Attempt<void> restore(Machine& machine, const CheckpointFile& file) {
  const isa::Attempt<Opened> opened = fitting(machine, file);
  if (opened) return restore_state(machine, file, *opened);
  MachineState(machine).refuse();
  return std::unexpected(opened.error());
}

isa::Attempt<void> restore(Machine& machine, std::span<const std::byte> file) {
  return restore(machine, CheckpointFile::of(file));
}

isa::Attempt<std::vector<std::byte>> checkpoint_of(Session& session) {
  if (session.state() == Session::State::Broken) {
    return std::unexpected(isa::Error("no checkpoint: " + session.problem()));
  }
  return checkpoint_of(session.machine());
}

isa::Attempt<void> restore(Session& session, std::span<const std::byte> bytes) {
  if (session.state() != Session::State::New) {
    return std::unexpected(isa::Error("a checkpoint is taken up before the first cycle"));
  }
  const CheckpointFile file = CheckpointFile::of(bytes);
  const isa::Attempt<Opened> opened = fitting(session.machine(), file);
  if (!opened) return std::unexpected(opened.error());
  isa::Attempt<void> done = restore_state(session.machine(), file, *opened);
  session.follow_machine(done ? std::string() : done.error().message);
  return done;
}

}  // namespace wse::vm
