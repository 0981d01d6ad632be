// NumPy files: what NumPy writes is read, what is written NumPy reads, and damaged files are
// refused. Must never need NumPy itself: the bytes are here as text.
#include "vm/numpy/npy.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <span>
#include <string>

#include "tests/support/files.h"

namespace wse::numpy {
namespace {

std::vector<std::byte> as_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// A file of version `major`.0 with this header text and these data.
std::string npy_file(std::string_view header, std::string_view data, char major = 1) {
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  const size_t length_bytes = major == 1 ? 2 : 4;
  for (size_t i = 0; i < length_bytes; ++i) {
    file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  return file.append(header).append(data);
}

std::string header_of(std::string_view dtype, std::string_view shape) {
  return "{'descr': '" + std::string(dtype) +
         "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
}

std::string error_of(std::string_view file) {
  const auto array = parse_npy(as_bytes(file));
  return array ? "no error" : array.error();
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const std::string header = header_of("<i2", "(2, 3)") + std::string(40, ' ') + "\n";
  for (const char major : {'\1', '\2', '\3'}) {
    const auto array = parse_npy(as_bytes(npy_file(header, "abcdefghijkl", major)));
    ASSERT_TRUE(array) << array.error();
    EXPECT_EQ(array->dtype, "<i2");
    EXPECT_EQ(array->shape, (std::vector<uint64_t>{2, 3}));
    EXPECT_EQ(array->data, as_bytes("abcdefghijkl"));
  }
}

TEST(Npy, ReadsOtherSpellingsOfTheHeader) {
  for (const char* header :
       {"{'shape':(4,),'fortran_order':False,'descr':'<f2'}",
        "{ \"shape\" : (4L ,) , \"fortran_order\" : False,\n\"descr\":\"<f2\", }  \n"}) {
    const auto array = parse_npy(as_bytes(npy_file(header, "abcdefgh")));
    ASSERT_TRUE(array) << array.error();
    EXPECT_EQ(array->shape, std::vector<uint64_t>{4});
  }
}

TEST(Npy, RoundTripsEveryTypeAndRank) {
  for (const char* dtype : {"|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"}) {
    for (const std::vector<uint64_t>& shape :
         {std::vector<uint64_t>{}, {0}, {5}, {3, 0, 2}, {2, 3}, std::vector<uint64_t>(32, 1)}) {
      NpyArray array{dtype, shape, std::vector<std::byte>(*data_bytes(dtype, shape), std::byte{7})};
      const auto bytes = format_npy(array);
      ASSERT_TRUE(bytes) << bytes.error();
      EXPECT_EQ((bytes->size() - array.data.size()) % 64, 0U);
      const auto back = parse_npy(*bytes);
      ASSERT_TRUE(back) << back.error();
      EXPECT_EQ(back->dtype, array.dtype);
      EXPECT_EQ(back->shape, array.shape);
      EXPECT_EQ(back->data, array.data);
    }
  }
}

TEST(Npy, WritesTheBytesThatNumpyWrites) {
  const auto bytes = format_npy({"<u2", {1, 2}, as_bytes("abcd")});
  ASSERT_TRUE(bytes);
  const std::string header = header_of("<u2", "(1, 2)") + std::string(58, ' ') + "\n";
  EXPECT_EQ(*bytes, as_bytes(npy_file(header, "abcd")));
}

TEST(Npy, RefusesToWriteWhatDoesNotFit) {
  EXPECT_FALSE(format_npy({"<f4", {2}, as_bytes("abc")}));
  EXPECT_FALSE(format_npy({"|b1", {3}, as_bytes("abc")}));
}

TEST(Npy, RefusesEveryTruncation) {
  const std::string file = npy_file(header_of("<f4", "(2,)"), "abcdefgh");
  ASSERT_EQ(error_of(file), "no error");
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_NE(error_of(file.substr(0, size)), "no error") << size;
  }
  EXPECT_EQ(error_of(file.substr(0, file.size() - 1)),
            "is truncated: (2,) of '<f4' takes 8 bytes of data, 7 are there");
  EXPECT_EQ(error_of(file + "x"),
            "has bytes at its end: (2,) of '<f4' takes 8 bytes of data, 9 are there");
}

TEST(Npy, RefusesWhatIsNoNpyFile) {
  EXPECT_EQ(error_of("PK\3\4 a zip archive"), "is no .npy file (wrong magic)");
  EXPECT_EQ(error_of(""), "is no .npy file (wrong magic)");
  EXPECT_EQ(error_of(npy_file("{}", "", '\4')), "has format version 4.0; 1.0 to 3.0 are known");
}

TEST(Npy, RefusesOtherLayoutsAndSaysWhatToDo) {
  EXPECT_EQ(error_of(npy_file(header_of(">f4", "(1,)"), "abcd")),
            "is big-endian ('>f4'); save a.astype('<f4') instead");
  EXPECT_EQ(error_of(npy_file(header_of("|b1", "(4,)"), "abcd")),
            "has dtype '|b1'; supported: |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8");
  EXPECT_EQ(error_of(npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}", "abcd")),
            "is in Fortran order; save numpy.ascontiguousarray(a) instead");
  EXPECT_EQ(error_of(npy_file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                              "abcd")),
            "has a structured dtype; plain numbers wanted");
}

TEST(Npy, RefusesShapesThatOverflow) {
  for (const char* shape :
       {"(4294967296, 4294967296)", "(18446744073709551615,)", "(3, 9223372036854775807)"}) {
    EXPECT_TRUE(
        error_of(npy_file(header_of("<f4", shape), "")).starts_with("claims the impossible shape"));
  }
  EXPECT_EQ(error_of(npy_file(header_of("<f4", "(99999999999999999999,)"), "")),
            "has a malformed header: an extent is too large");
  EXPECT_TRUE(
      error_of(npy_file(header_of("<f4", "(1000000000000,)"), "")).starts_with("is truncated"));
}

TEST(Npy, RefusesMalformedHeaders) {
  for (const char* header :
       {"", "{", "}", "{}", "{'descr'", "{'descr': '<f4}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} + 1",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}"}) {
    EXPECT_TRUE(error_of(npy_file(header, "abcd")).starts_with("has a malformed header")) << header;
  }
  std::string deep;
  for (int i = 0; i < 33; ++i) deep += "1,";
  EXPECT_TRUE(error_of(npy_file(header_of("<f4", "(" + deep + ")"), "abcd"))
                  .ends_with("too many dimensions"));
}

TEST(NpyFile, RoundTripsAndReplacesWhole) {
  const test_support::ScratchFolder scratch;
  isa::InputList inputs;
  const std::string path = scratch.path() / "a.npy";
  for (const uint64_t count : {8U, 2U}) {
    const NpyArray array{"<i2", {count}, std::vector<std::byte>(2 * count, std::byte{3})};
    ASSERT_TRUE(write_npy(path, inputs, array));
    const auto back = read_npy(path, inputs);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->data, array.data);
  }
  EXPECT_EQ(test_support::project_files(scratch.path()).size(), 1U);
}

