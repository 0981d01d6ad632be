// Is a secret random, the same each time, and this user's alone?
#include "isa/support/secret_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/files.h"

namespace wse::isa {
namespace {

namespace fs = std::filesystem;

class SecretFile : public testing::Test {
 protected:
  fs::path folder() const { return scratch_.path() / "state/wsevm"; }
  fs::path file() const { return folder() / ".secret"; }
  // Fails the test where there is none.
  Secret secret(const std::string& name = ".secret") const {
    const auto found = own_secret(folder(), name);
    if (!found) ADD_FAILURE() << found.error().message;
    return found.value_or(Secret{});
  }
  void expect_refused() const {
    const auto secret = own_secret(folder(), ".secret");
    ASSERT_FALSE(secret);
    EXPECT_EQ(secret.error().message, "cannot use '" + file().string() +
                                          "': it is not a file of 32 bytes that you alone may "
                                          "read; remove it, and a new one is made");
  }

  test_support::ScratchFolder scratch_;
};

TEST_F(SecretFile, IsMadeOnceWithItsFolder) {
  const Secret first = secret();
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(secret(), first);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()), 1);
  fs::remove(file());
  EXPECT_NE(secret(), first);  // a new one
}

TEST_F(SecretFile, IsOneForAllThatMakeItAtOnce) {
  for (int turn = 0; turn < 30; ++turn) {
    const std::string name = std::to_string(turn);
    std::latch ready(3);
    std::vector<Secret> found(3);
    {
      std::vector<std::jthread> threads;
      for (Secret& one : found) {
        threads.emplace_back([&] {
          ready.arrive_and_wait();
          one = secret(name);
        });
      }
    }
    ASSERT_EQ(found, std::vector<Secret>(3, secret(name)));
  }
}

TEST_F(SecretFile, WithANameOfItsOwnIsAnother) { EXPECT_NE(secret(".secret"), secret(".other")); }

TEST_F(SecretFile, ThatOthersMayReadIsRefused) {
  secret();
  for (const fs::perms of_others : {fs::perms::group_read, fs::perms::others_write}) {
    fs::permissions(file(), of_others, fs::perm_options::add);
    expect_refused();
    fs::permissions(file(), of_others, fs::perm_options::remove);
  }
  secret();
}

TEST_F(SecretFile, WithASecondNameIsRefused) {
  secret();
  fs::create_hard_link(file(), scratch_.path() / "second");
  expect_refused();
  fs::remove(scratch_.path() / "second");
  fs::rename(file(), scratch_.path() / "moved");
  fs::create_symlink(scratch_.path() / "moved", file());
  expect_refused();
}

TEST_F(SecretFile, OfAnotherLengthIsRefused) {
  secret();
  for (const std::uintmax_t bytes : {0U, 31U, 33U}) {
    fs::resize_file(file(), bytes);
    expect_refused();
  }
  fs::remove(file());
  fs::create_directory(file());
  expect_refused();
  fs::remove(file());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  expect_refused();
}

TEST_F(SecretFile, WhereNothingCanBeMade) {
  test_support::write_text(scratch_.path() / "file", "");
  const auto secret = own_secret(scratch_.path() / "file/deeper", ".secret");
  ASSERT_FALSE(secret);
  EXPECT_TRUE(secret.error().message.contains("cannot make '")) << secret.error().message;
}

TEST_F(SecretFile, IsOneInTheEndWhereSeveralMakeIt) {
  const auto make = [this] { secret(); };
  {
    std::jthread first(make);
    std::jthread second(make);
  }
  EXPECT_EQ(secret(), secret());
}

}  // namespace
}  // namespace wse::isa
