// Text of others on its way to a terminal: what would steer the terminal, or hide or turn round
// what is read, becomes a visible escape.
//
//     bytes 00..1f but newline and tab, 7f         \x1b
//     bytes that are no UTF-8                      \x9b
//     U+0080..9f, controls of 8 bits               \u009b
//     U+202a..202e, U+2066..2069, directions       \u202e
//
// All else stays as it is, so that names of any alphabet can be read. The result is its own visible
// form.
#pragma once

#include <string>
#include <string_view>

namespace wse::isa {

std::string visible(std::string_view text);

// The same of what belongs into one line: tabs become blanks, newlines \x0a.
std::string visible_line(std::string_view text);

}  // namespace wse::isa