TEST(NpyFile, NamesTheFileInErrors) {
  const test_support::ScratchFolder scratch;
  isa::InputList inputs;
  const std::string path = scratch.path() / "a.npy";
  test_support::write_text(path, "no array");
  EXPECT_EQ(read_npy(path, inputs).error().message, "'" + path + "' is no .npy file (wrong magic)");
  const std::string missing = scratch.path() / "b.npy";
  EXPECT_EQ(read_npy(missing, inputs).error().message,
            "cannot open '" + missing + "': No such file or directory");
  EXPECT_FALSE(
      write_npy(scratch.path() / "no-folder" / "a.npy", inputs, {"<f4", {}, as_bytes("abcd")}));
  EXPECT_FALSE(read_npy(scratch.path(), inputs));
}

TEST(NpyFile, AFullDiskLeavesTheOldFile) {
  const test_support::ScratchFolder scratch;
  isa::InputList inputs;
  const std::string path = scratch.path() / "a.npy";
  test_support::write_text(path, "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;  // a file size limit fails writes half way, as a full disk does
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = write_npy(path, inputs, {"<i2", {1000}, std::vector<std::byte>(2000)});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_TRUE(written.error().exhausted);
  EXPECT_EQ(test_support::read_text(path), "old");
  size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(scratch.path()))
    ++entries;
  EXPECT_EQ(entries, 1U);
}

TEST(NpyFile, DevicesAndLinksAreWrittenThrough) {
  const NpyArray array{"<i2", {2}, as_bytes("abcd")};
  isa::InputList inputs;
  const auto full = write_npy("/dev/full", inputs, array);
  ASSERT_FALSE(full);
  EXPECT_TRUE(full.error().exhausted);
  ASSERT_TRUE(std::filesystem::is_character_file("/dev/full"));
  const test_support::ScratchFolder scratch;
  test_support::write_text(scratch.path() / "target.npy", "old");
  std::filesystem::create_symlink("target.npy", scratch.path() / "link.npy");
  ASSERT_TRUE(write_npy(scratch.path() / "link.npy", inputs, array));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path() / "link.npy"));
  EXPECT_TRUE(read_npy(scratch.path() / "target.npy", inputs));
}

}  // namespace
}  // namespace wse::numpy
