// Compares what two runs executed: walked ROOT MOST WITHOUT.json WITH.json.
//
// Both files are what `gcov --json-format --stdout` prints, an object per line: of a run without an
// instruction, and of one with it. A line is walked if it was executed more often with the
// instruction. Prints the files below ROOT/vm that have walked lines, and how many; fails if they
// are more than MOST, or less than half of that, since a bound so far off keeps nothing in place.
#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using Counts = std::map<std::pair<std::string, int>, std::int64_t>;  // of a file below ROOT, a line

// Adds up how often each line of vm/ was executed, over all objects and instances of templates.
// Throws what is wrong with the file.
Counts read_counts(const std::string& root, const std::string& path) {
  Counts counts;
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  for (std::string text; std::getline(in, text);) {
    const nlohmann::json object = nlohmann::json::parse(text);
    for (const auto& file : object.at("files")) {
      const std::string name = file.at("file");
      if (!name.starts_with(root + "/vm/")) continue;
      for (const auto& line : file.at("lines")) {
        const int number = line.at("line_number");
        counts[{name.substr(root.size() + 1), number}] += line.at("count").get<std::int64_t>();
      }
    }
  }
  return counts;
}

// Returns how many lines of each file were executed more often.
std::map<std::string, int> walked_lines(const Counts& without, const Counts& with) {
  std::map<std::string, int> files;
  for (const auto& [line, count] : with) {
    const auto other = without.find(line);
    if (count > (other == without.end() ? 0 : other->second)) ++files[line.first];
  }
  return files;
}

int run(const std::string& root, std::size_t most, const std::string& without,
        const std::string& with) {
  const auto files = walked_lines(read_counts(root, without), read_counts(root, with));
  int lines = 0;
  for (const auto& [file, count] : files) {
    fmt::print("{:6}  {}\n", count, file);
    lines += count;
  }
  fmt::print("{:6}  lines of {} files; may be {}\n", lines, files.size(), most);
  return files.size() <= most && 2 * files.size() >= most ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  try {
    return run(arguments[1], std::stoul(arguments[2]), arguments[3], arguments[4]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "walked: {}\n", error.what());
    return 2;
  }
}
