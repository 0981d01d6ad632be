// .if, .else, .for and their .end, in programs and macros: which lines and declarations they hold.
//
// What is inside goes to the lists of the program as if there were no blocks; a block only says
// which part of each list is its own.
#include <algorithm>

#include "asm/syntax/parser.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kMaxBlocks = 128;  // inside each other

}  // namespace

std::vector<BlockSyntax>& Parser::blocks() {
  return macro_ != nullptr ? macro_->blocks : program_->blocks;
}

std::vector<BodySyntax>& Parser::body() {
  return macro_ != nullptr ? macro_->body : program_->body;
}

bool Parser::may_open(std::string_view what) {
  if (program_ == nullptr && macro_ == nullptr) {
    if (!stray_) reporter_.report(Problem::BlockOutside, begin_, what);
    unit_.broken_statement = true;
    stray_ = true;  // its end follows
    tokens_.fail();
    return false;
  }
  if (open_blocks_.size() < kMaxBlocks) return true;
  reporter_.report(Problem::BlockDepth, begin_, kMaxBlocks);
  stray_ = true;
  unit_.incomplete = true;
  tokens_.fail();
  return false;
}

// .if CONDITION
void Parser::if_block() {
  if (!may_open(".if")) return;
  BlockSyntax made{.kind = BlockSyntax::Kind::If, .where = begin_};
  made.condition = exprs_.expression();
  open_block(made);
}

// .else [if CONDITION]
void Parser::else_block() {
  const bool is_open =
      !open_blocks_.empty() && blocks()[open_blocks_.back()].kind == BlockSyntax::Kind::If;
  if (!is_open) return refuse_end(Problem::ElseOfNothing);
  const BlockSyntax before = blocks()[open_blocks_.back()];
  const bool goes_on = tokens_.accept_word("if");
  BlockSyntax inner{.kind = BlockSyntax::Kind::If, .is_chained = true, .where = begin_};
  if (goes_on && !may_open(".else")) return;
  if (goes_on) inner.condition = exprs_.expression();
  BlockSyntax& ended = blocks()[open_blocks_.back()];
  ended.last_line = static_cast<std::uint32_t>(body().size());
  ended.behind = static_cast<std::uint32_t>(blocks().size());
  if (program_ != nullptr) ended.last_declarations = program_->declarations();
  open_blocks_.pop_back();
  open_block({.kind = BlockSyntax::Kind::Else,
              .is_chained = before.is_chained,
              .condition = before.condition,
              .where = begin_});
  if (goes_on) open_block(inner);
}

// .for NAME = first..last [step s]
void Parser::for_block() {
  if (!may_open(".for")) return;
  BlockSyntax made{.kind = BlockSyntax::Kind::For, .where = begin_};
  made.variable = tokens_.expect_name("the name of the variable");
  tokens_.expect("=");
  made.range = range();
  open_block(made);
}

// Also one whose line has an error: its end follows.
void Parser::open_block(const BlockSyntax& block) {
  unit_.incomplete |= tokens_.failed();
  BlockSyntax made = block;
  made.first_line = static_cast<std::uint32_t>(body().size());
  if (program_ != nullptr) made.first_declarations = program_->declarations();
  open_blocks_.push_back(static_cast<std::uint32_t>(blocks().size()));
  blocks().push_back(made);
}

void Parser::close_block() {
  bool is_chained = true;
  while (is_chained && !open_blocks_.empty()) {
    BlockSyntax& block = blocks()[open_blocks_.back()];
    is_chained = block.is_chained;
    block.last_line = static_cast<std::uint32_t>(body().size());
    block.behind = static_cast<std::uint32_t>(blocks().size());
    if (program_ != nullptr) block.last_declarations = program_->declarations();
    open_blocks_.pop_back();
  }
}

// Without `.end`.
void Parser::close_all_blocks() {
  if (open_blocks_.empty()) return;
  const BlockSyntax& innermost = blocks()[open_blocks_.back()];
  if (!unit_.lacks(".end")) {
    reporter_.report(Problem::OpenBlock, innermost.where,
                     innermost.kind == BlockSyntax::Kind::For ? ".for" : ".if");
  }
  unit_.incomplete = true;
  while (!open_blocks_.empty()) close_block();
}

// Of what has no beginning, unless an error took that: then nobody knows what belongs where.
void Parser::refuse_end(Problem problem) {
  const bool is_lost = unit_.broken_directives.contains(".if") ||
                       unit_.broken_directives.contains(".for") ||
                       (program_ != nullptr && unit_.broken_statement);
  if (!stray_ && !is_lost) reporter_.report(problem, begin_);
  unit_.incomplete |= is_lost;
  tokens_.fail();
}

bool Parser::in_loop() {
  return in_loop_ || std::ranges::any_of(open_blocks_, [this](std::uint32_t k) {
           return blocks()[k].kind == BlockSyntax::Kind::For;
         });
}

// Reports what would be defined in every turn.
bool Parser::refuse_in_loop(std::string_view what) {
  if (!in_loop()) return false;
  reporter_.report(Problem::NotInLoop, begin_, what);
  tokens_.fail();
  return true;
}

}  // namespace wse::assembler
