// The definitions, and the links at the end; what uses names is in index_uses.cpp.
#include "asm/names/index_walker.h"

#include <algorithm>

namespace wse::assembler {
namespace {

constexpr std::size_t kMostLinks = 1'000'000;

}  // namespace

NameIndex index_names(const Unit& unit, const Sources& sources) {
  return IndexWalker(unit, sources).run();
}

NameIndex IndexWalker::run() {
  shared_scope_ = scopes_.add(kTopScope, "");
  library_scope_ = scopes_.add(shared_scope_, "");
  expect_scope_ = scopes_.add(kNoScope, "");
  open_ = {library_scope_, expect_scope_};
  define_top();
  use_top();
  use_places();
  for (std::size_t k = 0; k < unit_.programs.size(); ++k) {
    use_program(unit_.programs[k], program_scopes_[k]);
  }
  for (const ProgramSyntax& library : unit_.libraries) use_program(library, library_scope_);
  for (const MacroSyntax& macro : unit_.macros) use_body(macro.body, macro.blocks);
  link_free_names();
  std::vector<IndexedSymbol>& symbols = scopes_.symbols();
  SymbolGroups groups(symbols.size());
  for (const auto& [one, other] : links_) groups.join(one, other);
  std::unordered_map<std::uint64_t, std::uint32_t> at_place;  // a text that is included twice
  for (const Mention& mention : mentions_) {
    const std::uint64_t place = std::uint64_t{mention.where.file} << 32 | mention.where.offset;
    const auto [found, is_new] = at_place.try_emplace(place, mention.symbol);
    if (!is_new) groups.join(found->second, mention.symbol);
    IndexedSymbol& symbol = symbols[mention.symbol];
    if (mention.defines && symbol.where.length == 0) symbol.where = mention.where;
  }
  for (std::uint32_t k = 0; k < symbols.size(); ++k) symbols[k].group = groups.of(k);
  return NameIndex(std::move(symbols), std::move(mentions_), spent_ <= kMostLinks);
}

// All names are views into texts, but for those that the parser makes up.
void IndexWalker::mention(std::string_view name, std::uint32_t file, std::uint32_t symbol,
                          bool defines) {
  const std::string& text = sources_[file].text;
  const bool is_inside = !name.empty() && name.data() >= text.data() &&
                         name.data() + name.size() <= text.data() + text.size();
  if (!is_inside) return;
  const auto offset = static_cast<std::uint32_t>(name.data() - text.data());
  mentions_.push_back({.where = {file, offset, static_cast<std::uint32_t>(name.size())},
                       .symbol = symbol,
                       .defines = defines});
}

void IndexWalker::define(ScopeId scope, Space space, SymbolKind kind, const Named& name) {
  if (name.text.empty()) return;
  mention(name.text, name.where.file, scopes_.define(scope, space, kind, name.text), true);
}

bool IndexWalker::spend() { return ++spent_ <= kMostLinks; }

void IndexWalker::define_top() {
  const auto all = [this](const auto& list, SymbolKind kind) {
    for (const auto& binding : list) define(kTopScope, Space::Values, kind, binding.name);
  };
  all(unit_.constants, SymbolKind::Constant);
  all(unit_.parameters, SymbolKind::Parameter);
  all(unit_.colours, SymbolKind::Colour);
  all(unit_.entries, SymbolKind::Entry);
  for (const ProgramSyntax& program : unit_.programs) {
    define(kTopScope, Space::Programs, SymbolKind::Program, program.name);
    program_scopes_.push_back(scopes_.add(shared_scope_, program.name.text));
    define_program(program, program_scopes_.back());
  }
  for (const ProgramSyntax& library : unit_.libraries) {
    define(kTopScope, Space::Programs, SymbolKind::Library, library.name);
    define_program(library, shared_scope_);
    define_labels(library.body, library.blocks, library_scope_);
  }
  for (const MacroSyntax& macro : unit_.macros) {
    define(kTopScope, Space::Macros, SymbolKind::Macro, macro.name);
    macros_.try_emplace(macro.name.text, static_cast<std::uint32_t>(macro_scopes_.size()));
    macro_scopes_.push_back(scopes_.add(kNoScope, macro.name.text));
    open_.insert(macro_scopes_.back());
    define_macro(macro, macro_scopes_.back());
  }
  for (const StreamSyntax& stream : unit_.streams) {
    define(kTopScope, Space::Programs, SymbolKind::Stream, stream.name.name);
  }
}

void IndexWalker::define_program(const ProgramSyntax& program, ScopeId scope) {
  const auto all = [this, scope](const auto& list, Space space, SymbolKind kind) {
    for (const auto& made : list) define(scope, space, kind, made.name);
  };
  all(program.parameters, Space::Values, SymbolKind::Argument);
  for (const DataSyntax& data : program.data) {
    define(scope, Space::Values, SymbolKind::Data, data.data.name);
  }
  all(program.registers, Space::Values, SymbolKind::Register);
  all(program.descriptor_registers, Space::Values, SymbolKind::DescriptorRegister);
  all(program.microthreads, Space::Microthreads, SymbolKind::Microthread);
  all(program.queues, Space::Queues, SymbolKind::Queue);
  all(program.descriptors, Space::Values, SymbolKind::Descriptor);
  all(program.fifos, Space::Values, SymbolKind::Fifo);
  all(program.routings, Space::Routings, SymbolKind::Routing);
  all(program.filters, Space::Filters, SymbolKind::Filter);
  for (const HeaderSyntax& header : program.headers) {
    const bool calls = header.is_function;
    define(scope, calls ? Space::Labels : Space::Tasks,
           calls ? SymbolKind::Function : SymbolKind::Task, header.name);
  }
  if (!program.is_library) define_labels(program.body, program.blocks, scope);
}

void IndexWalker::define_macro(const MacroSyntax& macro, ScopeId scope) {
  for (const Named& parameter : macro.parameters) {
    define(scope, Space::Values, SymbolKind::Argument, parameter);
  }
  define_labels(macro.body, macro.blocks, scope);
}

IndexWalker::BodyScopes IndexWalker::scopes_of(const std::vector<BodySyntax>& body,
                                               const std::vector<BlockSyntax>& blocks,
                                               ScopeId scope) {
  BodyScopes found{.lines = std::vector<ScopeId>(body.size(), scope)};
  std::vector<std::pair<std::uint32_t, ScopeId>> open;  // the block behind each loop around here
  for (std::uint32_t k = 0; k < blocks.size(); ++k) {
    const BlockSyntax& block = blocks[k];
    while (!open.empty() && open.back().first <= k) open.pop_back();
    const ScopeId around = open.empty() ? scope : open.back().second;
    found.blocks.push_back(around);
    if (block.kind != BlockSyntax::Kind::For) continue;
    const ScopeId inside = scopes_.add(around, scopes_.owner(scope));
    define(inside, Space::Values, SymbolKind::Variable, block.variable);
    open.emplace_back(block.behind, inside);
    const auto last = std::min<std::size_t>(block.last_line, body.size());
    for (std::size_t line = block.first_line; line < last; ++line) found.lines[line] = inside;
  }
  return found;
}

void IndexWalker::define_labels(const std::vector<BodySyntax>& body,
                                const std::vector<BlockSyntax>& blocks, ScopeId scope) {
  BodyScopes scopes = scopes_of(body, blocks, scope);
  ScopeId around = scope;
  for (std::size_t k = 0; k < body.size(); ++k) {
    const bool begins_function =
        scope == library_scope_ && body[k].kind == BodySyntax::Kind::Header;
    if (begins_function) around = scopes_.add(scope, body[k].name.text);
    if (scopes.lines[k] == scope) scopes.lines[k] = around;
    if (body[k].kind != BodySyntax::Kind::Label) continue;
    define(scopes.lines[k], Space::Labels, SymbolKind::Label, body[k].name);
  }
  bodies_[&body] = std::move(scopes);
}

std::vector<std::uint32_t> IndexWalker::macros_used_by(const std::vector<BodySyntax>& body) const {
  std::vector<std::uint32_t> used;
  for (const BodySyntax& line : body) {
    if (line.kind != BodySyntax::Kind::Instruction) continue;
    const auto macro = macros_.find(line.name.text);
    if (macro != macros_.end()) used.push_back(macro->second);
  }
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());
  return used;
}

