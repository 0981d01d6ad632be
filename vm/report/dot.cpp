// Writes nodes and edges one by one; the order is that of the PEs.
#include "vm/report/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "vm/report/choice.h"
#include "vm/report/wait_text.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownNodes = 300;

// As it is written between double quotes.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

// Returns the text with a line break in the place of each "; ".
std::string in_lines(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool begins = text.substr(k).starts_with("; ");
    out += begins ? '\n' : text[k];
    if (begins) ++k;
  }
  return out;
}

class DotWriter {
 public:
  explicit DotWriter(const Scene& scene)
      : graph_(scene), loop_(graph_.shortest_loop()), choice_(choose(graph_, loop_, kShownNodes)) {
    for (std::size_t k = 0; k < loop_.nodes.size(); ++k) {
      in_loop_.emplace(loop_.nodes[k], loop_.nodes[(k + 1) % loop_.nodes.size()]);
    }
  }

  std::string text(std::string_view title) {
    std::string note(title);
    if (choice_.left_out > 0) {
      note += fmt::format("\n{} more threads are stuck and not shown", choice_.left_out);
    }
    if (!loop_.shortest) note += "\nthere may be a shorter circle than the bold one";
    out_ = fmt::format("digraph waits {{\n  label=\"{}\";\n  labelloc=t;\n", quoted(note));
    for (const NodeId id : choice_.nodes) write_node(id);
    for (const NodeId id : choice_.nodes) {
      for (std::uint32_t wait = graph_.first_wait(id); wait < graph_.first_wait(id + 1); ++wait) {
        write_wait(id, wait);
      }
    }
    return out_ + "}\n";
  }

 private:
  void write_node(NodeId id) {
    const bool bold = std::ranges::find(loop_.nodes, id) != loop_.nodes.end();
    out_ += fmt::format("  n{} [label=\"{}\\n{}{}\"{}];\n", id, quoted(name_text(graph_, id)),
                        quoted(place_text(graph_, id)), quoted(in_lines(remarks_text(graph_, id))),
                        bold ? ", style=bold" : "");
  }

  void write_wait(NodeId id, std::uint32_t wait) {
    const std::string reason =
        quoted(reason_text(graph_, id, graph_.waits(id)[wait - graph_.first_wait(id)]));
    if (graph_.partners(wait).empty()) {
      out_ += fmt::format("  w{} [shape=box, label=\"{}\"];\n", wait,
                          quoted(wait_text(graph_, id, wait)));
      out_ += fmt::format("  n{} -> w{} [label=\"{}\", style=dashed];\n", id, wait, reason);
    }
    for (const NodeId partner : graph_.partners(wait)) {
      if (!std::ranges::binary_search(choice_.nodes, partner)) continue;
      const bool bold = in_loop_.contains({id, partner});
      out_ += fmt::format("  n{} -> n{} [label=\"{}\"{}];\n", id, partner, reason,
                          bold ? ", style=bold" : "");
    }
  }

  WaitGraph graph_;
  Loop loop_;
  Choice choice_;
  std::set<std::pair<NodeId, NodeId>> in_loop_;
  std::string out_;
};

}  // namespace

std::string deadlock_as_dot(const Scene& scene, std::string_view title) {
  return DotWriter(scene).text(title);
}

std::string empty_dot(std::string_view title) {
  return fmt::format("digraph waits {{\n  label=\"{}\";\n  labelloc=t;\n}}\n", quoted(title));
}

}  // namespace wse::vm
