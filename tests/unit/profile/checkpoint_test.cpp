// Checkpoint files: a run that continues from one ends as a whole run; what does not fit is named;
// a damaged file is refused, and a state that somebody has made up harms nobody.
#include "vm/checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "asm/assembler.h"
#include "isa/support/bytes.h"
#include "isa/support/hash.h"
#include "tests/support/engine.h"
#include "tests/support/random.h"
#include "tests/support/simulation.h"
#include "vm/numpy/deflate.h"
#include "vm/profile/record_json.h"
#include "vm/run/books.h"
#include "vm/run/machine_state.h"

namespace {

using namespace wse;

constexpr vm::Cycle kAt = 30;

class Checkpoints : public testing::Test {
 protected:
  // A machine that has begun a program of a file of programs/.
  static std::unique_ptr<vm::Machine> begun(
      const std::string& name, const test_support::Values& values = {},
      const vm::RunOptions& options = {}, const isa::Profile& profile = *isa::find_profile("wse2"),
      vm::TransportChoice transport = vm::TransportChoice::Stepper) {
    assembler::Output output =
        assembler::assemble({name + ".wsa", test_support::program_text(name)},
                            {.overrides = values, .profile = profile});
    EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
    auto machine = *vm::Machine::create(
        std::move(*output.image), profile,
        {.threads = 1, .transport = transport, .engine = test_support::test_engine()});
    const bool has_lines = options.slices > 0 && machine->count_lines().has_value();
    EXPECT_EQ(has_lines, options.slices > 0);
    machine->begin(options);
    return machine;
  }
  static std::vector<std::byte> checkpoint(vm::Machine& machine, vm::Cycle at) {
    EXPECT_FALSE(machine.advance(at).is_over);
    auto file = vm::checkpoint_of(machine);
    EXPECT_TRUE(file) << file.error().message;
    return std::move(*file);
  }
  static std::string refusal(vm::Machine& machine, std::span<const std::byte> file) {
    const auto done = vm::restore(machine, file);
    return done ? std::string() : done.error().message;
  }
};

TEST_F(Checkpoints, ARunThatContinuesEndsAsAWholeOne) {
  for (const char* const name :
       {"reduce-chain", "one-colour-allreduce", "heat", "pop-modes", "histogram", "pipeline-fifo",
        "filter-columns", "sparse-input", "overlap", "router"}) {
    const auto whole = begun(name);
    whole->advance(vm::kNever);
    const std::string wanted = vm::lasting_record_object(whole->record()).dump();
    const vm::Cycle cycles = whole->record().cycles;
    const isa::Profile wse2 = *isa::find_profile("wse2");
    for (vm::Cycle k = 1, at = 1; at < cycles; ++k, at += 1 + cycles / 10) {
      using enum vm::TransportChoice;
      const auto first = begun(name, {}, {}, wse2, k % 3 == 0 ? Stepper : Wafer);
      const std::vector<std::byte> file = checkpoint(*first, at);
      const auto second = begun(name, {}, {}, wse2, k % 3 == 1 ? Wafer : Stepper);
      ASSERT_EQ(refusal(*second, file), "") << name << " at " << at;
      second->advance(vm::kNever);
      EXPECT_EQ(vm::lasting_record_object(second->record()).dump(), wanted) << name << " at " << at;
    }
  }
}

// PEs that are ahead of the clock where it stops have passed vector instructions, whose plans the
// second machine has not made.
TEST_F(Checkpoints, AMachineThatTookOneUpShowsTheSameStop) {
  const test_support::Values values = {{"W", "3"}, {"H", "4"}, {"N", "4"}, {"steps", "3"}};
  const isa::Profile wse2 = *isa::find_profile("wse2");
  for (vm::Cycle at = 1; at < 230; at += 3) {
    const vm::RunOptions options{.max_cycles = at};
    const auto first =
        begun("heat", values, options, wse2,
              at % 2 == 0 ? vm::TransportChoice::Stepper : vm::TransportChoice::Wafer);
    const std::vector<std::byte> file = checkpoint(*first, at);
    const auto second = begun("heat", values, options);
    ASSERT_EQ(refusal(*second, file), "") << "at " << at;
    second->advance(at);
    EXPECT_EQ(vm::lasting_record_object(second->record()).dump(),
              vm::lasting_record_object(first->record()).dump())
        << "at " << at;
    for (const char* const symbol : {"u", "flow"}) {
      EXPECT_EQ(second->read_symbol(1, 1, symbol)->words, first->read_symbol(1, 1, symbol)->words)
          << symbol << " at " << at;
    }
  }
}

TEST_F(Checkpoints, AFileMayHaveAnotherName) {
  const auto named = [](const std::string& name) {
    const isa::Profile profile = *isa::find_profile("wse2");
    assembler::Output output = assembler::assemble(
        {name, test_support::program_text("reduce-chain")}, {.overrides = {}, .profile = profile});
    auto machine = *vm::Machine::create(std::move(*output.image), profile,
                                        {.threads = 1,
                                         .transport = vm::TransportChoice::Stepper,
                                         .engine = test_support::test_engine()});
    machine->begin({});
    return machine;
  };
  const auto first = named("chain.wsa");
  EXPECT_EQ(refusal(*named("moved/chain-2.wsa"), checkpoint(*first, 20)), "");
}

TEST_F(Checkpoints, WhatDiffersIsNamed) {
  const auto first = begun("reduce-chain", {{"P", "8"}});
  const std::vector<std::byte> file = checkpoint(*first, 20);
  EXPECT_EQ(refusal(*begun("reduce-chain", {{"P", "8"}}), file), "");
  EXPECT_NE(refusal(*begun("reduce-chain", {{"P", "9"}}), file).find("other values"),
            std::string::npos);
  isa::Profile slow = *isa::find_profile("wse2");
  slow.task_start_cycles += 3;
  EXPECT_NE(
      refusal(*begun("reduce-chain", {{"P", "8"}}, {}, slow), file).find("task_start_cycles = "),
      std::string::npos);
  EXPECT_NE(refusal(*begun("reduce-chain", {{"P", "8"}}, {.tsc_skew = 7}), file)
                .find("seed of cycle counters: none there, 7 here"),
            std::string::npos);
  EXPECT_NE(refusal(*begun("reduce-chain", {{"P", "8"}}, {.profile = true}), file)
                .find("profile kept: false there"),
            std::string::npos);
}

TEST_F(Checkpoints, ARunThatIsOverHasNone) {
  const auto over = begun("reduce-chain");
  over->advance(vm::kNever);
  const auto file = vm::checkpoint_of(*over);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("the run is over"), std::string::npos)
      << file.error().message;
}