// The macros that are used there, also by other macros.
void IndexWalker::find_users(ScopeId user, const std::vector<std::uint32_t>& used) {
  std::unordered_set<std::uint32_t> seen(used.begin(), used.end());
  std::vector<std::uint32_t> open = used;
  while (!open.empty()) {
    const std::uint32_t macro = open.back();
    open.pop_back();
    users_[macro_scopes_[macro]].push_back(user);
    for (const std::uint32_t callee : callees_[macro]) {
      if (!spend()) return;
      if (seen.insert(callee).second) open.push_back(callee);
    }
  }
}

void IndexWalker::link_to(const Free& free, ScopeId scope) {
  if (!spend() || is_hidden(free.name, free.role, scope)) return;
  if (const auto found = look_up(free.name, scope, free.role)) {
    links_.emplace_back(free.symbol, *found);
  }
}

// Links the name to every program that defines it, whichever is meant.
void IndexWalker::link_everywhere(const Free& free) {
  for (const ScopeId program : program_scopes_) {
    if (!spend()) return;
    const auto found = scopes_.find_in(program, free.role.space, free.name);
    if (found) links_.emplace_back(free.symbol, *found);
  }
}

void IndexWalker::link_free_names() {
  if (free_.empty()) return;
  for (const MacroSyntax& macro : unit_.macros) callees_.push_back(macros_used_by(macro.body));
  for (std::size_t k = 0; k < unit_.programs.size(); ++k) {
    find_users(program_scopes_[k], macros_used_by(unit_.programs[k].body));
  }
  for (const ProgramSyntax& library : unit_.libraries) {
    find_users(shared_scope_, macros_used_by(library.body));
  }
  for (const Free& free : free_) {
    if (free.scope == library_scope_ || free.scope == expect_scope_) {
      link_everywhere(free);
      continue;
    }
    const auto users = users_.find(free.scope);
    if (users == users_.end()) {
      link_to(free, shared_scope_);
      continue;
    }
    for (const ScopeId user : users->second) link_to(free, user);
  }
}

}  // namespace wse::assembler
