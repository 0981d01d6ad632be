// Files for --in that are not what the program needs: each message names the file and says what to
// do. What NumPy itself can write in other ways is tried in tests/unit/npy_test.cpp.
#include <fmt/format.h>

#include "tests/faults/faults.h"

namespace wse::faults {
namespace {

constexpr std::size_t kElements = 600;  // of x, on one PE

std::string header(const std::string& dtype, const std::string& shape,
                   const std::string& order = "False") {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", dtype, order,
                     shape);
}

// A file of format version `major`.0 that claims `length` bytes of header.
std::string npy(const std::string& head, std::size_t data_bytes, char major = 1,
                std::size_t length = 0) {
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  if (length == 0) length = head.size();
  const int length_bytes = major == 1 ? 2 : 4;
  for (int k = 0; k < length_bytes; ++k) file += static_cast<char>(length >> (8 * k) & 0xff);
  return file + head + std::string(data_bytes, '\1');
}

class Arrays : public Faults {
 protected:
  Ending run_with(const std::string& file) {
    write("program.wsa", kProgram);
    return wsevm({"run", "program.wsa", "--in", "x=" + file, "--out", "x=out.npy"});
  }
  Ending run_with_bytes(const std::string& bytes) {
    write("in.npy", bytes);
    return run_with("in.npy");
  }
  void expect_refused(const std::string& bytes, const std::string& reason) {
    const Ending ending = run_with_bytes(bytes);
    EXPECT_EQ(ending.code, 2);
    EXPECT_TRUE(ending.errors.contains("in.npy")) << ending.errors;
    expect_message(ending, reason);
    EXPECT_FALSE(fs::exists(path("out.npy")));
  }
};

const std::string kShape = "(1, 1, 600)";
constexpr std::size_t kBytes = 4 * kElements;

TEST_F(Arrays, EveryVersionIsRead) {
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_EQ(run_with_bytes(npy(header("<i4", kShape), kBytes, version)).code, 0);
    EXPECT_TRUE(read("out.npy").ends_with(std::string(kBytes, '\1')));
  }
}

TEST_F(Arrays, AnotherShape) {
  expect_refused(npy(header("<i4", "(600, 1)"), kBytes),
                 "shape (600, 1), but 'x' needs (1, 1, 600)");
  expect_refused(npy(header("<i4", "(1, 1, 599)"), kBytes - 4), "needs (1, 1, 600)");
}

TEST_F(Arrays, AnotherType) {
  expect_refused(npy(header("<f4", kShape), kBytes), "convert it with .astype('<i4')");
}

TEST_F(Arrays, ATypeThatNoSymbolHas) {
  expect_refused(npy(header("|O", kShape), kBytes), "has dtype '|O'; supported:");
}

TEST_F(Arrays, AnotherByteOrder) {
  expect_refused(npy(header(">i4", kShape), kBytes), "save a.astype('<i4') instead");
}

TEST_F(Arrays, FortranOrder) {
  expect_refused(npy(header("<i4", kShape, "True"), kBytes), "numpy.ascontiguousarray(a)");
}

TEST_F(Arrays, CutOffInTheHeader) {
  expect_refused(npy(header("<i4", kShape), 0).substr(0, 30), "is truncated inside its header");
  expect_refused("\x93NUM", "is truncated");
}

TEST_F(Arrays, CutOffInTheData) {
  expect_refused(npy(header("<i4", kShape), kBytes - 1),
                 "is truncated: (1, 1, 600) of '<i4' takes 2400 bytes of data, 2399 are there");
}

TEST_F(Arrays, BytesAtTheEnd) {
  expect_refused(npy(header("<i4", kShape), kBytes + 1), "has bytes at its end");
}

TEST_F(Arrays, AnUnknownVersion) {
  expect_refused(npy(header("<i4", kShape), kBytes, '\4'), "has format version 4.0");
}

TEST_F(Arrays, AShapeThatLies) {
  expect_refused(npy(header("<i4", "(1000000, 1000000)"), kBytes), "is truncated");
  expect_refused(npy(header("<i4", "(4294967296, 4294967296)"), kBytes), "the impossible shape");
  expect_refused(npy(header("<i4", "(99999999999999999999,)"), kBytes), "an extent is too large");
  expect_refused(npy(header("<i4", "(-600,)"), kBytes), "an extent expected");
}

TEST_F(Arrays, AHeaderOfAGigabyte) {
  expect_refused(npy(header("<i4", kShape), kBytes, '\2', std::size_t{1} << 30),
                 "is truncated inside its header");
}

TEST_F(Arrays, NoArrayAtAll) {
  expect_refused("PK\3\4 an archive", "is no .npy file");
  expect_refused("", "is no .npy file");
  expect_refused("{'descr'}", "is no .npy file");
}

TEST_F(Arrays, AFileThatIsMissing) {
  const Ending ending = run_with("none.npy");
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "cannot read none.npy: it is neither in the current folder nor in");
}

TEST_F(Arrays, AFolder) {
  const Ending ending = run_with(".");
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "cannot read '.': Is a directory");
}

TEST_F(Arrays, AFileThatNeverEnds) {
  const Ending ending = run_with("/dev/zero");
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "cannot read '/dev/zero': it holds more than");
  EXPECT_LT(ending.peak_kilobytes, 500'000);
}

TEST_F(Arrays, AnArrayThatIsNotExported) {
  write("program.wsa", kProgram);
  const Ending ending = wsevm({"run", "program.wsa", "--in", "z=in.npy"});
  EXPECT_EQ(ending.code, 2);
  expect_message(ending, "'z'");
}

}  // namespace
}  // namespace wse::faults
