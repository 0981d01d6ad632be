// The words of a user about a program or a script: its file, its values, and who executes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asm/assembler.h"

namespace wse::front {

using NameAndFile = std::pair<std::string, std::string>;

// The engine that executes the instructions; its names are those of jit/engines.h.
struct EngineSource {
  std::string name = "auto";
  std::optional<std::uint32_t> threshold;  // of jit::JitOptions
  std::string ir_folder;                   // of CodeTexts; empty: none
  std::string assembly_folder;
  std::string cache_folder;  // of jit::ObjectCache; empty: none
};

// A program file with the values given for its constants and parameters.
struct ProgramSource {
  std::string file;  // .wsa, .wsb or .lua; "-" is stdin
  std::vector<std::pair<std::string, std::string>> values;
  std::string machine = "wse2";              // or FILE.lua
  std::vector<std::string> include_folders;  // where .include looks too
  std::vector<assembler::WarningChoice> warnings;
  std::optional<std::uint64_t> max_memory;  // bytes
  std::optional<std::uint32_t> threads;     // at most; by default one for each processor
  bool oversubscribe = false;               // threads may outnumber the processors
  EngineSource engine;
  std::string transport = "auto";  // of vm::transport_named
  std::string cohorts = "on";      // or off: of vm::MachineOptions
};

// The limits of a script, and whether it may do what could harm its host.
struct ScriptRights {
  std::optional<std::uint64_t> memory;  // bytes
  std::optional<std::uint64_t> instructions;
  bool unsafe = false;
};

}  // namespace wse::front
