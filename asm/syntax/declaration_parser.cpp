// Puts each declaration into the list of its kind.
#include "asm/syntax/declaration_parser.h"

#include <utility>

namespace wse::assembler {

bool DeclarationParser::is_open(std::string_view directive) {
  return open_.check_open(directive, tokens_.statement_place());
}

void DeclarationParser::data(isa::Type data_type) {
  DataSyntax made{.line = lines_.here()};
  made.data.type = data_type;
  made.data.name = tokens_.expect_name("the name of the data");
  made.counted = tokens_.peek().is("[") && tokens_.peek_second().is("]");
  if (tokens_.accept("[") && !made.counted) {
    do made.extents.push_back(exprs_.expression());
    while (tokens_.accept(","));
  }
  if (made.counted || !made.extents.empty()) tokens_.expect("]");
  made.exported = tokens_.accept_word("exported");
  made.behind = tokens_.last_place();
  made.behind.column += std::exchange(made.behind.length, 0);
  data_place(made);
  if (tokens_.accept("=")) data_values(made);
  if (!tokens_.failed()) open_.program()->data.push_back(std::move(made));
}

// One expression for all elements, a view, or a list: two values at least, or `[]` before it.
void DeclarationParser::data_values(DataSyntax& data) {
  data.data.value = exprs_.expression();
  if (tokens_.failed()) return;
  const Expr& first = unit_[data.data.value];
  const bool is_view = first.kind == ExprKind::Call && first.text == kViewFunction;
  if ((!data.counted || is_view) && !tokens_.peek().is(",")) return;
  data.list.push_back(data.data.value);
  data.data.value = kNoExpr;
  while (!tokens_.failed() && tokens_.accept(",")) data.list.push_back(exprs_.expression());
}

// .table NAME = label {, label}: an array of their addresses
void DeclarationParser::table() {
  if (!is_open(".table")) return;
  DataSyntax made{.counted = true, .is_table = true, .line = lines_.here()};
  made.data.type = isa::Type::U32;
  made.data.name = tokens_.expect_name("the name of the table");
  tokens_.expect("=");
  do made.list.push_back(exprs_.address());
  while (!tokens_.failed() && tokens_.accept(","));
  if (!tokens_.failed()) open_.program()->data.push_back(std::move(made));
}

// bank=expr or address=expr
void DeclarationParser::data_place(DataSyntax& data) {
  for (const auto& [word, place] :
       {std::pair{"bank", &DataSyntax::bank}, std::pair{"address", &DataSyntax::address}}) {
    if (!tokens_.at_word(word) || !tokens_.peek_second().is("=")) continue;
    tokens_.take();
    tokens_.take();
    data.*place = exprs_.expression();
    return;
  }
}

void DeclarationParser::registers() {
  if (!is_open(".reg")) return;
  phrases_.bindings(open_.program()->registers, "the name of the register");
}

void DeclarationParser::descriptor_registers() {
  if (!is_open(".dsr")) return;
  phrases_.bindings(open_.program()->descriptor_registers, "the name of the descriptor register");
}

void DeclarationParser::microthreads() {
  if (!is_open(".microthread")) return;
  phrases_.bindings(open_.program()->microthreads, "the name of the microthread");
}

void DeclarationParser::queues() {
  if (!is_open(".queue")) return;
  phrases_.bindings(open_.program()->queues, "the name of the queue");
}

void DeclarationParser::descriptors() {
  if (!is_open(".dsd")) return;
  const Binding made = phrases_.binding("the name of the descriptor");
  if (!tokens_.failed()) open_.program()->descriptors.push_back(made);
}

// .fifo NAME = storage {on_leaving_full=task | on_leaving_empty=task}
void DeclarationParser::fifo() {
  if (!is_open(".fifo")) return;
  FifoSyntax made;
  made.name = tokens_.expect_name("the name of the FIFO");
  tokens_.expect("=");
  made.storage = exprs_.postfix();
  for (const auto& [word, task] : {std::pair{"on_leaving_full", &FifoSyntax::on_leaving_full},
                                   std::pair{"on_leaving_empty", &FifoSyntax::on_leaving_empty}}) {
    if (!tokens_.accept_word(word)) continue;
    tokens_.expect("=");
    made.*task = exprs_.postfix();
  }
  if (!tokens_.failed()) open_.program()->fifos.push_back(made);
}

// .seed expr
void DeclarationParser::seed() {
  if (!is_open(".seed")) return;
  SeedSyntax made{.where = tokens_.statement_place(), .line = lines_.here()};
  made.value = exprs_.expression();
  if (!tokens_.failed()) open_.program()->seeds.push_back(made);
}

void DeclarationParser::passive() {
  if (is_open(".passive") && open_.program() != nullptr)
    open_.program()->passive.push_back(tokens_.statement_place());
}

}  // namespace wse::assembler
