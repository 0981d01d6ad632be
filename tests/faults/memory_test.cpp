// Little memory: what a limit allows, and what it says when it does not.
#include <fmt/format.h>

#include "tests/faults/faults.h"
#include "vm/cli/command_line/numbers.h"
#include "vm/front/memory_fit.h"

namespace wse::faults {
namespace {

class Memory : public Faults {
 protected:
  void write_grid(std::uint64_t width, std::uint64_t height, const std::string& data = "") {
    write("grid.wsa", fmt::format(".grid {0}, {1}\n.program p\n{2}  task main:\n    halt\n"
                                  ".place p at (0..{0}-1, 0..{1}-1)\n",
                                  width, height, data));
  }
};

constexpr double kEndsInSeconds = 10;  // of the processor, a hundred times what it takes

TEST_F(Memory, AGridThatTheLimitCannotHold) {
  write_grid(4096, 4096);
  for (const char* command : {"check", "run"}) {
    const Ending ending = wsevm({command, "grid.wsa", "--max-memory=1G"});
    EXPECT_EQ(ending.code, 3);
    expect_message(ending, "out of memory for a machine of 4096 x 4096 PEs: it takes");
    EXPECT_TRUE(ending.errors.contains("--max-memory allows 1 GiB; make the grid"));
    EXPECT_LT(ending.processor_seconds, kEndsInSeconds);
    EXPECT_LT(ending.peak_kilobytes, 500'000);
  }
}

TEST_F(Memory, ArraysThatTheLimitCannotHold) {
  write_grid(64, 64, "  .i32 v[10000]\n");  // 160 MB if every PE wrote all of it
  EXPECT_EQ(wsevm({"check", "grid.wsa", "--max-memory=1G"}).code, 0);
  const Ending ending = wsevm({"check", "grid.wsa", "--max-memory=100M"});
  EXPECT_EQ(ending.code, 3);
  expect_message(ending, "64 x 64 PEs: it takes");
}

TEST_F(Memory, GridsThatNoImageCanHold) {
  for (const char* grid : {"0, 0", "0, 1", "65536, 65536", "1000000000, 1000000000", "-1, 1"}) {
    write("grid.wsa", fmt::format(".grid {}\n.program p\n  task main:\n    halt\n", grid));
    const Ending ending = wsevm({"check", "grid.wsa"});
    EXPECT_EQ(ending.code, 2) << grid;
    EXPECT_TRUE(ending.errors.contains("grid.wsa:1:")) << ending.errors;
    EXPECT_LT(ending.processor_seconds, kEndsInSeconds);
  }
}

TEST_F(Memory, EveryLimitEndsARunClearly) {
  write("program.wsa", kProgram);
  int enough = 0;
  for (std::uint64_t bytes = 1024; bytes <= 1 << 26; bytes *= 2) {
    SCOPED_TRACE(bytes);
    write("y.npy", "old");
    const Ending ending = wsevm({"run", "program.wsa", "--out", "y=y.npy", "--json=r.json",
                                 "--trace=t.jsonl", "--max-memory=" + std::to_string(bytes)});
    const std::string record = read("r.json");
    EXPECT_TRUE(is_json(record));
    EXPECT_TRUE(is_trace(read("t.jsonl")));
    EXPECT_EQ(names().size(), fs::exists(path("t.jsonl")) ? 4U : 3U);
    enough += ending.code == 0 ? 1 : 0;
    if (ending.code == 0) continue;
    EXPECT_EQ(ending.code, 3);
    expect_message(ending, "out of memory");
    EXPECT_TRUE(record_member(record, "message").contains("out of memory"));
  }
  EXPECT_GT(enough, 2);
  EXPECT_NE(read("y.npy"), "old");
}

TEST_F(Memory, EveryLimitEndsTheOtherCommandsClearly) {
  write("program.wsa", kProgram);
  ASSERT_EQ(wsevm({"asm", "program.wsa", "-o", "program.wsb"}).code, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"asm", "program.wsa", "--list", "-o", "again.wsb"},
      {"dis", "program.wsb"},
      {"check", "program.wsa"}};
  for (std::vector<std::string> words : commands) {
    words.emplace_back();
    for (std::uint64_t bytes = 512; bytes <= 1 << 25; bytes *= 4) {
      words.back() = "--max-memory=" + std::to_string(bytes);
      const Ending ending = wsevm(words);
      if (ending.code != 0) {
        EXPECT_EQ(ending.code, 3) << words[0] << bytes;
        expect_message(ending, "out of memory");
      } else if (words[0] == "asm") {
        EXPECT_EQ(read("again.wsb"), read("program.wsb"));
      }
    }
    EXPECT_EQ(wsevm(words).code, 0) << words[0];
  }
}

TEST_F(Memory, ASourceThatGrowsBeyondTheLimit) {
  std::string text = ".grid 1, 1\n.program p\n  task main:\n";
  for (int k = 0; k < 100'000; ++k) text += "    mov32 r1, 2\n";
  write("long.wsa", text + ".place p at (0, 0)\n");
  const Ending ending = wsevm({"asm", "long.wsa", "-o", "long.wsb", "--max-memory=8M"});
  EXPECT_EQ(ending.code, 3);
  expect_message(ending, "out of memory: more is needed than --max-memory allows");
  EXPECT_EQ(names(), std::vector<std::string>{"long.wsa"});
}

// Notes of a stretch wait for their cycle: memory that grows while the program runs.
TEST_F(Memory, ARunThatGrowsBeyondTheLimit) {
  write("notes.wsa",
        ".grid 1, 1\n.program p\n  task main:\n  next:\n    add32 r1, r1, 1\n"
        "    print \"a text that is kept until its cycle has come: {r1}\"\n    jmp next\n"
        ".place p at (0, 0)\n");
  const Ending ending = wsevm({"run", "notes.wsa", "--machine=model", "--trace=t.jsonl",
                               "--json=r.json", "--max-memory=8M"});
  EXPECT_EQ(ending.code, 3);
  expect_message(ending, "out of memory");
  EXPECT_EQ(record_member(read("r.json"), "status"), "error");
  EXPECT_TRUE(is_trace(read("t.jsonl")));
}

TEST_F(Memory, SizesAreReadAndPrinted) {
  EXPECT_EQ(front::size_text(1536), "1.5 KiB");
  const cli::NumberOption& row = cli::number_option("--max-memory", "SIZE");
  EXPECT_EQ(cli::read_number(row, "3K"), 3072U);
  EXPECT_EQ(cli::read_number(row, "65536"), 65536U);
  EXPECT_EQ(cli::read_number(row, "4294967296G"), std::uint64_t{1} << 62);
}

TEST_F(Memory, SizesThatAreNone) {
  write("program.wsa", kProgram);
  for (const char* size : {"0", "-1", "1Q", "G", "1.5G", "1GB", "99999999999999999999",
                           "9999999999G", "4294967297G", "0K", "", " 1"}) {
    EXPECT_FALSE(cli::read_number(cli::number_option("--max-memory", "SIZE"), size)) << size;
    const Ending ending = wsevm({"run", "program.wsa", std::string("--max-memory=") + size});
    EXPECT_EQ(ending.code, 2) << size;
    EXPECT_TRUE(ending.errors.contains("--max-memory: SIZE is '" + std::string(size) + "'"))
        << ending.errors;
  }
}

}  // namespace
}  // namespace wse::faults
