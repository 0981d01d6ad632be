// The fabric: in every cycle, every router looks at every colour.
//
// A cycle is begin_cycle(), then what processors do to the ramps, then step(), then end_cycle().
// Queues tell what was in them at the start of the cycle, so that nothing depends on the order in
// which routers and processors are visited. Must never skip a router because nothing seems to be
// due: only those are left out that no wavelet can ever reach.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "tests/oracle/outcome.h"

namespace wse::oracle {

struct Wavelet {
  std::uint32_t word = 0;
  bool control = false;
  bool advance = false;        // the last one of a send that advances its own router's switch
  std::uint32_t distance = 0;  // links crossed so far
  std::uint64_t message = 0;   // the number of its message; 0: it came by a stream
  Cycle visible = 0;           // first cycle in which it can be the head
};

class Queue {
 public:
  std::size_t depth = 0;

  void begin_cycle() {
    was_full_ = size_before_ >= depth;
    has_left_ = left_;
    size_before_ = wavelets_.size();
    most_ = std::max(most_, size_before_);
    left_ = false;
  }
  // Both tell of the cycle before.
  bool was_full() const { return was_full_; }
  bool has_left() const { return has_left_; }  // a wavelet
  // The most that were in it at the end of a cycle; the last one may have ended just now.
  std::size_t most() const { return std::max(most_, wavelets_.size()); }
  bool empty_before() const { return size_before_ == 0; }
  bool has_room() const { return size_before_ < depth; }
  bool empty() const { return wavelets_.empty(); }
  const std::vector<Wavelet>& wavelets() const { return wavelets_; }  // from the head
  std::size_t size() const { return wavelets_.size(); }
  std::size_t data() const {  // without control wavelets
    return static_cast<std::size_t>(std::ranges::count(wavelets_, false, &Wavelet::control));
  }
  bool waits_for_time(Cycle now) const { return !empty() && wavelets_.front().visible > now; }

  // The first wavelet, if it was there visibly at the start of the cycle and has not left since.
  const Wavelet* head(Cycle now) const {
    const bool there = size_before_ > 0 && !left_ && wavelets_.front().visible <= now;
    return there ? &wavelets_.front() : nullptr;
  }
  void push(const Wavelet& wavelet) { wavelets_.push_back(wavelet); }
  Wavelet pop() {
    const Wavelet first = wavelets_.front();
    wavelets_.erase(wavelets_.begin());
    left_ = true;
    return first;
  }

 private:
  std::vector<Wavelet> wavelets_;  // few, so that taking the first one is cheap
  std::size_t size_before_ = 0;
  std::size_t most_ = 0;
  bool left_ = false;
  bool was_full_ = false;
  bool has_left_ = false;
};

struct FilterSetting {
  isa::FilterShape shape;
  std::array<std::uint32_t, isa::kMaxFilterValues>
      values{};  // in the order of isa/machine/filter.h

  bool operator==(const FilterSetting&) const = default;
};

// The settings of a channel that decide where its wavelets go.
struct Setting {
  std::uint32_t position = 0;
  bool torn_down = false;
  FilterSetting filter{};
  std::uint32_t counter = 0;  // of the filter
  std::uint32_t limit = 0;    // of the filter

  bool operator==(const Setting&) const = default;
};

// One colour at one router.
struct Channel {
  isa::Routing routing;  // without positions: no route here
  std::uint32_t position = 0;
  bool torn_down = false;
  std::optional<Cycle> torn_down_in;  // the cycle whose command did it, until the handler saw it
  FilterSetting filter;
  std::uint32_t counter = 0;   // of the filter
  std::uint32_t limit = 0;     // of the filter
  std::vector<Queue> arrived;  // by port; Ramp: the up-ramp
  Queue down;                  // the down-ramp
  Passage passage;
  Setting before;            // at the start of the cycle
  bool has_changed = false;  // since the start of the cycle before

