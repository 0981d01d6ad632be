// Ctrl-C and its relatives. A command makes one Interrupts before it begins; from then on a thread
// of its own waits for SIGINT, SIGTERM and SIGHUP (those that are not ignored).
//
//     first signal   the flag is set. Where nothing would be lost, or if the command has not ended
//                    by itself a second later, the thread ends the process: a message, the record,
//                    no temporaries, exit code 130. A machine within a cycle gets ten seconds more
//                    to come to its end, where the record says all; the user is told. A run that
//                    is written down where it is stopped gets as long as that takes.
//     second signal  the thread ends the process at once; last words that the command has begun are
//                    finished. One that comes with the first is the same request, asked twice:
//                    `timeout` and shells signal a process and its group.
//
// So no stage has to look at the flag but the run loop, and none can hold up the end.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

namespace wse::cli {

class Interrupts {
 public:
  enum class Stage : int { Preparing, Running, Writing, GivenUp };  // the thread enters the last
  enum class Subject { Program, Script };                           // what runs in stage Running

  // `record`: writes the record of an interrupted run with that message. It is called in another
  // thread, at most once, and never after take_last_words().
  explicit Interrupts(std::function<void(const std::string& message)> record = {},
                      Subject subject = Subject::Program);
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  // The flag at which the run loop looks: an interrupt sets it.
  const std::atomic<bool>& flag() const { return flag_; }

  // Where an interrupt stops the run, the command writes it down, to be continued.
  void keep_run() { keeps_run_ = true; }

  // Does not come back if the process is ending because nothing would have been lost before.
  void enter(Stage stage);

  // From here on the command alone writes its last words, and an interrupt none. May be called
  // again; does not come back if the process is ending.
  void take_last_words();

 private:
  void watch();
  void wait_for_the_command();
  void end_process();

  std::function<void(const std::string&)> record_;
  Subject subject_;
  sigset_t
      signals_{};  // that ask for the end, and SIGUSR1 by which the destructor wakes the thread
  std::atomic<bool> flag_ = false;
  std::atomic<bool> finished_ = false;  // the destructor runs
  std::atomic<bool> keeps_run_ = false;
  std::atomic<bool> last_words_ = false;  // somebody has taken them,
  bool command_has_them_ = false;         // and it was the command
  std::atomic<Stage> stage_ = Stage::Preparing;
  std::thread watcher_;
};

// For a thread that finds that the command will never come to its end: ends the process as one
// whose input is bad. No temporary is left. The caller has told why.
[[noreturn]] void end_for_good();

}  // namespace wse::cli
