/* The tokens that the parser of tree-sitter makes of files, as print_tokens writes those of the scanner: LINE COLUMN LENGTH KIND.
   A node that is no token, such as ERROR, is written with its own name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_wsa(void);

static const char *kind_of(const char *type) {
  static const char *const same[] = {"comment", "pragma", "string", "float", "integer", "directive", "punctuation"};
  static const char *const names[] = {"header", "mnemonic", "function", "constant", "port",
                                      "type", "clause", "option", "register", "name"};
  for (unsigned k = 0; k < sizeof same / sizeof *same; ++k) {
    if (strcmp(type, same[k]) == 0) return type;
  }
  for (unsigned k = 0; k < sizeof names / sizeof *names; ++k) {
    if (strcmp(type, names[k]) == 0) return "name";
  }
  return strncmp(type, "bad_", 4) == 0 || strcmp(type, "open_string") == 0 ? "error" : type;
}

static char *read_file(const char *name, uint32_t *size) {
  FILE *file = fopen(name, "rb");
  if (!file) exit(2);
  char *text = malloc(1 << 24);
  *size = (uint32_t)fread(text, 1, 1 << 24, file);
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_wsa())) return 3;
  for (int k = 1; k < argc; ++k) {
    uint32_t size;
    char *text = read_file(argv[k], &size);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, size);
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    printf("%s\n", argv[k]);
    for (bool more = ts_tree_cursor_goto_first_child(&cursor); more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
      const TSNode node = ts_tree_cursor_current_node(&cursor);
      const TSPoint at = ts_node_start_point(node);
      printf("%u %u %u %s\n", at.row + 1, at.column + 1, ts_node_end_byte(node) - ts_node_start_byte(node), kind_of(ts_node_type(node)));
    }
    ts_tree_cursor_delete(&cursor);
    ts_tree_delete(tree);
    free(text);
  }
  ts_parser_delete(parser);
  return 0;
}
