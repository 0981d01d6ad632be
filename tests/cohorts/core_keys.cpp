// Hashes, field by field.
#include "tests/cohorts/core_keys.h"

namespace wse::cohorts {
namespace {

class Hash {
 public:
  template <class... Values>
  void add(Values... values) {
    (mix(static_cast<std::uint64_t>(values)), ...);
  }
  void add_place(const void* place) { mix(reinterpret_cast<std::uintptr_t>(place)); }
  std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x9fb21c651e98df25u;
    value_ ^= value_ >> 29;
  }

  std::uint64_t value_ = 0x2545f4914f6cdd1du;
};

CoreKey key_of(const isa::Descriptor& d) {
  const isa::FabricOptions& options = d.options;
  Hash shape;
  shape.add(d.kind, d.length, d.stride, d.saves, d.further, d.position);
  shape.add(options.packed, options.control, options.advance, options.indexed, options.endless,
            options.on_control);
  for (const auto& inner : d.inner) shape.add(inner.extent, inner.stride);
  Hash all;
  all.add(shape.value(), d.colour, d.address, d.index, d.task, d.fifo, d.ring);
  return {shape.value(), all.value()};
}

// Cycles until then; 0: it is over.
vm::Cycle ahead(vm::Cycle when, vm::Cycle now) {
  if (when == vm::kNever) return when;
  return when > now ? when - now : 0;
}

void add_in_flight(const vm::InFlight& f, vm::Cycle now, Hash& shape, Hash& all) {
  const vm::Plan& plan = *f.plan;
  const vm::Flow& flow = plan.flow;
  shape.add(plan.pc, plan.thread, f.length, ahead(f.finish, now), f.drain, f.is_timer,
            f.stalls_ahead, flow.cycles_per_issue, flow.elements_per_issue, flow.group,
            flow.gap_cycles);
  all.add(plan.receives, plan.sends, f.is_timer != 0 ? 0 : f.completes);
}

}  // namespace

const CoreKey& CoreKeys::shared(const isa::Descriptor& descriptor) {
  Hash place;
  place.add_place(&descriptor);
  Known& known = known_[place.value() % known_.size()];
  if (known.descriptor != &descriptor) known = {&descriptor, key_of(descriptor)};
  return known.key;
}

CoreKey CoreKeys::of(const vm::Core& core, const isa::Succession& after, vm::Cycle now) {
  using Main = vm::Core::Main;
  Hash shape;
  Hash all;
  const bool resumes =
      core.main == Main::Computing || core.main == Main::Trapping || core.main == Main::Vector;
  shape.add_place(core.program);
  shape.add(core.state.pc, core.main, core.main == Main::Waiting ? core.awaited : 0,
            core.is_mid_stretch, core.task, resumes ? ahead(core.resume, now) : 0);
  shape.add(core.burst_cycle == now ? core.burst : 0, core.ids.activated_at_last(),
            core.ids.blocked_at_last());
  all.add_place(core.state.view);
  for (const vm::InFlight& f : core.in_flight) add_in_flight(f, now, shape, all);
  shape.add(ahead(after.drained, now), ahead(after.settled, now), ahead(after.same_from, now),
            ahead(after.others_from, now));
  if (core.state.d != nullptr) {
    for (std::size_t number = 0; number < isa::kDescriptorRegisters; ++number) {
      const isa::Descriptor* const there = core.state.d->shared(number);
      const CoreKey key = there != nullptr ? shared(*there) : key_of((*core.state.d)[number]);
      shape.add(key.by_program);
      all.add(key.by_instance);
    }
  }
  all.add(shape.value());
  return {shape.value(), all.value()};
}

}  // namespace wse::cohorts