TEST_F(Checkpoints, ADamagedFileIsRefused) {
  const auto first = begun("reduce-chain");
  const std::vector<std::byte> file = checkpoint(*first, 20);
  EXPECT_EQ(refusal(*begun("reduce-chain"), std::span(file).first(0)),
            "the file is no checkpoint of wsevm");
  test_support::Random random(1);
  for (std::size_t size = 17; size < file.size(); size += 1 + random.below(40)) {
    EXPECT_EQ(refusal(*begun("reduce-chain"), std::span(file).first(size)),
              "the checkpoint is damaged");
  }
  const auto other = begun("reduce-chain");
  for (std::uint32_t k = 0; k < 2000; ++k) {
    std::vector<std::byte> damaged = file;
    const std::uint32_t at = random.below(static_cast<std::uint32_t>(file.size()));
    damaged[at] ^= static_cast<std::byte>(1u << random.below(8));
    EXPECT_NE(refusal(*other, damaged), "") << "bit of byte " << at;
  }
}

constexpr std::string_view kMagic = "wsevm checkpoint\n";

constexpr std::size_t kHashBytes = 8;

// Bytes with their hash behind them, as at the end of a file.
std::vector<std::byte> hashed(std::vector<std::byte> bytes) {
  isa::ByteWriter hash;
  hash.u64(isa::hash_bytes(bytes));
  bytes.insert(bytes.end(), hash.bytes().begin(), hash.bytes().end());
  return bytes;
}

// A file with any header, any state and the hash of both, as anybody can write one.
std::vector<std::byte> forged(std::string_view header, std::span<const std::byte> state = {}) {
  isa::ByteWriter file;
  for (const char c : kMagic) file.u8(static_cast<std::uint8_t>(c));
  file.text(header);
  std::vector<std::byte> bytes = file.bytes();
  numpy::Deflater deflater(1);
  deflater.add(state);
  isa::ByteWriter size;
  size.u64(state.size());
  for (const std::vector<std::byte>& part : {deflater.finish(), size.bytes()}) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return hashed(std::move(bytes));
}

std::string header_in(std::span<const std::byte> file) {
  isa::ByteReader reader(file.subspan(kMagic.size()));
  return reader.text();
}

TEST_F(Checkpoints, AHeaderOfAStrangerIsRefused) {
  constexpr std::size_t kDeep = 1'000'000;
  const std::string nested = std::string(kDeep, '[') + std::string(kDeep, ']');
  const auto machine = begun("reduce-chain");
  const auto with = [&](std::string_view header) { return refusal(*machine, forged(header)); };
  EXPECT_EQ(with(""), "the checkpoint is damaged");
  EXPECT_NE(with("7").find("another format"), std::string::npos);
  EXPECT_NE(with(nested).find("another format"), std::string::npos);
  EXPECT_NE(with("{\"format\":" + nested + "}").find("another format"), std::string::npos);
  EXPECT_NE(with("{\"format\":4,\"program\":" + nested + "}").find("another program"),
            std::string::npos);
  const auto first = begun("reduce-chain");
  const std::vector<std::byte> file = checkpoint(*first, 20);
  std::string header = header_in(file);
  EXPECT_EQ(with(header), "the checkpoint is damaged") << "it fits, but its state is empty";
  const std::string name = "\"task_start_cycles\":";
  const std::size_t begin = header.find(name) + name.size();
  header.replace(begin, header.find_first_of(",}", begin) - begin, nested);
  EXPECT_NE(with(header).find("task_start_cycles = no number"), std::string::npos);
}

