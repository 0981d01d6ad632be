// One clause for each oddity; at most a few of them.
#include "vm/report/remarks.h"

#include <fmt/format.h>

#include "vm/report/control_text.h"
#include "vm/report/mentions.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownColours = 3;

// Says who should take the words that are there, and why nobody does.
std::string taker_text(const Scene& scene, const ChannelState& channel) {
  if (scene.loaded.program_at(channel.pe) == nullptr) return ", which has no program";
  const Core& core = scene.cores.core(channel.pe);
  if ((core.tasks->data() & id_bit(channel.colour)) != 0) {
    const bool blocked = (core.ids.blocked_at_last() & id_bit(channel.colour)) != 0;
    return fmt::format(" for task {}, which {}", task_name(core, channel.colour),
                       blocked                           ? "is blocked"
                       : core.main == Core::Main::Halted ? "cannot run after the halt"
                                                         : "cannot start while another one runs");
  }
  const std::string lines = mentions_text(scene, channel.pe, Mention::Receives, channel.colour);
  if (!lines.empty()) {
    return fmt::format(", received {}at {}", scene.moves ? "" : "only ", lines);
  }
  if (may_receive(scene, channel.pe, channel.colour)) return {};
  return fmt::format(", and {} never receives {}", program_text(scene, channel.pe),
                     scene.image.colour_name(channel.colour));
}

std::string untaken_text(const Scene& scene, const Untaken& here) {
  const ChannelState channel = scene.transport.channel(here.channel);
  const StandingWavelet head = scene.first_in(channel);
  return fmt::format("; {} of {}{} {} here {}{}", words_text(here.words),
                     scene.image.colour_name(channel.colour), origin_text(scene, channel, head),
                     here.words == 1 ? "waits" : "wait", scene.moves ? "already" : "untaken",
                     taker_text(scene, channel));
}

// The places after the first.
std::string others_text(const Scene& scene, std::span<const PeId> places) {
  if (places.size() == 1) return {};
  return ", and others at " + places_text(scene.mesh, places.subspan(1));
}

}  // namespace

std::string remarks_text(const Scene& scene, PeId pe, std::uint32_t said) {
  std::string out;
  std::size_t colours = 0;
  for (const ChannelState& channel : scene.channels_of(pe)) {
    if ((said >> channel.colour & 1) != 0) continue;
    const auto here = untaken(scene, scene.channels.find(pe, channel.colour));
    if (here && ++colours <= kShownColours) out += untaken_text(scene, *here);
  }
  if (colours > kShownColours) {
    out += fmt::format("; words of {} more colours do too", colours - kShownColours);
  }
  return out + refused_text(scene, pe);
}

std::string refused_text(const Scene& scene, PeId pe) {
  const LoadedProgram* program = scene.loaded.program_at(pe);
  if (program == nullptr) return {};
  std::string out;
  const std::vector<isa::Fifo>& fifos = program->program->fifos;
  for (std::uint32_t k = 0; k < fifos.size(); ++k) {
    const std::uint64_t refused = scene.transport.refused(pe, k);
    if (refused == 0) continue;
    const std::string lines = mentions_text(scene, pe, Mention::Pushes, k);
    out += fmt::format("; at {} {} element{} found FIFO {} full and {} not pushed{}",
                       pe_text(scene.mesh, pe), refused, refused == 1 ? "" : "s", fifos[k].name,
                       refused == 1 ? "was" : "were", lines.empty() ? "" : " (" + lines + ")");
  }
  return out;
}

std::string dropped_text(const Scene& scene, PeId pe, std::uint32_t colour) {
  const ChannelId id = scene.channels.find(pe, colour);
  if (id == kNoChannel) return {};
  const ChannelState channel = scene.transport.channel(id);
  const std::uint64_t dropped = scene.transport.dropped(channel.id);
  if (dropped == 0) return {};
  const std::uint64_t came = dropped + taken(scene, pe, colour) + waiting_words(scene, channel);
  const std::string place = filter_place(scene, pe, colour);
  return fmt::format("; the filter here{} dropped {} of the {} that came",
                     place.empty() ? "" : " (" + place + ")", dropped, words_text(came));
}

std::string strays_text(const Scene& scene, const Strays& strays, std::uint32_t colour) {
  const std::optional<Untaken>& first = strays.first(colour);
  if (!first) return {};
  const ChannelState channel = scene.transport.channel(first->channel);
  return fmt::format("; {} of {}{} {} untaken at {}{}{}", words_text(first->words),
                     scene.image.colour_name(colour),
                     origin_text(scene, channel, scene.first_in(channel)),
                     first->words == 1 ? "waits" : "wait", pe_text(scene.mesh, channel.pe),
                     taker_text(scene, channel), others_text(scene, strays.places(colour)));
}

std::string controls_text(std::uint64_t count, const std::string& colour) {
  return fmt::format("{} control wavelet{} of {}", count, count == 1 ? "" : "s", colour);
}

std::string waiting_text(const Scene& scene, ChannelId id, isa::Port side) {
  const ChannelState channel = scene.transport.channel(id);
  const std::string colour = scene.image.colour_name(channel.colour);
  const std::uint32_t size = scene.queued(channel, input_queue(side));
  std::uint32_t controls = 0;
  std::uint32_t before = 0;  // the first of them
  StandingWavelet first = scene.transport.wavelet(id, input_queue(side), 0);
  for (std::uint32_t k = 0; k < size; ++k) {
    const StandingWavelet wavelet = scene.transport.wavelet(id, input_queue(side), k);
    if (wavelet.control && controls++ == 0) first = wavelet;
    if (controls == 0) ++before;
  }
  const std::uint32_t waiting = controls > 0 ? controls : size;
  const std::string what =
      controls > 0 ? controls_text(controls, colour) : wavelets_text(size) + " of " + colour;
  const bool is_input = channel.current() != nullptr && channel.current()->rx == side;
  return fmt::format("{}{} {} at the {} side of {}{}{}", what,
                     origin_text(scene, channel, side, first), waiting == 1 ? "waits" : "wait",
                     isa::text(side), pe_text(scene.mesh, channel.pe),
                     controls == 0 || before == 0 ? "" : " behind " + wavelets_text(before),
                     is_input ? "" : ", " + who_takes(*channel.routing, side));
}

std::string holders_text(const Scene& scene, const Strays& strays, std::uint32_t colour) {
  const std::optional<HeldSide>& first = strays.first_held(colour);
  if (!first) return {};
  return "; " + waiting_text(scene, first->channel, first->side) +
         others_text(scene, strays.holders(colour));
}

std::string who_takes(const isa::Routing& routing, isa::Port side) {
  for (std::size_t k = 0; k < routing.positions.size(); ++k) {
    if (routing.positions[k].rx == side) return fmt::format("which position {} takes", k);
  }
  return "which no position of this colour takes";
}

}  // namespace wse::vm