  void begin_cycle();
  void set_filter(const FilterSetting& setting);
  void set_position_by(std::uint32_t command);  // 1 next position, 2 first position
  bool empty_before() const;                    // all queues, at the start of the cycle
};

// The end of a stream at one router of the edge, as if another router was behind that side.
struct StreamEnd {
  std::uint32_t pe = 0;
  isa::Port side = isa::Port::West;
  std::uint32_t colour = 0;
  bool enters = false;
  bool halves = false;  // elements of 16 bits
  Cycle free_from = 0;  // entering: of the link behind the edge
  std::size_t stream = 0;
  std::size_t next = 0;  // element of the stream's words
  std::size_t end = 0;
};

using StreamWords = std::vector<std::vector<std::uint32_t>>;  // by stream; PEs row by row

class Routers {
 public:
  // `words`: what enters; streams that leave have none yet.
  Routers(const isa::Image& image, const isa::Profile& profile, StreamWords words,
          Outcome& outcome);

  std::uint32_t colours() const { return colours_; }
  // PEs where a wavelet or a program can ever be, ascending.
  const std::vector<std::uint32_t>& reached() const { return reached_; }
  // The number of the next message, from 1 on.
  std::uint64_t new_message() { return ++messages_; }
  Channel& channel(std::uint32_t pe, std::uint32_t colour) {
    return channels_[places_[pe] * colours_ + colour];
  }

  void begin_cycle();
  void step(Cycle now);
  // What processors ask for in this cycle acts from the next one, in the order in which they asked.
  void later(std::function<void()> change) { changes_.push_back(std::move(change)); }
  // The switch moves on, if there is where to.
  void advance(std::uint32_t pe, std::uint32_t colour);
  void end_cycle();

  bool moved() const { return moved_; }  // anything, in this cycle
  bool waits_for_time(Cycle now) const;  // something will be visible later
  void report();                         // the counters of the whole run, into the outcome

 private:
  struct Move {
    std::uint32_t pe;
    std::uint32_t colour;
    std::uint32_t targets;  // a mask of ports
    bool passes_filter = false;
    bool seen_by_filter = false;
  };
  // The way out over a port.
  struct Link {
    std::uint64_t load = 0;
    Cycle free_from = 0;
    std::optional<Cycle> taken_until;  // by the last wavelet
  };
  void load(const isa::Image& image, const isa::Profile& profile);
  void reach(const isa::Image& image);
  template <class Act>
  void for_each_channel(Act act) {
    for (const std::uint32_t pe : reached_) {
      for (std::uint32_t colour = 0; colour < colours_; ++colour) {
        act(pe, colour, channel(pe, colour));
      }
    }
  }
  void open_streams(const isa::Image& image);
  void enter(StreamEnd& from, Cycle now);
  StreamEnd* stream_out(const Move& move, std::uint32_t port);  // null: none
  std::optional<isa::Trap> refuses(const Move& move, const Wavelet& wavelet);
  void leave(const Wavelet& wavelet, const Move& move, std::uint32_t port);
  void step_router(std::uint32_t pe, Cycle now);
  Move plan(std::uint32_t pe, std::uint32_t colour, const Wavelet& head);
  std::optional<std::uint32_t> beside(std::uint32_t pe, std::uint32_t port) const;
  Queue* target(std::uint32_t pe, std::uint32_t port, std::uint32_t colour);  // null: off the grid
  Link& link(std::uint32_t pe, std::uint32_t port) { return links_[places_[pe] * ports_ + port]; }
  bool has_links(const Move& move, Cycle now);
  bool has_room(const Move& move);
  void note(const Move& move, const Queue& from, Cycle now);
  void make(const Move& move, Cycle now);
  void note_cuts(const Move& move, const Wavelet& wavelet);
  void obey(Channel& channel, Wavelet& wavelet, Cycle now);
  void count_filter(Channel& channel, const Wavelet& wavelet);
  void deliver(Wavelet wavelet, const Move& move, std::uint32_t port, Cycle now);

  const isa::Profile& profile_;
  Outcome& outcome_;
  std::uint32_t width_;
  std::uint32_t height_;
  std::uint32_t ports_;  // of a router; those of a hypercube are after those of a mesh
  std::uint32_t colours_;
  std::vector<Channel> channels_;  // by place and colour
  std::vector<std::uint32_t> reached_;
  std::vector<std::size_t> places_;  // in reached_, by PE
  StreamWords words_;
  std::vector<StreamEnd> stream_ends_;
  std::vector<Link> links_;  // by place and port; of the ramp: what the PE got
  std::vector<std::function<void()>> changes_;
  std::uint64_t messages_ = 0;
  bool moved_ = false;
};

}  // namespace wse::oracle
