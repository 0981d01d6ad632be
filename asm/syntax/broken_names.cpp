// Scans the broken statement once more, from its first token on.
#include "asm/syntax/broken_names.h"

namespace wse::assembler {

void poison_names(const TokenStream& tokens, Unit& unit) {
  const std::string_view line = tokens.statement_text();
  Scanner scanner(line, tokens.statement_place());
  for (Token token = scanner.next(); token.kind != TokenKind::End; token = scanner.next()) {
    if (token.kind == TokenKind::Name) unit.broken_names.insert(token.text);
  }
}

}  // namespace wse::assembler
