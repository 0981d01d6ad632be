// Child processes of tests: wsevm in a folder, with streams that are captured, closed, full or
// without a reader, and with little disk.
// Must never leave a child running, nor need a shell.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace wse::test_support {

enum class Stream : std::uint8_t {
  Captured,
  Closed,
  Full,      // /dev/full
  NoReader,  // a pipe whose reader has gone
  Unread,    // a pipe that is full and that nobody empties
  Terminal,  // of stdout; what it shows is captured, up to 4 KB
};

struct ChildSetup {
  std::filesystem::path folder = {};  // where it runs; none: here
  std::string input = "/dev/null";    // file for stdin; empty: closed
  Stream output = Stream::Captured;
  Stream errors = Stream::Captured;
  std::optional<std::uint64_t> disk_bytes = {};  // no file grows beyond that, as on a full disk
  std::optional<mode_t> umask = {};
  std::vector<int> ignored_signals = {};
  bool powerless = false;                   // root too may only do what the modes of files allow
  std::optional<std::uint64_t> tasks = {};  // processes and threads that its user may have
};

struct Ending {
  int code = -1;  // -1: ended by `signal`
  int signal = 0;
  std::string output;
  std::string errors;
  double processor_seconds = 0;
  long peak_kilobytes = 0;
};

// A child that runs, or has ended.
class Child {
 public:
  // words: program and arguments.
  Child(const std::vector<std::string>& words, const ChildSetup& setup);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  void send(int signal) const;
  // Processor time that it has taken so far.
  std::chrono::nanoseconds processor_time() const;
  bool has_ended() const;
  // Returns what its descriptors lead to; a file without a name ends with " (deleted)".
  std::vector<std::string> open_files() const;
  // What has come to its stderr so far.
  std::string errors() const;
  // Waits for the end; may be called once.
  Ending wait();

 private:
  ScratchFolder captured_;
  int unread_[2] = {-1, -1};
  int terminal_[2] = {-1, -1};  // what the test reads, what the child writes
  pid_t process_ = -1;
};

// Runs wsevm with these arguments to its end.
Ending run_wsevm(const std::vector<std::string>& arguments, const ChildSetup& setup = {});
// The words that call wsevm.
std::vector<std::string> wsevm_words(const std::vector<std::string>& arguments);

}  // namespace wse::test_support
