// Byte-order marks.
#include "isa/support/plain_text.h"

#include <string_view>

namespace wse::isa {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

struct ForeignMark {
  std::string_view bytes;
  std::string_view encoding;
  std::string_view shown;
};

// The first that fits: that of UTF-32 begins with that of UTF-16.
constexpr ForeignMark kForeignMarks[] = {
    {"\xff\xfe\0\0"sv, "UTF-32", "FF FE 00 00"},
    {"\0\0\xfe\xff"sv, "UTF-32", "00 00 FE FF"},
    {"\xff\xfe"sv, "UTF-16", "FF FE"},
    {"\xfe\xff"sv, "UTF-16", "FE FF"},
};

}  // namespace

Result<std::string> plain_text(std::string bytes) {
  for (const ForeignMark& mark : kForeignMarks) {
    if (!bytes.starts_with(mark.bytes)) continue;
    return fail("it is " + std::string(mark.encoding) + ", as its byte-order mark " +
                std::string(mark.shown) + " says; save it as UTF-8");
  }
  if (bytes.starts_with(kUtf8Mark)) bytes.erase(0, kUtf8Mark.size());
  return bytes;
}

}  // namespace wse::isa
