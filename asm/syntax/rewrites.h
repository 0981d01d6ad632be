// Changes of the text that helps of diagnostics spell, made of what the parser keeps.
//
// A function returns nothing if the text to change does not lie in one line that somebody wrote:
// no edit could hold it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"

namespace wse::assembler {

// Puts `text` in place of the expression.
std::optional<Edit> replaced(const Expr& expr, std::string text);

// Puts the expression between `opening` and `closing`.
std::optional<Edit> enclosed(const Expr& expr, std::string opening, std::string closing);

// Removes everything from the end of `first` to the end of `last`.
std::optional<Edit> removed_behind(const isa::SourceRange& first, const Expr& last);

// Leaves the name of the binding alone.
std::optional<Edit> without_value(const Unit& unit, const Binding& binding);

// Calls `function` with the same arguments.
std::optional<Edit> with_function(const Expr& call, std::string_view function);

// Adds a last argument to the call.
std::optional<Edit> with_argument(const Expr& call, std::string_view text);

// Removes the last argument that is `word` or `word=...`, with the comma before it.
std::optional<Edit> without_argument(const Unit& unit, const Expr& call, std::string_view word);

// Inserts a line above that of `place`.
std::optional<Edit> line_above(const isa::SourceRange& place, std::string_view text);

}  // namespace wse::assembler
