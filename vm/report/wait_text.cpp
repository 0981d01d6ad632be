// Words for waits and for the spots at which wavelets are.
#include "vm/report/wait_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/report/control_text.h"
#include "vm/report/doing_text.h"
#include "vm/report/mentions.h"
#include "vm/report/remarks.h"
#include "vm/report/spot_text.h"
#include "vm/report/task_text.h"

namespace wse::vm {
namespace {

using For = Wait::For;

std::string thread_name(std::uint32_t thread) {
  return thread == kMainThread ? "main" : fmt::format("microthread {}", thread - 1);
}

const Core& core_of(const WaitGraph& graph, NodeId id) {
  return graph.scene().cores.core(graph.node(id).pe);
}

std::string fifo_text(const WaitGraph& graph, NodeId id, const Wait& wait) {
  const std::string& name = core_of(graph, id).program->program->fifos[wait.number].name;
  return fmt::format("FIFO {} is {}", name, wait.what == For::FullFifo ? "empty" : "full");
}

// Says who should fill or empty the FIFO.
std::string fifo_partner_text(const Scene& scene, PeId pe, const Wait& wait) {
  const bool pushes = wait.what == For::FullFifo;
  const std::string_view verb = pushes ? "pushes" : "pops";
  const std::optional<std::uint32_t> thread =
      thread_of_fifo(scene.cores.core(pe), wait.number, pushes);
  if (thread) {
    return fmt::format("and {}, which {} it, is stuck itself", thread_name(*thread), verb);
  }
  const std::string lines =
      mentions_text(scene, pe, pushes ? Mention::Pushes : Mention::Pops, wait.number);
  if (lines.empty()) return fmt::format("and nothing {} it", verb);
  return fmt::format("and nothing {} it now ({} does)", verb, lines);
}

// "3 of 4 words"; without a bound, "3 words".
std::string progress_text(const Progress& progress) {
  const std::uint64_t all = progress.of.value_or(progress.words);
  const std::string what = progress.control ? wavelets_text(all) : words_text(all);
  const std::string moved = progress.of ? fmt::format("{} of ", progress.words) : "";
  return moved + what;
}

// "3 of 4"; without a bound, "3".
std::string share_text(const Progress& progress) {
  return progress.of ? fmt::format("{} of {}", progress.words, *progress.of)
                     : fmt::format("{}", progress.words);
}

// "received 3 of 4 words of red (8 before)"; without a bound, how many came.
std::string received_text(const WaitGraph& graph, NodeId id, std::uint32_t colour) {
  const WaitGraph::Node& node = graph.node(id);
  const Progress progress = received(graph.scene(), {node.pe, node.thread}, colour);
  const std::uint64_t before = taken(graph.scene(), node.pe, colour) - progress.words;
  return fmt::format("received {} of {}{}", progress_text(progress),
                     graph.scene().image.colour_name(colour),
                     before > 0 ? fmt::format(" ({} before)", before) : "");
}

// Says what else the instruction waits for.
std::string end_text(const WaitGraph& graph, NodeId id, std::uint32_t colour) {
  const WaitGraph::Node& node = graph.node(id);
  const Progress progress = received(graph.scene(), {node.pe, node.thread}, colour);
  return progress.ends_by_control ? " for more, or for a control wavelet that ends it" : "";
}

std::string sent_text(const WaitGraph& graph, NodeId id, std::uint32_t colour) {
  const WaitGraph::Node& node = graph.node(id);
  const Progress progress = sending(graph.scene(), {node.pe, node.thread}, colour);
  return fmt::format("sent {} of {}", progress_text(progress),
                     graph.scene().image.colour_name(colour));
}

// The colours of which the waits of the node say what is in the down-ramp, as bits.
std::uint32_t colours_said(const WaitGraph& graph, NodeId id) {
  std::uint32_t said = 0;
  for (const Wait& wait : graph.waits(id)) {
    const bool says = wait.what == For::UnblockedColour || wait.what == For::BehindData;
    if (says) said |= 1u << wait.number;
  }
  return said;
}

std::uint32_t pc_of(const WaitGraph& graph, NodeId id) {
  const Core& core = core_of(graph, id);
  for (const InFlight& f : core.in_flight) {
    if (f.thread() == graph.node(id).thread) return f.pc();
  }
  return main_pc(core);
}

bool has_no_task(const WaitGraph& graph, NodeId id) {
  return graph.node(id).thread == kMainThread && core_of(graph, id).main == Core::Main::Free;
}

// Returns whether a wait of the node says already which task of the PE would move the switch.
bool says_kept_task(const WaitGraph& graph, NodeId id) {
  const PeId pe = graph.node(id).pe;
  return std::ranges::any_of(graph.waits(id), [&](const Wait& wait) {
    return wait.mover == pe &&
           !kept_task_text(graph.scene(), pe, Mention::Controls, wait.number).empty();
  });
}

}  // namespace

std::string place_text(const WaitGraph& graph, NodeId id) {
  if (has_no_task(graph, id)) return "no task";
  const isa::Program& program = *core_of(graph, id).program->program;
  const std::uint32_t pc = pc_of(graph, id);
  const std::string place = graph.scene().image.place_text(program.line_of(pc));
  return place.empty() ? fmt::format("word {} of {}", pc, program.shown_name()) : place;
}

std::string name_text(const WaitGraph& graph, NodeId id) {
  const WaitGraph::Node& node = graph.node(id);
  const std::string pe = pe_text(graph.scene().mesh, node.pe);
  return node.thread == kMainThread ? pe : pe + " " + thread_name(node.thread);
}

std::string reason_text(const WaitGraph& graph, NodeId id, const Wait& wait) {
  const std::string colour = graph.scene().image.colour_name(wait.number);
  const ThreadId thread{graph.node(id).pe, graph.node(id).thread};
  switch (wait.what) {
    case For::Input:
      return colour + ", " + share_text(received(graph.scene(), thread, wait.number));
    case For::TaskInput:
      return fmt::format("{}, {}", colour, taken(graph.scene(), thread.pe, wait.number));
    case For::Output:
      return fmt::format("room on {}, {}", colour,
                         share_text(sending(graph.scene(), thread, wait.number)));
    case For::FullFifo:
    case For::EmptyFifo: return fifo_text(graph, id, wait);
    case For::Microthread: return fmt::format("end of microthread {}", wait.number);
    case For::Save: return fmt::format("position from microthread {}", wait.number);
    case For::Completion: return "task " + task_name(core_of(graph, id), wait.number);
    case For::UnblockedTask:
      return fmt::format("task {} is blocked", task_name(core_of(graph, id), wait.number));
    case For::UnblockedColour: return colour + " is blocked";
    case For::Control: return "control wavelet on " + colour;
    case For::BehindData: return "control wavelet behind data on " + colour;
  }
  return {};
}

std::string wait_text(const WaitGraph& graph, NodeId id, std::uint32_t index) {
  const Wait& wait = graph.waits(id)[index - graph.first_wait(id)];
  const Core& core = core_of(graph, id);
  const std::string colour = graph.scene().image.colour_name(wait.number);
  const PeId pe = graph.node(id).pe;
  switch (wait.what) {
    case For::Input:
      return fmt::format("{} and waits{}: {}{}", received_text(graph, id, wait.number),
                         end_text(graph, id, wait.number), spot_text(graph, id, index),
                         dropped_text(graph.scene(), pe, wait.number));
    case For::Output:
      return fmt::format("{} and cannot continue: {}", sent_text(graph, id, wait.number),
                         spot_text(graph, id, index));
    case For::FullFifo:
    case For::EmptyFifo:
      return fmt::format("waits: {}, {}", fifo_text(graph, id, wait),
                         fifo_partner_text(graph.scene(), pe, wait));
    case For::Microthread: return fmt::format("waits for microthread {}", wait.number);
    case For::Save:
      return fmt::format("waits for the position that microthread {} writes back", wait.number);
    case For::Completion: {
      const WaitGraph::Node& partner = graph.node(graph.partners(index).front());
      return fmt::format("task {} waits for {}", task_name(core, wait.number),
                         thread_name(partner.thread));
    }
    case For::TaskInput:
      return fmt::format("task {} has taken {} of {} and waits: {}{}", task_name(core, wait.number),
                         words_text(taken(graph.scene(), pe, wait.number)), colour,
                         spot_text(graph, id, index), dropped_text(graph.scene(), pe, wait.number));
    case For::UnblockedTask:
    case For::UnblockedColour:
    case For::Control:
    case For::BehindData: return task_wait_text(graph.scene(), pe, wait);
  }
  return {};
}

std::string remarks_text(const WaitGraph& graph, NodeId id) {
  const PeId pe = graph.node(id).pe;
  std::string out;
  if (has_no_task(graph, id)) out += starts_text(graph.scene(), pe);
  if (graph.node(id).thread == kMainThread && !says_kept_task(graph, id)) {
    out += kept_text(graph.scene(), pe);
  }
  if (graph.is_first_of_pe(id)) {
    out += remarks_text(graph.scene(), pe, colours_said(graph, id));
  }
  return out;
}

std::string node_text(const WaitGraph& graph, NodeId id) {
  const WaitGraph::Node& node = graph.node(id);
  const std::string pe = pe_text(graph.scene().mesh, node.pe);
  std::string waits;
  for (std::uint32_t k = graph.first_wait(id); k < graph.first_wait(id + 1); ++k) {
    waits += (waits.empty() ? "" : "; ") + wait_text(graph, id, k);
  }
  const std::string rest = remarks_text(graph, id);
  const bool starts = graph.scene().moves && graph.is_about_to_start(id);
  if (has_no_task(graph, id) && !starts) {
    return fmt::format("{} has no task to run: {}{}", pe,
                       waits.empty() ? "none is activated" : waits, rest);
  }
  if (waits.empty() && graph.scene().moves) {
    const std::string doing = doing_text(graph.scene(), {node.pe, node.thread});
    return fmt::format("{} ({}) {}", pe, thread_name(node.thread),
                       starts ? "is about to start a task" : doing);
  }
  return fmt::format("{} ({}) at {} {}{}", pe, thread_name(node.thread), place_text(graph, id),
                     waits.empty() ? "stands still" : waits, rest);
}

}  // namespace wse::vm
