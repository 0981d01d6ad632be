// Opens and closes blocks; what an error took is not missed.
#include "asm/syntax/block_parser.h"

#include <algorithm>

namespace wse::assembler {
namespace {

constexpr std::size_t kMaxBlocks = 128;  // inside each other

}  // namespace

bool BlockParser::may_open(std::string_view what) {
  if (!open_.is_open()) {
    if (!open_.is_stray()) reporter_.report(Problem::BlockOutside, tokens_.statement_place(), what);
    unit_.broken_statement = true;
    open_.set_stray(true);  // its end follows
    tokens_.fail();
    return false;
  }
  if (open_blocks_.size() < kMaxBlocks) return true;
  reporter_.report(Problem::BlockDepth, tokens_.statement_place(), kMaxBlocks);
  open_.set_stray(true);
  unit_.incomplete = true;
  tokens_.fail();
  return false;
}

// .if CONDITION
void BlockParser::if_block() {
  if (!may_open(".if")) return;
  BlockSyntax made{.kind = BlockSyntax::Kind::If, .where = tokens_.statement_place()};
  made.condition = exprs_.expression();
  open(made);
}

// .else [if CONDITION]
void BlockParser::else_block() {
  const bool is_open =
      has_open() && open_.blocks()[open_blocks_.back()].kind == BlockSyntax::Kind::If;
  if (!is_open) return refuse_end(Problem::ElseOfNothing);
  const BlockSyntax before = open_.blocks()[open_blocks_.back()];
  const bool goes_on = tokens_.accept_word("if");
  const isa::SourceRange& where = tokens_.statement_place();
  BlockSyntax inner{.kind = BlockSyntax::Kind::If, .is_chained = true, .where = where};
  if (goes_on && !may_open(".else")) return;
  if (goes_on) inner.condition = exprs_.expression();
  end_innermost();
  open({.kind = BlockSyntax::Kind::Else,
        .is_chained = before.is_chained,
        .condition = before.condition,
        .where = where});
  if (goes_on) open(inner);
}

// .for NAME = first..last [step s]
void BlockParser::for_block() {
  if (!may_open(".for")) return;
  BlockSyntax made{.kind = BlockSyntax::Kind::For, .where = tokens_.statement_place()};
  made.variable = tokens_.expect_name("the name of the variable");
  tokens_.expect("=");
  made.range = phrases_.range();
  open(made);
}

// Also one whose line has an error: its end follows.
void BlockParser::open(const BlockSyntax& block) {
  unit_.incomplete |= tokens_.failed();
  BlockSyntax made = block;
  made.first_line = static_cast<std::uint32_t>(open_.body().size());
  made.first_declarations = open_.declarations();
  open_blocks_.push_back(static_cast<std::uint32_t>(open_.blocks().size()));
  open_.blocks().push_back(made);
}

void BlockParser::end_innermost() {
  BlockSyntax& block = open_.blocks()[open_blocks_.back()];
  block.last_line = static_cast<std::uint32_t>(open_.body().size());
  block.behind = static_cast<std::uint32_t>(open_.blocks().size());
  block.last_declarations = open_.declarations();
  open_blocks_.pop_back();
}

void BlockParser::close() {
  bool is_chained = true;
  while (is_chained && has_open()) {
    is_chained = open_.blocks()[open_blocks_.back()].is_chained;
    end_innermost();
  }
}

void BlockParser::close_all() {
  if (!has_open()) return;
  const BlockSyntax& innermost = open_.blocks()[open_blocks_.back()];
  if (!unit_.lacks(".end")) {
    reporter_.report(Problem::OpenBlock, innermost.where,
                     innermost.kind == BlockSyntax::Kind::For ? ".for" : ".if");
  }
  unit_.incomplete = true;
  while (has_open()) close();
}

// An error may have taken the beginning: then nobody knows what belongs where.
void BlockParser::refuse_end(Problem problem) {
  const bool is_lost = unit_.broken_directives.contains(".if") ||
                       unit_.broken_directives.contains(".for") ||
                       (open_.program() != nullptr && unit_.broken_statement);
  if (!open_.is_stray() && !is_lost) reporter_.report(problem, tokens_.statement_place());
  unit_.incomplete |= is_lost;
  tokens_.fail();
}

bool BlockParser::in_loop() const {
  return in_loop_ || std::ranges::any_of(open_blocks_, [this](std::uint32_t k) {
           return open_.blocks()[k].kind == BlockSyntax::Kind::For;
         });
}

bool BlockParser::refuse_in_loop(std::string_view what) {
  if (!in_loop()) return false;
  reporter_.report(Problem::NotInLoop, tokens_.statement_place(), what);
  tokens_.fail();
  return true;
}

}  // namespace wse::assembler
