// The rules once, and each grammar's way to write them.
#include "vm/cli/lsp/grammars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "asm/words.h"
#include "vm/cli/lsp/json.h"

namespace wse::lsp {
namespace {

using assembler::WordKind;

constexpr std::string_view kEndOfName = "(?![A-Za-z0-9_])";

// The name of a rule in each grammar. Vim's groups link to those that every scheme colours.
struct Names {
  std::string_view rule;
  std::string_view textmate;
  std::string_view pygments;
  std::string_view vim;
};
constexpr Names kNames[] = {
    {"pragma", "keyword.control.pragma", "Comment.Preproc", "PreProc"},
    {"comment", "comment.line.semicolon", "Comment.Single", "Comment"},
    {"string", "string.quoted.double", "String.Double", "String"},
    {"open_string", "invalid.illegal.string", "Error", "Error"},
    {"float", "constant.numeric.float", "Number.Float", "Float"},
    {"integer", "constant.numeric.integer", "Number.Integer", "Number"},
    {"bad_number", "invalid.illegal.number", "Error", "Error"},
    {"directive", "keyword.control.directive", "Keyword.Namespace", "PreProc"},
    {"header", "storage.type.header", "Keyword.Declaration", "Structure"},
    {"mnemonic", "support.function.instruction", "Keyword", "Statement"},
    {"function", "support.function.builtin", "Name.Builtin", "Function"},
    {"constant", "constant.language", "Keyword.Constant", "Constant"},
    {"port", "constant.other.port", "Name.Constant", "Constant"},
    {"type", "storage.type", "Keyword.Type", "Type"},
    {"clause", "keyword.other.clause", "Keyword.Reserved", "Keyword"},
    {"option", "variable.parameter.option", "Name.Attribute", "Identifier"},
    {"register", "variable.language.register", "Name.Variable.Magic", "Identifier"},
    {"name", "variable.other", "Name", ""},
    {"punctuation", "keyword.operator", "Punctuation", "Operator"},
    {"bad_bytes", "invalid.illegal.character", "Error", "Error"},
};

const Names& names_of(std::string_view rule) {
  return *std::ranges::find(kNames, rule, &Names::rule);
}

GrammarRule words_of(std::string_view name, WordKind kind) {
  GrammarRule rule{.name = name, .pattern = "", .is_of_words = true};
  for (const assembler::LanguageWord& word : assembler::language_words()) {
    if (word.kind == kind) rule.words.push_back(word.word);
  }
  rule.pattern = fmt::format("(?:{}){}", fmt::join(rule.words, "|"), kEndOfName);
  return rule;
}

std::string vim_group(std::string_view rule) {
  std::string group = "wsa";
  bool is_first = true;
  for (const char c : rule) {
    if (c == '_') {
      is_first = true;
      continue;
    }
    group += is_first ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = false;
  }
  return group;
}

// Returns the pattern of Vim for a rule that is no list of words; empty for a plain name.
std::string_view vim_pattern(std::string_view rule) {
  constexpr std::pair<std::string_view, std::string_view> kPatterns[] = {
      {"pragma", R"(;!.*$)"},
      {"comment", R"(;\%(!\)\@!.*$)"},
      {"string", R"("\%([^"\\]\|\\.\)*")"},
      {"float", R"(\<\d\+\%(\.\d\+\%([eE][+-]\?\d\+\)\?\|[eE][+-]\?\d\+\)\>)"},
      {"integer", R"(\<\%(0x\x\+\|0b[01]\+\|\d\+\)\>)"},
      {"directive", R"(\.\@1<!\.\h\w*)"},
      {"register", R"(\<[rd]\%(0\|[1-9]\d*\)\>)"},
  };
  const auto* const found =
      std::ranges::find(kPatterns, rule, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kPatterns) ? std::string_view() : found->second;
}

}  // namespace

std::vector<GrammarRule> grammar_rules() {
  std::vector<GrammarRule> rules;
  const auto add = [&rules](std::string_view name, std::string_view pattern) {
    rules.push_back({name, std::string(pattern)});
  };
  add("pragma", R"(;![^\n]*)");
  add("comment", R"(;[^\n]*)");
  add("string", R"("(?:[^"\\\n]|\\[^\n])*")");
  add("open_string", R"("(?:[^"\\\n]|\\[^\n])*\\?)");
  add("float", R"((?:[0-9]+\.[0-9]+(?:[eE][+\-]?[0-9]+)?|[0-9]+[eE][+\-]?[0-9]+)(?![A-Za-z0-9_]))");
  add("integer", R"((?:0x[0-9A-Fa-f]+|0b[01]+|[0-9]+)(?![A-Za-z0-9_]))");
  add("bad_number", R"([0-9]+(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?[A-Za-z0-9_]+)");
  add("directive", R"(\.[A-Za-z_][A-Za-z0-9_]*)");
  rules.push_back(words_of("header", WordKind::Header));
  rules.push_back(words_of("mnemonic", WordKind::Mnemonic));
  rules.push_back(words_of("function", WordKind::Function));
  rules.push_back(words_of("constant", WordKind::Constant));
  rules.push_back(words_of("port", WordKind::Port));
  rules.push_back(words_of("type", WordKind::Type));
  rules.push_back(words_of("clause", WordKind::Clause));
  rules.push_back(words_of("option", WordKind::Option));
  add("register", R"([rd](?:0|[1-9][0-9]*)(?![A-Za-z0-9_]))");
  rules.back().is_of_words = true;
  add("name", "[A-Za-z_][A-Za-z0-9_]*");
  add("punctuation", R"(->|\.\.|==|!=|<=|>=|<<|>>|&&|\|\||[()\[\]{},:=<>+\-*/%&|^~!?.])");
  add("bad_bytes", R"([^ \t\r\n\f\v])");
  return rules;
}

std::string textmate_grammar() {
  nlohmann::ordered_json grammar;
  grammar["$schema"] =
      "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json";
  grammar["name"] = "wsa";
  grammar["scopeName"] = "source.wsa";
  grammar["fileTypes"] = {"wsa"};
  grammar["patterns"] = nlohmann::ordered_json::array();
  for (const GrammarRule& rule : grammar_rules()) {
    nlohmann::ordered_json pattern;
    pattern["name"] = fmt::format("{}.wsa", names_of(rule.name).textmate);
    pattern["match"] = rule.pattern;
    grammar["patterns"].push_back(pattern);
  }
  return grammar.dump(2) + "\n";
}

std::string vim_syntax() {
  std::string text =
      "\" Generated by the test lsp.Grammars of the tables of the language.\n"
      "if exists(\"b:current_syntax\")\n  finish\nendif\n\n"
      "syn case match\nsyn iskeyword @,48-57,_\n\n";
  std::string links;
  const std::vector<GrammarRule> rules = grammar_rules();
  for (const GrammarRule& rule : rules | std::views::reverse) {  // the last that fits wins
    const std::string group = vim_group(rule.name);
    const std::string_view pattern = vim_pattern(rule.name);
    if (rule.words.empty() && pattern.empty()) continue;
    if (!pattern.empty()) text += fmt::format("syn match {} /{}/\n", group, pattern);
    for (std::size_t k = 0; k < rule.words.size(); k += 8) {
      const auto end = std::min(k + 8, rule.words.size());
      const std::vector<std::string> line(rule.words.begin() + static_cast<std::ptrdiff_t>(k),
                                          rule.words.begin() + static_cast<std::ptrdiff_t>(end));
      text += fmt::format("syn keyword {} {}\n", group, fmt::join(line, " "));
    }
    links += fmt::format("hi def link {} {}\n", group, names_of(rule.name).vim);
  }
  return text + "\n" + links + "\nlet b:current_syntax = \"wsa\"\n";
}

std::string pygments_lexer() {
  std::string text =
      "# Generated by the test lsp.Grammars of the tables of the language.\n"
      "\"\"\"A lexer of Pygments for .wsa: pygmentize -x -l wsa_lexer.py:WsaLexer FILE.wsa\"\"\"\n"
      "from pygments.lexer import RegexLexer\n"
      "from pygments.token import (Comment, Error, Keyword, Name, Number, Punctuation, String,\n"
      "                            Whitespace)\n\n\n"
      "class WsaLexer(RegexLexer):\n"
      "    name = \"wsa\"\n"
      "    aliases = [\"wsa\"]\n"
      "    filenames = [\"*.wsa\"]\n"
      "    tokens = {\n"
      "        \"root\": [\n"
      "            (r\"[ \\t\\r\\n\\f\\v]+\", Whitespace),\n";
  for (const GrammarRule& rule : grammar_rules()) {
    std::string pattern = rule.pattern;
    text += fmt::format("            (r'''{}''', {}),\n", pattern, names_of(rule.name).pygments);
  }
  return text + "        ]\n    }\n";
}

}  // namespace wse::lsp
