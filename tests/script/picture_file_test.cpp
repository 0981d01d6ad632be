// Does a conversion of a picture keep within its limits?
#include "scripts/host/picture_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "tests/support/files.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

std::string picture_of(double width, double height) {
  return fmt::format(R"(<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}"></svg>
)",
                     width, height);
}

TEST(PictureFile, APngTakesTwoPixelsForEach) {
  const auto small = conversion_need(picture_of(100, 50), PictureFormat::Png);
  const auto large = conversion_need(picture_of(1100, 50.5), PictureFormat::Png);
  ASSERT_TRUE(small && large);
  constexpr std::uint64_t kPixels = 2200 * 101 - 200 * 100;
  const std::size_t more_text = picture_of(1100, 50.5).size() - picture_of(100, 50).size();
  EXPECT_EQ(large->output_bytes - small->output_bytes, 4 * kPixels);
  EXPECT_EQ(large->memory_bytes - small->memory_bytes, 4 * kPixels + 64 * more_text);
  EXPECT_LT(small->memory_bytes, 65 * kMiB);
}

TEST(PictureFile, APdfHasNoPixels) {
  const auto need = conversion_need(picture_of(1e6, 1e6), PictureFormat::Pdf);
  ASSERT_TRUE(need);
  EXPECT_LT(need->memory_bytes, 65 * kMiB);
}

TEST(PictureFile, IsRefusedWhereItNeedsMore) {
  const auto picture = converted(picture_of(10'000, 10'000), PictureFormat::Png, 1024 * kMiB);
  ASSERT_FALSE(picture);
  EXPECT_TRUE(picture.error().exhausted);
  EXPECT_EQ(
      picture.error().message,
      "out of memory for a picture: to convert it may take 3116 MiB, and 1024 MiB are left of "
      "what the script may take; make it smaller, allow more with --script-memory and "
      "--max-memory, or give it a name that ends with .svg");
  EXPECT_TRUE(converted(picture_of(10, 10), PictureFormat::Png, 70 * kMiB));
  EXPECT_FALSE(converted(picture_of(10, 10), PictureFormat::Png, 65 * kMiB));
}

TEST(PictureFile, HasAtMostSoManyPixelsOnASide) {
  EXPECT_TRUE(conversion_need(picture_of(16383.5, 1), PictureFormat::Png));
  const auto large = conversion_need(picture_of(1, 16384), PictureFormat::Png);
  ASSERT_FALSE(large);
  EXPECT_FALSE(large.error().exhausted);
  EXPECT_TRUE(large.error().message.contains("would have 2 x 32768 pixels, and has at most 32767"))
      << large.error().message;
}

TEST(PictureFile, MustSayHowLargeItIs) {
  for (const char* const text :
       {"", "<svg ", "<svg >", R"(<svg width="10">)", R"(<svg width="10" height="-1">)",
        R"(<svg width="10" height="0">)", R"(<svg width="ten" height="10">)",
        R"(<svg width="10" height="10%">)", R"(<svg width="10" height="nan">)",
        R"(<svg width="10"> height="10")", R"(<svg height="10" width="10)"}) {
    EXPECT_FALSE(conversion_need(text, PictureFormat::Png)) << text;
  }
}

// Programs of that name in a folder, which PATH names, instead of librsvg's.
class Converter : public testing::Test {
 protected:
  Converter() : path_(std::getenv("PATH")), before_(fs::current_path()) {
    fs::current_path(scratch_.path());
  }
  ~Converter() override {
    setenv("PATH", path_.c_str(), 1);
    fs::current_path(before_);
  }
  void write(const std::string& body) const {
    test_support::write_text("bin/rsvg-convert", "#!/bin/sh\n" + body);
    fs::permissions("bin/rsvg-convert", fs::perms::owner_exec, fs::perm_options::add);
  }
  std::string found(const std::string& path) const {
    setenv("PATH", path.c_str(), 1);
    const auto picture = converted(picture_of(10, 10), PictureFormat::Png, 100 * kMiB);
    return picture ? *picture : picture.error().message;
  }

  test_support::ScratchFolder scratch_;

 private:
  std::string path_;
  fs::path before_;
};

TEST_F(Converter, IsLimited) {
  write("ulimit -s; ulimit -d; ulimit -f; echo \"$@\"");
  const auto need = conversion_need(picture_of(10, 10), PictureFormat::Png);
  EXPECT_EQ(found(scratch_.path() / "bin"),
            fmt::format("1024\n{}\n{}\n--format=png --zoom=2\n", need->memory_bytes / 1024,
                        need->output_bytes / 512));
}

TEST_F(Converter, ThatTakesMoreIsEnded) {
  write("while :; do echo 0123456789012345678901234567890123456789; done");
  EXPECT_TRUE(found(scratch_.path() / "bin").contains("could not convert a picture within 65 MiB"));
}

// A program that is started by Python may ignore the signal of a file that is too large.
TEST_F(Converter, ThatTakesMoreIsEndedWhereSignalsAreIgnored) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  write("while echo 0123456789012345678901234567890123456789; do :; done");
  EXPECT_TRUE(found(scratch_.path() / "bin").contains("could not convert a picture within 65 MiB"));
  std::signal(SIGXFSZ, before);
}

TEST_F(Converter, IsNotFoundThroughTheCurrentFolder) {
  write("echo picture");
  EXPECT_EQ(found(scratch_.path() / "bin"), "picture\n");
  for (const char* const path : {"bin", "./bin", ":bin:", "", "../here/bin"}) {
    EXPECT_TRUE(found(path).contains("which cannot be started; install it")) << path;
  }
  fs::permissions("bin/rsvg-convert", fs::perms::owner_exec, fs::perm_options::remove);
  EXPECT_TRUE(found(scratch_.path() / "bin").contains("which cannot be started"));
}

}  // namespace
}  // namespace wse::script
