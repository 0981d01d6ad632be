// The rules of the house as functions from files to violations; lint_tree() applies them all.
// Rules read text only: no compiler, no git, no network.
// Must never change a file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace wse::lint {

struct Violation {
  std::string file;  // relative to the root
  size_t line = 1;
  std::string message;
};

struct TextFile {
  std::string path;  // relative to the root, with '/'
  std::vector<std::string> lines;
};

using Violations = std::vector<Violation>;

// Includes: rooted, only from the rooms a room may see, no circles. (layers.cpp)
void check_layers(const std::vector<TextFile>& files, Violations& violations);

// Lua's require in scripts/: only floors below, no circles, no missing modules. (lua_layers.cpp)
void check_lua_layers(const std::vector<TextFile>& files, Violations& violations);

// Lengths, white space, opening comments, words. (text_rules.cpp)
void check_text(const TextFile& file, Violations& violations);

// What only one place may do. (reserved.cpp)
void check_reserved(const TextFile& file, Violations& violations);

// Classes of vm/ have one job each. (class_rules.cpp)
void check_classes(const TextFile& file, Violations& violations);

// Comments have a subject, but for a few of a folder. (comment_rules.cpp)
void check_comments(const std::vector<TextFile>& files, Violations& violations);
// Returns how many sentences of comments in the file have none.
std::size_t headless_sentences(const TextFile& file);

// Files of C++ that pages name exist. (page_rules.cpp)
void check_pages(const std::vector<TextFile>& files, Violations& violations);

// Names at the top, a README per folder. (tree_rules.cpp)
void check_tree(const std::filesystem::path& root, Violations& violations);

// The text files of a checkout that git does not ignore.
std::vector<TextFile> read_tree(const std::filesystem::path& root);

// Every rule on every file, sorted by place.
Violations lint_tree(const std::filesystem::path& root);

// Whether the path ends in one of C++'s or the scanner's endings.
bool is_cpp(const std::string& path);

// A letter, a digit or an underscore.
bool is_word_character(char c);

}  // namespace wse::lint
