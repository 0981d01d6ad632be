// Processes leave questions and answers for each other as files.
#include "tests/differential/states_in_processes.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "vm/run/state_pieces.h"
#include "vm/support/state_archive.h"

namespace wse::differential {
namespace {

// A folder in which processes leave files for each other.
class SharedFolder {
 public:
  SharedFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "piecesXXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    path_ = name;
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() { std::filesystem::remove_all(path_); }

  void put(const std::string& name, std::span<const std::byte> bytes) const {
    {
      std::ofstream file(path_ / (name + " half"), std::ios::binary);
      file.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    }
    std::filesystem::rename(path_ / (name + " half"), path_ / name);
  }
  // Waits until it is there, and removes it. Whoever forked the process ends it if it waits too
  // long.
  vm::MessageBytes take(const std::string& name) const {
    while (!std::filesystem::exists(path_ / name)) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    std::string text;
    {
      std::ifstream file(path_ / name, std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::filesystem::remove(path_ / name);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::filesystem::path path_;
};

std::string name_of(std::uint32_t process, const vm::StatePieces::Request& request) {
  return fmt::format("{} {} {}", process, static_cast<std::uint32_t>(request.part), request.from);
}

// Leaves questions for the others as files, and writes the state of their answers.
vm::MessageBytes state_by_files(vm::StatePieces& pieces, std::uint32_t processes,
                                const SharedFolder& folder) {
  vm::StateWriter writer;
  const auto fetch = [&](std::uint32_t process, vm::StatePieces::Request request) {
    const std::string name = name_of(process, request);
    folder.put(fmt::format("ask {}", process), std::as_bytes(std::span(&request, 1)));
    return std::optional(folder.take(name));
  };
  if (!pieces.write(writer, processes, fetch)) throw std::runtime_error("no state of all");
  for (std::uint32_t process = 1; process < processes; ++process) {
    folder.put(fmt::format("ask {}", process), {});
  }
  return std::move(writer.written());
}

void answer_by_files(vm::StatePieces* pieces, std::uint32_t process, const SharedFolder& folder) {
  const std::string question = fmt::format("ask {}", process);
  while (true) {
    const vm::MessageBytes bytes = folder.take(question);
    if (bytes.empty()) return;
    vm::StatePieces::Request request;
    std::memcpy(&request, bytes.data(), sizeof request);
    folder.put(name_of(process, request),
               pieces != nullptr ? pieces->piece(request) : vm::StatePieces::none());
  }
}

}  // namespace

test_support::Processes::Result states_in_processes(const Setup& setup,
                                                    const differential::Way& way, std::uint64_t at,
                                                    std::uint32_t processes) {
  const SharedFolder folder;
  auto results = test_support::Processes().fork(
      processes, [&](vm::ProcessMedium& medium, std::uint32_t process) -> vm::MessageBytes {
        differential::Way here = way;
        here.medium = &medium;
        const auto run = begin(setup, here);
        if (!run) throw std::runtime_error(run.error().message);
        std::optional<vm::StatePieces> pieces;
        if (vm::StatePieces::has_any(*run->machine)) {
          run->machine->advance(at);
          pieces.emplace(*run->machine);
        }
        vm::MessageBytes state;
        if (process == 0) {
          state = state_by_files(*pieces, processes, folder);
        } else {
          answer_by_files(pieces ? &*pieces : nullptr, process, folder);
        }
        if (pieces) pieces->end();
        return state;
      });
  for (test_support::Processes::Result& result : results) {
    if (!result.error.empty()) return std::move(result);
  }
  return std::move(results.front());
}

}  // namespace wse::differential
