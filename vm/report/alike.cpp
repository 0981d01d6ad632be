// A list of numbers for each thread; threads with equal lists are alike.
#include "vm/report/alike.h"

#include <map>
#include <unordered_map>

#include "vm/report/task_text.h"

namespace wse::vm {
namespace {

using Traits = std::vector<std::uint64_t>;

constexpr std::size_t kMostClasses = 4096;

struct TraitsHash {
  std::size_t operator()(const Traits& traits) const {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, word by word
    for (const std::uint64_t trait : traits) hash = (hash ^ trait) * 0x100000001b3u;
    return hash ^ hash >> 32;
  }
};

class TraitsOf {
 public:
  explicit TraitsOf(const WaitGraph& graph) : graph_(graph), s_(graph.scene()) {
    for (const isa::Program& program : s_.image.programs) {
      const std::string& name = program.shown_name();
      const auto [known, is_new] =
          families_.try_emplace(name.substr(0, name.find('(')), sources_.size());
      sources_.push_back(known->second);
    }
  }

  // Returns the traits of the thread, valid until the next call.
  const Traits& operator()(NodeId id) {
    traits_.clear();
    const WaitGraph::Node& node = graph_.node(id);
    const Core& core = s_.cores.core(node.pe);
    add(source_of(core));
    add(node.thread);
    add(node.serves);
    add(node.issued);
    add_place(node, core);
    for (std::uint32_t wait = graph_.first_wait(id); wait < graph_.first_wait(id + 1); ++wait) {
      add_wait(node.pe, graph_.waits(id)[wait - graph_.first_wait(id)]);
    }
    if (node.thread == kMainThread) add_tasks(core);
    if (graph_.is_first_of_pe(id)) add_untaken(node.pe);
    return traits_;
  }

 private:
  void add(std::uint64_t trait) { traits_.push_back(trait); }
  template <class Enum>
  void add_kind(Enum kind) {
    add(static_cast<std::uint64_t>(kind));
  }

  // Returns the number of the program in the source, of which several may have been made.
  std::uint64_t source_of(const Core& core) const { return sources_[core.program->number]; }

  void add_place(const WaitGraph::Node& node, const Core& core) {
    add_kind(core.main);
    std::uint32_t pc = main_pc(core);
    for (const InFlight& f : core.in_flight) {
      if (f.thread() != node.thread) continue;
      pc = f.pc();
      add(f.is_unbounded() ? kNoBound : f.plan->length());
    }
    if (core.main == Core::Main::Free && node.thread == kMainThread) return;
    const isa::SourceLine line = core.program->program->line_of(pc);
    add(line.line == 0 ? std::uint64_t{core.program->number} << 32 | pc
                       : std::uint64_t{line.file} << 32 | line.line);
  }

  void add_wait(PeId pe, const Wait& wait) {
    add_kind(wait.what);
    add(wait.number);
    const bool is_fabric = wait.what == Wait::For::Input || wait.what == Wait::For::Output ||
                           wait.what == Wait::For::TaskInput;
    if (!is_fabric) return;
    add_kind(wait.spot.why);
    add_kind(wait.spot.side);
    add(wait.spot.pe == pe);
    add(wait.mover ? s_.loaded.program_at(*wait.mover) != nullptr : 2);
    const ChannelId own = s_.channels.find(pe, wait.number);
    add_words(own);
    add(s_.transport.dropped(own));
    add_partner(wait.spot.pe, wait);
    if (wait.mover) add_core(*wait.mover);
  }

  // Adds who should act: what it runs, how far it is with the colour, how its switch stands.
  void add_partner(PeId pe, const Wait& wait) {
    add_core(pe);
    const ChannelId id = s_.channels.find(pe, wait.number);
    if (id == kNoChannel) return;
    const ChannelState channel = s_.transport.channel(id);
    add_words(id);
    add(channel.position);
    add(channel.torn_down);
    const History::Switching past = s_.history.switching(id);
    add(past.controls);
    add(past.idle_controls);
    for_each_port(s_.mesh.ports(),
                  [&](isa::Port side) { add(s_.queued(channel, input_queue(side))); });
  }

  void add_core(PeId pe) {
    const LoadedProgram* program = s_.loaded.program_at(pe);
    add(program == nullptr ? ~std::uint64_t{0} : sources_[program->number]);
    if (program != nullptr) add_kind(s_.cores.core(pe).main);
  }

  void add_words(ChannelId id) {
    const History::Words words = s_.history.words(id);
    add(std::uint64_t{words.taken} << 32 | words.sent);
  }

  void add_tasks(const Core& core) {
    add(core.ids.activated_at_last());
    add(core.ids.blocked_at_last());
    if (core.main != Core::Main::Free) return;
    add(core.program->number);
    for (std::uint32_t k = 0; k < core.program->counted_tasks(); ++k) {
      add(s_.history.runs(core.first_run + k));
    }
  }

  void add_untaken(PeId pe) {
    for (ChannelId id = s_.channels.first(pe); id < s_.channels.first(pe + 1); ++id) {
      const std::uint32_t waiting = s_.transport.queued(id, QueuePort::DownRamp);
      if (waiting > 0) add(std::uint64_t{s_.transport.channel(id).colour} << 32 | waiting);
    }
    const std::size_t fifos = s_.loaded.program_at(pe)->program->fifos.size();
    for (std::uint32_t k = 0; k < fifos; ++k) add(s_.transport.refused(pe, k));
  }

  const WaitGraph& graph_;
  const Scene& s_;
  std::map<std::string, std::uint64_t> families_;  // numbers of names in the source
  std::vector<std::uint64_t> sources_;             // by number of the program
  Traits traits_;
};

}  // namespace

Alike::Alike(const WaitGraph& graph) : graph_(graph) {
  std::unordered_map<Traits, NodeId, TraitsHash> classes;
  TraitsOf traits_of(graph);
  first_.reserve(graph.nodes());
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    const Traits& traits = traits_of(id);
    const auto known = classes.find(traits);
    if (known != classes.end()) {
      first_.push_back(known->second);
      continue;
    }
    first_.push_back(id);
    if (classes.size() < kMostClasses) classes.emplace(traits, id);
  }
}

std::vector<PeId> Alike::places(NodeId id) const {
  std::vector<PeId> places;
  for (NodeId other = first_[id]; other < first_.size(); ++other) {
    if (first_[other] == first_[id]) places.push_back(graph_.node(other).pe);
  }
  return places;
}

}  // namespace wse::vm
