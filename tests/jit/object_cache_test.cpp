// The cache of objects: what is found is what was kept under that key, or nothing; and what a
// folder must be like.
#include "jit/object_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "jit/engines.h"
#include "jit/load_compiler.h"
#include "tests/jit/loop_program.h"
#include "tests/support/files.h"

namespace wse {
namespace {

namespace fs = std::filesystem;
using jit::expect_same;
using jit::kMostObjectBytes;
using jit::kSlots;
using jit::LoopResult;
using jit::Object;

class ObjectCache : public testing::Test {
 protected:
  ObjectCache() {
    fs::permissions(folder_.path(), fs::perms::owner_all);
    set_state(state_.path());
  }

  // Where the secret of the user is.
  static void set_state(const fs::path& folder) { setenv("XDG_STATE_HOME", folder.c_str(), 1); }
  std::optional<Object> found_in(const jit::ObjectCache& cache, std::string_view key) const {
    return cache.find(key, *compiler_);
  }

  jit::ObjectCache cache() const { return *jit::ObjectCache::open(folder_.path().string()); }
  std::string refusal() const {
    const auto opened = jit::ObjectCache::open(folder_.path().string());
    return opened ? "" : opened.error();
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) found.push_back(entry.path());
    return found;
  }
  // Runs the loop on an engine of its own, as another process would.
  LoopResult run(std::string_view name = "jit") const {
    const auto engine = jit::make_engine(name, {.threshold = 0, .cache = cache()});
    return jit::run_loop(engine->get(), 1);
  }

  test_support::ScratchFolder folder_;
  test_support::ScratchFolder state_;
  const std::unique_ptr<jit::Compiler> compiler_ = *jit::load_compiler({});
};

// Of a file with the text: its key begins at byte 16.
std::size_t key_bytes(const std::string& text) {
  return static_cast<unsigned char>(text[12]) | static_cast<unsigned char>(text[13]) << 8 |
         static_cast<unsigned char>(text[14]) << 16;
}

TEST_F(ObjectCache, FindsWhatWasKept) {
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
  const Object object("\0code\xff", 6);
  cache().store("key", object, *compiler_);
  EXPECT_EQ(found_in(cache(), "key"), object);
  cache().store("key", "other", *compiler_);
  EXPECT_EQ(found_in(cache(), "key"), "other");
  cache().store("key", "", *compiler_);
  EXPECT_EQ(found_in(cache(), "key"), "");
}

TEST_F(ObjectCache, GivesAnObjectToItsKeyOnly) {
  cache().store("this host", "code", *compiler_);
  fs::copy_file(cache().file_of("this host"), cache().file_of("another host"));
  EXPECT_EQ(found_in(cache(), "another host"), std::nullopt);
  cache().store("another host", "other code", *compiler_);  // in its place
  EXPECT_EQ(found_in(cache(), "another host"), "other code");
}

TEST_F(ObjectCache, NeverGivesWhatIsDamaged) {
  cache().store("key", "the code of a region", *compiler_);
  const std::string file = cache().file_of("key");
  const std::string whole = test_support::read_text(file);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    test_support::write_text(file, whole.substr(0, bytes));
    ASSERT_EQ(found_in(cache(), "key"), std::nullopt) << bytes << " bytes";
  }
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 1 << byte % 8);
    test_support::write_text(file, damaged);
    ASSERT_EQ(found_in(cache(), "key"), std::nullopt) << "byte " << byte;
  }
}

TEST_F(ObjectCache, HasAPlaceForSoManyObjectsOnly) {
  std::set<std::string> names;
  const jit::ObjectCache objects = cache();
  for (std::uint32_t k = 0; k < 20 * kSlots; ++k) names.insert(objects.file_of(std::to_string(k)));
  EXPECT_EQ(names.size(), kSlots);
  cache().store("key", Object(kMostObjectBytes + 1, 'c'), *compiler_);
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
}

