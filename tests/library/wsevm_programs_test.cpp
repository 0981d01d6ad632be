// wsevm.h: the library itself, programs, and handles that name nothing.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/library/wsevm_support.h"
#include "tests/support/files.h"

namespace wse::test_library {
namespace {

using Json = nlohmann::json;

TEST(LibraryPrograms, SaysWhatItIs) {
  EXPECT_NE(std::string(wsevm_version()).find('.'), std::string::npos);
  char* names = nullptr;
  ASSERT_EQ(wsevm_profiles(&names), WSEVM_OK);
  EXPECT_TRUE(taken(names).starts_with("wse2\nwse3\n"));
  expect_error(wsevm_profiles(nullptr), WSEVM_BAD_INPUT, "names is NULL");
  wsevm_free(nullptr);
}

TEST(LibraryPrograms, AreDescribed) {
  const TestProgram program(kRow);
  char* text = nullptr;
  ASSERT_EQ(wsevm_program_symbols(program.handle(), &text), WSEVM_OK);
  const Json json = Json::parse(taken(text));
  EXPECT_EQ(json["grid"], (Json{4, 1}));
  EXPECT_EQ(json["machine"], "wse2");
  const Json& only = json["programs"].at(0);
  EXPECT_EQ(only["name"], "p");
  EXPECT_EQ(only["tasks"], Json{"main"});
  EXPECT_EQ(only["symbols"].at(3), (Json{{"name", "table"},
                                         {"type", "i32"},
                                         {"dtype", "<i4"},
                                         {"exported", true},
                                         {"shape", {2, 3}}}));
  EXPECT_EQ(only["symbols"].at(5)["exported"], false);
  ASSERT_EQ(wsevm_program_text(program.handle(), &text), WSEVM_OK);
  EXPECT_EQ(taken(text), kRow);
  expect_error(wsevm_program_symbols(program.handle(), nullptr), WSEVM_BAD_INPUT, "json is NULL");
  expect_error(wsevm_program_text(program.handle(), nullptr), WSEVM_BAD_INPUT, "text is NULL");
}

TEST(LibraryPrograms, ListTheirInstructionsWithPrices) {
  const TestProgram program(kRow, "wse3");
  char* text = nullptr;
  ASSERT_EQ(wsevm_program_listing(program.handle(), &text), WSEVM_OK) << wsevm_error_text();
  const std::string listing = taken(text);
  for (const char* const part : {"program p\n", ".f32 x_in[3] exported", "slots cycles",
                                 "row.wsa:13: fadds y_out, x_in, x_in", "  +", "setd d0, y_out"}) {
    EXPECT_NE(listing.find(part), std::string::npos) << part << " is missing in\n" << listing;
  }
  expect_error(wsevm_program_listing(program.handle(), nullptr), WSEVM_BAD_INPUT, "text is NULL");
  expect_error(wsevm_program_listing(0, &text), WSEVM_BAD_HANDLE, "names no program");
}

TEST(LibraryPrograms, TakeValues) {
  const char* const values[] = {"W=6", "B=2", nullptr};
  const TestProgram program(kRow, "wse3", values);
  char* text = nullptr;
  ASSERT_EQ(wsevm_program_symbols(program.handle(), &text), WSEVM_OK);
  const Json json = Json::parse(taken(text));
  EXPECT_EQ(json["grid"], (Json{6, 1}));
  EXPECT_EQ(json["machine"], "wse3");
}

TEST(LibraryPrograms, ComeFromFiles) {
  const test_support::ScratchFolder scratch;
  const auto file = scratch.path() / "row.wsa";
  test_support::write_text(file, kRow);
  wsevm_program program = 0;
  ASSERT_EQ(wsevm_program_load(file.c_str(), nullptr, nullptr, nullptr, &program), WSEVM_OK)
      << wsevm_error_text();
  EXPECT_EQ(wsevm_program_free(program), WSEVM_OK);
  // A text includes what lies beside the file whose name it has.
  test_support::write_text(scratch.path() / "part.wsa", ".grid 1, 1\n");
  const std::string text =
      ".include \"part.wsa\"\n.program p\n  task main:\n    halt\n.place p at (0, 0)\n";
  ASSERT_EQ(wsevm_program_load(file.c_str(), text.c_str(), nullptr, nullptr, &program), WSEVM_OK)
      << wsevm_error_text();
  EXPECT_EQ(wsevm_program_free(program), WSEVM_OK);
}

TEST(LibraryPrograms, ErrorsHaveAPlaceAndARemedy) {
  wsevm_program program = 17;
  const auto load = [&](const char* file, const char* text, const char* machine,
                        const char* const* values) {
    return wsevm_program_load(file, text, machine, values, &program);
  };
  expect_error(load("a.wsa", ".grid 1, 1\n.color red\n", nullptr, nullptr), WSEVM_BAD_INPUT,
               "a.wsa:2:1: error[E011]: unknown directive '.color'");
  EXPECT_EQ(program, 0u);
  EXPECT_NE(std::string(wsevm_error_text()).find("did you mean '.colour'?"), std::string::npos);
  expect_error(load(nullptr, ".color red\n", nullptr, nullptr), WSEVM_BAD_INPUT, "<text>:1:1:");
  expect_error(load(nullptr, nullptr, nullptr, nullptr), WSEVM_BAD_INPUT, "file and text are NULL");
  expect_error(load("/no/such.wsa", nullptr, nullptr, nullptr), WSEVM_BAD_INPUT, "/no/such.wsa");
  expect_error(load("x.lua", nullptr, nullptr, nullptr), WSEVM_BAD_INPUT, "a script is no program");
  expect_error(load(nullptr, kRow, "wse9", nullptr), WSEVM_BAD_INPUT,
               "there is no machine 'wse9'; the profiles are wse2 wse3");
  expect_error(load(nullptr, kRow, "none.lua", nullptr), WSEVM_BAD_INPUT, "none.lua");
  const char* const bad[] = {"W", nullptr};
  expect_error(load(nullptr, kRow, nullptr, bad), WSEVM_BAD_INPUT,
               "value 'W' has not the form name=value");
  const char* const unknown[] = {"Q=1", nullptr};
  expect_error(load(nullptr, kRow, nullptr, unknown), WSEVM_BAD_INPUT, "Q");
  expect_error(load(nullptr, "\xff\xfe\x31", nullptr, nullptr), WSEVM_BAD_INPUT, "UTF-16");
  expect_error(wsevm_program_load("a", kRow, nullptr, nullptr, nullptr), WSEVM_BAD_INPUT,
               "program is NULL");
}

TEST(LibraryPrograms, ComeFromLayouts) {
  use_data_of_checkout();
  const test_support::ScratchFolder scratch;
  const auto file = scratch.path() / "row.lua";
  test_support::write_text(file, fmt::format(R"(local wse = require "wse"
print("width " .. wse.argument("W", 2))
for _, width in ipairs{{wse.argument("W", 2), 5}} do
  wse.run{{text = [[{}]], values = {{W = width}}}}
end
)",
                                             kRow));
  std::string printed;
  const wsevm_print print = [](void* user, const char* line) {
    *static_cast<std::string*>(user) += std::string(line) + "|";
  };
  const char* const arguments[] = {"W=3", nullptr};
  wsevm_program program = 0;
  const auto run = [&](std::uint64_t number) {
    return wsevm_layout_run(file.c_str(), nullptr, arguments, number, print, &printed, &program);
  };
  ASSERT_EQ(run(1), WSEVM_OK) << wsevm_error_text();
  EXPECT_EQ(printed, "width 3|");
  char* text = nullptr;
  ASSERT_EQ(wsevm_program_symbols(program, &text), WSEVM_OK);
  EXPECT_EQ(Json::parse(taken(text))["grid"], (Json{3, 1}));
  EXPECT_EQ(wsevm_program_free(program), WSEVM_OK);
  ASSERT_EQ(run(2), WSEVM_OK) << wsevm_error_text();
  ASSERT_EQ(wsevm_program_symbols(program, &text), WSEVM_OK);
  EXPECT_EQ(Json::parse(taken(text))["grid"], (Json{5, 1}));
  EXPECT_EQ(wsevm_program_free(program), WSEVM_OK);
  expect_error(run(3), WSEVM_BAD_INPUT, "2");
  expect_error(run(0), WSEVM_BAD_INPUT, "counted from 1");
  expect_error(wsevm_layout_run(nullptr, nullptr, nullptr, 1, nullptr, nullptr, &program),
               WSEVM_BAD_INPUT, "file is NULL");
  expect_error(wsevm_layout_run("a.lua", nullptr, nullptr, 1, nullptr, nullptr, nullptr),
               WSEVM_BAD_INPUT, "program is NULL");
}

TEST(LibraryHandles, WrongOnesAreErrors) {
  const TestProgram program(kRow);
  const TestMachine machine(kRow);
  char* text = nullptr;
  std::uint64_t cycles = 0;
  for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{4711}, ~std::uint64_t{0}}) {
    wsevm_machine made = 0;
    expect_error(wsevm_program_free(wrong), WSEVM_BAD_HANDLE, "names no program");
    expect_error(wsevm_program_symbols(wrong, &text), WSEVM_BAD_HANDLE, "names no program");
    expect_error(wsevm_program_text(wrong, &text), WSEVM_BAD_HANDLE, "names no program");
    expect_error(wsevm_machine_new(wrong, nullptr, &made), WSEVM_BAD_HANDLE, "names no program");
    expect_error(wsevm_machine_free(wrong), WSEVM_BAD_HANDLE, "names no machine");
    expect_error(wsevm_run_until(wrong, 1, nullptr), WSEVM_BAD_HANDLE, "names no machine");
    expect_error(wsevm_interrupt(wrong), WSEVM_BAD_HANDLE, "names no machine");
    expect_error(wsevm_cycle(wrong, &cycles), WSEVM_BAD_HANDLE, "names no machine");
  }
  expect_error(wsevm_cycle(program.handle(), &cycles), WSEVM_BAD_HANDLE, "names no machine");
  expect_error(wsevm_program_text(machine.handle(), &text), WSEVM_BAD_HANDLE, "names no program");
}

TEST(LibraryHandles, FreedOnesAreErrorsForEver) {
  wsevm_program program = 0;
  ASSERT_EQ(wsevm_program_load(nullptr, kRow, nullptr, nullptr, &program), WSEVM_OK);
  wsevm_machine machine = 0;
  ASSERT_EQ(wsevm_machine_new(program, nullptr, &machine), WSEVM_OK);
  ASSERT_EQ(wsevm_program_free(program), WSEVM_OK);
  expect_error(wsevm_program_free(program), WSEVM_BAD_HANDLE, "it may be freed");
  // The machine has what it needs.
  EXPECT_EQ(wsevm_run_until(machine, WSEVM_TO_THE_END, nullptr), WSEVM_OK) << wsevm_error_text();
  ASSERT_EQ(wsevm_machine_free(machine), WSEVM_OK);
  expect_error(wsevm_machine_free(machine), WSEVM_BAD_HANDLE, "names no machine");
  const TestMachine next(kRow);
  EXPECT_NE(next.handle(), machine);
  expect_error(wsevm_run_until(machine, 1, nullptr), WSEVM_BAD_HANDLE, "it may be freed");
}

}  // namespace
}  // namespace wse::test_library
