// The page: maps reduced to tiles, numbers packed as a browser unpacks them, texts that cannot
// leave their place, and a size that is kept.
#include "vm/page/page.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "asm/assembler.h"
#include "tests/support/random.h"
#include "vm/page/packed.h"
#include "vm/page/page_texts.h"
#include "vm/page/planes.h"
#include "vm/profile/collect.h"

namespace {

using namespace wse;
using Json = nlohmann::json;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string inflated(std::span<const std::byte> bytes, std::size_t size) {
  std::string text(size, ' ');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -15), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(size);
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_out, 0u);
  inflateEnd(&stream);
  return text;
}

TEST(Packed, IsBase64) {
  EXPECT_EQ(vm::base64(bytes_of("")), "");
  EXPECT_EQ(vm::base64(bytes_of("f")), "Zg==");
  EXPECT_EQ(vm::base64(bytes_of("fo")), "Zm8=");
  EXPECT_EQ(vm::base64(bytes_of("foo")), "Zm9v");
  EXPECT_EQ(vm::base64(bytes_of("\xfb\xff\xbe")), "+/++");
}

TEST(Packed, IsDeflatedWithoutAHeader) {
  test_support::Random random(4);
  std::string noise(1'000'000, ' ');
  for (char& letter : noise) letter = static_cast<char>(random.below(256));
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(500'000, 'x'), noise}) {
    numpy::Deflater deflater(6);
    for (std::size_t at = 0; at < text.size(); at += 70'001) {
      deflater.add(bytes_of(std::string_view(text).substr(at, 70'001)));
    }
    EXPECT_EQ(inflated(deflater.finish(), text.size()), text);
  }
}

TEST(Numbers, TakeTheFewestBytesForANumber) {
  const std::vector<std::uint64_t> all = {
      1, 255, 256, 65535, 65536, UINT32_MAX, std::uint64_t{1} << 32};
  const std::vector<std::size_t> bytes = {1, 1, 2, 2, 4, 4, 8};
  vm::Numbers numbers;
  for (std::size_t k = 0; k < all.size(); ++k) {
    numbers.add(all[k]);
    EXPECT_EQ(numbers.element_bytes(), bytes[k]);
    ASSERT_EQ(numbers.size(), k + 1);
    for (std::size_t i = 0; i <= k; ++i) EXPECT_EQ(numbers[i], all[i]);
  }
  vm::Numbers two;
  for (const std::uint64_t number : {0x0102, 0x0304}) two.add(number);
  EXPECT_TRUE(std::ranges::equal(
      two.data(), std::vector{std::byte{2}, std::byte{1}, std::byte{4}, std::byte{3}}));
}

// An array that inflates to several pieces, which cut elements: its head has an odd length.
TEST(Numbers, AreInflatedWhole) {
  constexpr std::uint64_t kCount = 100'000;
  const std::string head = "{'descr': '<u8', 'fortran_order': False, 'shape': (100000,), }\n";
  std::string file = "\x93NUMPY\1";
  file += {'\0', static_cast<char>(head.size()), '\0'};
  file += head;
  ASSERT_EQ(file.size() % 2, 1u);
  const auto number = [](std::uint64_t k) { return k * k * k * 1000; };
  for (std::uint64_t k = 0; k < kCount; ++k) {
    const std::uint64_t value = number(k);
    file.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  const auto packed = numpy::pack_npy("a", bytes_of(file));
  ASSERT_TRUE(packed) << packed.error();
  const vm::Numbers numbers(*packed);
  ASSERT_EQ(numbers.size(), kCount);
  for (std::uint64_t k = 0; k < kCount; ++k) ASSERT_EQ(numbers[k], number(k));
}

// A profile of 5 x 3 PEs with busy = 10 y + x, and no program in the north-west corner.
vm::Profile numbered() {
  vm::Profile profile;
  profile.width = 5;
  profile.height = 3;
  std::vector<std::uint32_t> busy, program(15);
  for (std::uint32_t pe = 0; pe < 15; ++pe) busy.push_back(pe / 5 * 10 + pe % 5);
  for (const std::size_t pe : {0, 1, 5, 6, 7}) program[pe] = vm::kNoNumber;
  for (const auto& [name, values] : {std::pair{"busy", busy}, std::pair{"program", program}}) {
    numpy::NpyArray array{"<u4", {3, 5}, std::vector<std::byte>(60)};
    std::memcpy(array.data.data(), values.data(), 60);
    profile.arrays.push_back(*numpy::packed({name, std::move(array)}));
  }
  return profile;
}

vm::Tiles reduced(const vm::Profile& profile, const vm::Plane& plane, std::uint32_t k) {
  return vm::tiles_of(profile, plane, profile.numbers(plane.array), k);
}

std::vector<std::uint64_t> all(const vm::Numbers& numbers) {
  std::vector<std::uint64_t> values;
  for (std::size_t k = 0; k < numbers.size(); ++k) values.push_back(numbers[k]);
  return values;
}

TEST(Planes, AreReducedToTiles) {
  const vm::Profile profile = numbered();
  const std::vector<vm::Plane> planes = vm::planes_of(profile);
  ASSERT_EQ(planes.size(), 2u);
  const vm::Tiles pes = reduced(profile, planes[0], 1);
  EXPECT_EQ(pes.largest[7], 12u);
  EXPECT_TRUE(pes.mean.empty());
  const vm::Tiles tiles = reduced(profile, planes[0], 2);
  EXPECT_EQ(tiles.width, 3u);
  EXPECT_EQ(tiles.height, 2u);
  EXPECT_EQ(all(tiles.largest), (std::vector<std::uint64_t>{11, 13, 14, 21, 23, 24}));
  EXPECT_EQ(tiles.mean, (std::vector<float>{5.5f, 7.5f, 9.0f, 20.5f, 22.5f, 24.0f}));
}

TEST(Planes, AreAddedUpInSquares) {
  const vm::Profile profile = numbered();
  const auto summed = [&profile](const vm::Squares& squares) {
    std::vector<std::uint64_t> sums;
    vm::for_each_sum(*profile.find("busy"), squares,
                     [&sums](std::uint64_t sum) { sums.push_back(sum); });
    return sums;
  };
  using Sums = std::vector<std::uint64_t>;
  EXPECT_EQ(summed({.height = 3, .width = 5, .k = 2}), (Sums{22, 30, 18, 41, 45, 24}));
  EXPECT_EQ(summed({.height = 1, .width = 5, .k = 5}), (Sums{10, 60, 110}));  // three maps
  EXPECT_EQ(summed({.height = 3, .width = 5, .k = 1}).size(), 15u);
}

TEST(Planes, LeaveOutWhatIsNoValue) {
  const vm::Profile profile = numbered();
  const vm::Plane program = vm::planes_of(profile)[1];
  EXPECT_EQ(reduced(profile, program, 1).largest[0], vm::kNoNumber);
  const vm::Tiles tiles = reduced(profile, program, 2);
  EXPECT_EQ(tiles.largest[0], vm::kNoNumber);
  EXPECT_EQ(tiles.largest[1], 0u);
  EXPECT_TRUE(tiles.mean.empty());  // indices have none
  vm::Plane halted = program;
  halted.is_index = false;
  const std::vector<float> mean = reduced(profile, halted, 2).mean;
  EXPECT_TRUE(std::isnan(mean[0]));
  EXPECT_EQ(mean[1], 0.0f);
}

vm::Profile profile_of_a_row(const std::string& note) {
  const isa::Profile machine_profile = *isa::find_profile("wse2");
  assembler::Output output = assembler::assemble({note + ".wsa", R"(.grid 40, 30
.program works
  task main:
    mov32 r1, x
  repeat:
    sub32 r1, r1, 1
    blt 0, r1, repeat
.place works at (0..39, 0..29)
)"},
                                                 {.overrides = {}, .profile = machine_profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  const auto machine = *vm::Machine::create(std::move(*output.image), machine_profile, {});
  EXPECT_TRUE(machine->count_lines());
  const vm::Record record = machine->run({.profile = true});
  return *vm::collect_profile(*machine, record, {note, {}, &output.files});
}

Json data_of(const std::string& page) {
  const std::string begin = R"(id="report-data">)";
  const std::size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(Page, HasEveryPartOfItself) {
  const vm::Profile profile = profile_of_a_row("row");
  const vm::PageRun run{"row", &profile};
  const std::string page = *vm::report_page({&run, 1}, {.title = "a row", .model = {}});
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("<title>a row</title>"), std::string::npos);
  EXPECT_NE(page.find("Chart.js v3"), std::string::npos);
  for (const char* file : {"page.css", "data.js", "colours.js", "maps.js", "tables.js", "pe.js",
                           "path.js", "charts.js", "main.js", "chart.min.js"}) {
    const std::string text = vm::page_text(file);
    EXPECT_FALSE(text.empty()) << file;
    EXPECT_NE(page.find(text), std::string::npos) << file;
  }
  for (const char* outside : {"src=", "href=\"http", "url(", "@data@", "@title@"}) {
    EXPECT_EQ(page.substr(0, page.find("Chart.js v3")).find(outside), std::string::npos) << outside;
  }
  const Json data = data_of(page);
  EXPECT_EQ(data["runs"][0]["tile"], 1);
  EXPECT_EQ(data["runs"][0]["findings"][0]["rule"], "overview");
  EXPECT_EQ(page, *vm::report_page({&run, 1}, {.title = "a row", .model = {}}));
}

TEST(Page, KeepsTextsOfOthersInTheirPlace) {
  const vm::Profile profile = profile_of_a_row("</script><script>alert(1)</script>");
  const vm::PageRun run{"<!--<script>", &profile};
  const std::string title = "</title><script>alert(2)</script> & more";
  const std::string page = *vm::report_page({&run, 1}, {.title = title, .model = {}});
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert(2)"), std::string::npos);
  EXPECT_NE(
      page.find("<title>&lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt; &amp; more</title>"),
      std::string::npos);
  EXPECT_EQ(data_of(page)["runs"][0]["name"], "<!--<script>");
  EXPECT_EQ(data_of(page)["title"], title);
}

// Whatever a profile file says, it is refused or shown.
TEST(Page, SurvivesProfilesThatAreDamaged) {
  const vm::Profile good = profile_of_a_row("row");
  test_support::Random random(77);
  std::size_t shown = 0;
  for (int k = 0; k < 400; ++k) {
    vm::Profile profile = good;
    // Half of the damage goes into the text, where most of it is refused.
    const auto count = static_cast<std::uint32_t>(profile.arrays.size());
    numpy::PackedArray& packed = profile.arrays[random.one_in(2) ? 0 : random.below(count)];
    numpy::NpyArray array = numpy::unpacked(packed);
    for (std::uint32_t n = random.below(4) + 1; n > 0; --n) {
      const auto at = random.below(static_cast<std::uint32_t>(array.data.size()));
      const auto digit = static_cast<std::byte>('0' + random.below(10));
      array.data[at] = random.one_in(2) ? digit : static_cast<std::byte>(random.below(256));
    }
    packed = *numpy::packed({packed.name, std::move(array)});
    const auto read = vm::parse_profile(*vm::format_profile(profile));
    if (!read) continue;
    const vm::PageRun run{"damaged", &*read};
    EXPECT_TRUE(vm::report_page({&run, 1}, {.title = "damaged", .model = {}}));
    ++shown;
  }
  EXPECT_GT(shown, 100u);
  EXPECT_LT(shown, 400u);
}

// A profile of 100 x 60 PEs that hardly can be deflated.
vm::Profile noisy() {
  vm::Profile profile;
  profile.width = 100;
  profile.height = 60;
  profile.meta = "{}";
  test_support::Random random(9);
  numpy::NpyArray array{"<u4", {60, 100}, std::vector<std::byte>(24'000)};
  for (std::byte& byte : array.data) byte = static_cast<std::byte>(random.below(256));
  profile.arrays.push_back(*numpy::packed({"busy", std::move(array)}));
  return profile;
}

TEST(Page, ShowsTilesWherePesDoNotFit) {
  const vm::Profile profile = noisy();
  const vm::PageRun run{"noise", &profile};
  const std::string whole = *vm::report_page({&run, 1}, {.title = "noise", .model = {}});
  EXPECT_EQ(data_of(whole)["runs"][0]["tile"], 1);
  const std::uint64_t less = whole.size() - 10'000;  // of 32 kB
  const auto smaller =
      vm::report_page({&run, 1}, {.title = "noise", .most_bytes = less, .model = {}});
  ASSERT_TRUE(smaller) << smaller.error();
  EXPECT_LE(smaller->size(), less);
  const Json of_run = data_of(*smaller)["runs"][0];
  EXPECT_EQ(of_run["tile"], 2);
  EXPECT_EQ(of_run["columns"], 50);
  EXPECT_EQ(of_run["rows"], 30);
  EXPECT_EQ(of_run["width"], 100);
  const auto none = vm::report_page({&run, 1}, {.title = "noise", .most_bytes = 1000, .model = {}});
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().ends_with("; 1000 are allowed")) << none.error();
}

}  // namespace