TEST_F(ObjectCache, MayBeShared) {
  const auto use = [this](char letter) {
    for (std::uint32_t k = 0; k < 100; ++k) {
      cache().store("key", Object(10'000, letter), *compiler_);
      const std::optional<Object> found = found_in(cache(), "key");
      ASSERT_TRUE(found);
      ASSERT_EQ(*found, Object(10'000, found->front()));
    }
  };
  std::jthread first(use, 'a');
  std::jthread second(use, 'b');
}

TEST_F(ObjectCache, AFolderMustBeOnesOwn) {
  EXPECT_EQ(refusal(), "");
  fs::permissions(folder_.path(), fs::perms::group_write, fs::perm_options::add);
  EXPECT_TRUE(refusal().contains("others may write there; chmod go-w")) << refusal();
  fs::permissions(folder_.path(), fs::perms::group_write, fs::perm_options::remove);
  fs::create_directory(folder_.path() / "deeper");
  EXPECT_TRUE(jit::ObjectCache::open((folder_.path() / "deeper").string()));
  fs::permissions(folder_.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(jit::ObjectCache::open((folder_.path() / "deeper").string()));
  const auto missing = jit::ObjectCache::open((folder_.path() / "missing").string());
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().contains("it is no folder; make it first")) << missing.error();
}

TEST_F(ObjectCache, ServesLaterProcesses) {
  const LoopResult first = run();
  EXPECT_GT(first.record.native.regions, 0u);
  EXPECT_EQ(first.record.native.cached, 0u);
  for (const char* const name : {"jit", "lockstep", "auto"}) {
    const LoopResult later = run(name);
    EXPECT_EQ(later.record.native.regions, 0u);
    EXPECT_EQ(later.record.native.cached, first.record.native.regions);
    EXPECT_EQ(later.record.native.instructions, first.record.native.instructions);
    expect_same(later, first);
  }
}

TEST_F(ObjectCache, IsMendedWhereItIsDamaged) {
  const LoopResult first = run();
  for (const fs::path& file : files()) {
    std::string text = test_support::read_text(file);
    text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
    test_support::write_text(file, text);
  }
  const LoopResult second = run();
  EXPECT_EQ(second.record.native.regions, first.record.native.regions);
  EXPECT_EQ(second.record.native.cached, 0u);
  expect_same(second, first);
  EXPECT_EQ(run().record.native.cached, first.record.native.regions);
}

// Code without the secret of the user can seal nothing: neither with a secret of its own, nor
// with what anybody can compute, nor by the seal of another object.
TEST_F(ObjectCache, GivesNothingThatIsForged) {
  const Object code = "the code of a region";
  cache().store("key", code, *compiler_);
  const std::string file = cache().file_of("key");
  const std::string whole = test_support::read_text(file);
  const std::size_t seal = whole.size() - sizeof(jit::Seal);
  EXPECT_EQ(found_in(cache(), "key"), code);

  const test_support::ScratchFolder elsewhere;
  set_state(elsewhere.path());
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
  cache().store("key", "forged", *compiler_);
  const std::string forged = test_support::read_text(file);
  set_state(state_.path());
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);

  cache().store("key", "other", *compiler_);
  const std::string other = test_support::read_text(file);
  test_support::write_text(file,
                           whole.substr(0, seal) + other.substr(other.size() - sizeof(jit::Seal)));
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
  test_support::write_text(file, forged.substr(0, forged.size() - sizeof(jit::Seal)));
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
  const auto open_seal = *compiler_->seal({}, std::as_bytes(std::span(whole).first(seal)));
  test_support::write_text(
      file, whole.substr(0, seal) +
                std::string(reinterpret_cast<const char*>(open_seal.data()), open_seal.size()));
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
  test_support::write_text(file, whole);
  EXPECT_EQ(found_in(cache(), "key"), code);
}

// A link in the place of an object, and a second name of one that somebody writes to.
TEST_F(ObjectCache, GivesNothingThatIsChangedThroughLinks) {
  const fs::path file = cache().file_of("key");
  const test_support::ScratchFolder elsewhere;
  set_state(elsewhere.path());
  cache().store("key", "forged", *compiler_);
  const std::string forged = test_support::read_text(file);
  set_state(state_.path());
  cache().store("key", "code", *compiler_);
  fs::create_hard_link(file, state_.path() / "second");
  test_support::write_text(state_.path() / "second", forged);
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
  fs::remove(file);
  fs::create_symlink(state_.path() / "second", file);
  EXPECT_EQ(found_in(cache(), "key"), std::nullopt);
}

// RFC 4231, cases 1 and 2: a shorter secret is one that ends with zeros.
TEST_F(ObjectCache, SealsByHmacSha256) {
  const auto seal = [&](std::string_view secret, std::string_view text) {
    isa::Secret padded{};
    std::ranges::copy(std::as_bytes(std::span(secret)), padded.begin());
    std::string hex;
    for (const std::byte byte : *compiler_->seal(padded, std::as_bytes(std::span(text)))) {
      hex += fmt::format("{:02x}", static_cast<unsigned>(byte));
    }
    return hex;
  };
  EXPECT_EQ(seal(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(seal("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST_F(ObjectCache, NeedsASecretOfTheUser) {
  set_state("relative");
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  setenv("HOME", state_.path().c_str(), 1);
  EXPECT_EQ(jit::ObjectCache::secret_folder(), state_.path() / ".local/state/wsevm");
  EXPECT_EQ(refusal(), "");
  EXPECT_TRUE(fs::exists(state_.path() / ".local/state/wsevm/.object-secret"));
  unsetenv("HOME");
  EXPECT_TRUE(refusal().ends_with("nothing says where the secret of its seals is; set HOME"))
      << refusal();
  setenv("HOME", home.c_str(), 1);
  set_state(state_.path());
  EXPECT_EQ(refusal(), "");
  fs::permissions(state_.path() / "wsevm/.object-secret", fs::perms::others_read,
                  fs::perm_options::add);
  EXPECT_TRUE(refusal().contains("it is not a file of 32 bytes that you alone may read"))
      << refusal();
}

// Whole, but made on a host that can do more.
TEST_F(ObjectCache, CodeOfAnotherHostIsNotRun) {
  const LoopResult first = run();
  for (const fs::path& file : files()) {
    const std::string text = test_support::read_text(file);
    std::string foreign = text.substr(16, key_bytes(text));
    const std::string object = *found_in(cache(), foreign);
    foreign.insert(foreign.find('\n'), ",+other");
    cache().store(foreign, object, *compiler_);
    fs::rename(cache().file_of(foreign), file);
  }
  const LoopResult second = run();
  EXPECT_EQ(second.record.native.cached, 0u);
  EXPECT_EQ(second.record.native.regions, first.record.native.regions);
  expect_same(second, first);
}

// Its seal is right, but LLVM makes nothing of it.
TEST_F(ObjectCache, WhatCannotBeLinkedIsCompiledAnew) {
  const LoopResult first = run();
  for (const fs::path& file : files()) {
    const std::string text = test_support::read_text(file);
    cache().store(text.substr(16, key_bytes(text)), "no object", *compiler_);
  }
  const LoopResult second = run();
  EXPECT_EQ(second.record.native.cached, 0u);
  EXPECT_EQ(second.record.native.regions, first.record.native.regions);
  expect_same(second, first);
}

}  // namespace
}  // namespace wse