// WSE_STRANGE_FILES=N: of each program, transport and options, others than by default.
std::uint32_t strange_files() {
  const char* const asked = std::getenv("WSE_STRANGE_FILES");
  return asked != nullptr ? static_cast<std::uint32_t>(std::stoul(asked)) : 40;
}

// Returns bytes of which one to three are others, or the end is missing.
std::vector<std::byte> changed(std::vector<std::byte> bytes, test_support::Random& random) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const std::uint32_t changes = 1 + random.below(3);
  for (std::uint32_t change = 0; change < changes; ++change) {
    bytes[random.below(size)] = static_cast<std::byte>(random.below(256));
  }
  if (random.one_in(8)) bytes.resize(random.below(size));
  return bytes;
}

// A file, and what makes others of it.
class Strangers {
 public:
  Strangers(std::vector<std::byte> file, std::vector<std::byte> state, test_support::Random& random)
      : file_(std::move(file)), state_(std::move(state)), random_(random) {}

  // Returns a file that is damaged; or one whose header and packed state, or whose state, somebody
  // has changed before the hash was taken.
  std::vector<std::byte> file() {
    const std::uint32_t kind = random_.below(8);
    if (kind == 0) return changed(file_, random_);
    if (kind > 1) return forged(header_in(file_), changed(state_, random_));
    std::vector<std::byte> bytes = file_;
    bytes.resize(bytes.size() - kHashBytes);
    return hashed(changed(std::move(bytes), random_));
  }

 private:
  std::vector<std::byte> file_;
  std::vector<std::byte> state_;
  test_support::Random& random_;
};

// Whatever a machine does not refuse it can run; whatever it refuses it names.
TEST_F(Checkpoints, AFileOfAStrangerHarmsNobody) {
  const std::uint32_t count = strange_files();
  test_support::Random random(count);
  const vm::RunOptions plain;
  vm::RunOptions with_books;
  with_books.profile = with_books.launches = true;
  with_books.slices = 3;
  std::map<std::string, std::uint32_t> ends;
  const auto take_up = [&](const char* name, vm::RunOptions options,
                           vm::TransportChoice transport) {
    const isa::Profile wse2 = *isa::find_profile("wse2");
    const auto first = begun(name, {}, options, wse2, transport);
    std::vector<std::byte> file = checkpoint(*first, kAt);
    vm::StateWriter writer;
    vm::MachineState(*first).write(writer);
    Strangers strangers(std::move(file), writer.written(), random);
    options.max_cycles = 4 * kAt;
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto second = begun(name, {}, options, wse2, transport);
      const std::string why = refusal(*second, strangers.file());
      ++ends[why.empty() ? "taken up" : why.substr(0, why.find(':'))];
      if (!why.empty()) continue;
      second->advance(vm::kNever);
      static_cast<void>(second->record());
      static_cast<void>(vm::Books(*second).slices());
    }
  };
  for (const char* const name :
       {"one-colour-allreduce", "pop-modes", "pipeline-fifo", "histogram"}) {
    for (const vm::RunOptions& options : {plain, with_books}) {
      take_up(name, options, vm::TransportChoice::Stepper);
      take_up(name, options, vm::TransportChoice::Wafer);
    }
  }
  for (const auto& [end, files] : ends) std::printf("%u files: %s\n", files, end.c_str());
  for (const char* const end :
       {"taken up", "the checkpoint is damaged", "the file is no checkpoint of wsevm",
        "the checkpoint does not fit"}) {
    EXPECT_GT(ends[end], 0u) << end;
  }
  EXPECT_EQ(ends.size(), 4u) << "all others are refused in one of these ways";
}

// Memory that nobody has written takes no place.
TEST_F(Checkpoints, AreAsLargeAsWhatWasTouched) {
  const auto first = begun("reduce-chain", {{"P", "64"}});
  EXPECT_LT(checkpoint(*first, 30).size(), 64u * 400u);
}

// So a machine that fills its host can be written down.
TEST_F(Checkpoints, NobodyHoldsALargeStateWhole) {
  using enum vm::TransportChoice;
  for (const vm::TransportChoice transport : {Stepper, Wafer}) {
    const auto machine =
        begun("heat", {{"W", "64"}, {"H", "64"}}, {}, *isa::find_profile("wse2"), transport);
    ASSERT_FALSE(machine->advance(kAt).is_over);
    std::size_t all = 0;
    std::size_t largest = 0;
    vm::StateWriter writer([&](std::span<const std::byte> piece) {
      all += piece.size();
      largest = std::max(largest, piece.size());
      return true;
    });
    vm::MachineState(*machine).write(writer);
    writer.flush();
    EXPECT_GT(all, std::size_t{4} << 20);
    EXPECT_LT(largest, std::size_t{2} << 20) << "of " << all;
  }
}

}  // namespace
