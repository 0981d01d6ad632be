// The texts of compiled code, which --dump-ir and --dump-asm ask for: a file for each region, in
// folders that the user names. They are written as all outputs are (isa/support/output_file.h):
// whole or not at all, onto no input of the command, and through no link.
//
// Any thread may write, one that is left behind too. Must never write after the end of the object.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "isa/support/input_list.h"
#include "jit/engine.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"

namespace wse::cli {

class CodeTexts {
 public:
  // `inputs` must live longer.
  CodeTexts(const EngineSource& source, isa::InputList& inputs);
  CodeTexts(const CodeTexts&) = delete;
  CodeTexts& operator=(const CodeTexts&) = delete;
  ~CodeTexts();

  // Tries the folders before anything is written. Errors: an option names no folder, or one in
  // which nothing can be made.
  Outcome<void> check() const;

  // Return what takes the texts of any thread; null where nothing is wanted.
  jit::KeepText keep_ir() const;
  jit::KeepText keep_assembly() const;

  // Keep all threads from writing until unlock(). A process that is forked meanwhile finds all
  // locks of outputs free, once it has unlocked its own copy.
  void lock() const;
  void unlock() const;

  // Returns the first thing that went wrong so far; nothing is written after it.
  std::expected<void, isa::FileError> written() const;

 private:
  struct Shared;

  const EngineSource& source_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace wse::cli
