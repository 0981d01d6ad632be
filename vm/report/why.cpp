// One class of threads after the other.
#include "vm/report/why.h"

#include <algorithm>
#include <map>

#include "vm/report/alike.h"
#include "vm/report/explain.h"
#include "vm/report/wait_text.h"

namespace wse::vm {

std::vector<ThreadClass> thread_classes(const Scene& scene,
                                        const std::function<bool(PeId pe)>& wanted, bool all) {
  const WaitGraph graph(scene);
  const Alike alike(graph);
  std::map<NodeId, std::size_t> known;  // by the first of its class
  std::vector<ThreadClass> classes;
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    const WaitGraph::Node& node = graph.node(id);
    if (!wanted(node.pe)) continue;
    const bool is_done = scene.cores.is_done(node.pe, scene.now);
    if (is_done && !all) continue;
    const auto [at, is_new] = known.try_emplace(alike.first(id), classes.size());
    if (is_new) {
      classes.push_back({.first = {node.pe, node.thread},
                         .waits = !graph.waits(id).empty(),
                         .text = node_text(graph, id)});
    }
    classes[at->second].places.push_back(node.pe);
  }
  for (ThreadClass& one : classes) one.text.insert(0, class_text(scene, one.places));
  std::ranges::stable_partition(classes, &ThreadClass::waits);
  return classes;
}

}  // namespace wse::vm
