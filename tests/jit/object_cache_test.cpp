// The cache of objects: what is found is what was kept under that key, or nothing; and what a
// folder must be like.
#include "jit/object_cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>

#include "jit/engines.h"
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
  ObjectCache() { fs::permissions(folder_.path(), fs::perms::owner_all); }

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
};

// Of a file with the text: its key begins at byte 16.
std::size_t key_bytes(const std::string& text) {
  return static_cast<unsigned char>(text[12]) | static_cast<unsigned char>(text[13]) << 8 |
         static_cast<unsigned char>(text[14]) << 16;
}

TEST_F(ObjectCache, FindsWhatWasKept) {
  EXPECT_EQ(cache().find("key"), std::nullopt);
  const Object object("\0code\xff", 6);
  cache().store("key", object);
  EXPECT_EQ(cache().find("key"), object);
  cache().store("key", "other");
  EXPECT_EQ(cache().find("key"), "other");
  cache().store("key", "");
  EXPECT_EQ(cache().find("key"), "");
}

TEST_F(ObjectCache, GivesAnObjectToItsKeyOnly) {
  cache().store("this host", "code");
  fs::copy_file(cache().file_of("this host"), cache().file_of("another host"));
  EXPECT_EQ(cache().find("another host"), std::nullopt);
  cache().store("another host", "other code");  // in its place
  EXPECT_EQ(cache().find("another host"), "other code");
}

TEST_F(ObjectCache, NeverGivesWhatIsDamaged) {
  cache().store("key", "the code of a region");
  const std::string file = cache().file_of("key");
  const std::string whole = test_support::read_text(file);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    test_support::write_text(file, whole.substr(0, bytes));
    ASSERT_EQ(cache().find("key"), std::nullopt) << bytes << " bytes";
  }
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    test_support::write_text(file, damaged);
    ASSERT_EQ(cache().find("key"), std::nullopt) << "bit " << bit;
  }
}

TEST_F(ObjectCache, HasAPlaceForSoManyObjectsOnly) {
  std::set<std::string> names;
  const jit::ObjectCache objects = cache();
  for (std::uint32_t k = 0; k < 20 * kSlots; ++k) names.insert(objects.file_of(std::to_string(k)));
  EXPECT_EQ(names.size(), kSlots);
  cache().store("key", Object(kMostObjectBytes + 1, 'c'));
  EXPECT_EQ(cache().find("key"), std::nullopt);
}

TEST_F(ObjectCache, MayBeShared) {
  const auto use = [this](char letter) {
    for (std::uint32_t k = 0; k < 100; ++k) {
      cache().store("key", Object(10'000, letter));
      const std::optional<Object> found = cache().find("key");
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

// Whole, but made on a host that can do more.
TEST_F(ObjectCache, CodeOfAnotherHostIsNotRun) {
  const LoopResult first = run();
  for (const fs::path& file : files()) {
    const std::string text = test_support::read_text(file);
    std::string foreign = text.substr(16, key_bytes(text));
    const std::string object = *cache().find(foreign);
    foreign.insert(foreign.find('\n'), ",+other");
    cache().store(foreign, object);
    fs::rename(cache().file_of(foreign), file);
  }
  const LoopResult second = run();
  EXPECT_EQ(second.record.native.cached, 0u);
  EXPECT_EQ(second.record.native.regions, first.record.native.regions);
  expect_same(second, first);
}

// Its checksum is right, but LLVM makes nothing of it.
TEST_F(ObjectCache, WhatCannotBeLinkedIsCompiledAnew) {
  const LoopResult first = run();
  for (const fs::path& file : files()) {
    const std::string text = test_support::read_text(file);
    cache().store(text.substr(16, key_bytes(text)), "no object");
  }
  const LoopResult second = run();
  EXPECT_EQ(second.record.native.cached, 0u);
  EXPECT_EQ(second.record.native.regions, first.record.native.regions);
  expect_same(second, first);
}

}  // namespace
}  // namespace wse
