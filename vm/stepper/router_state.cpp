// Makes what few channels have.
#include "vm/stepper/router_state.h"

namespace wse::vm {

ChannelExtra& RouterState::make_extra(ChannelId channel) {
  Channel& owner = channels_[channel];
  if (owner.extra == kNoExtra) {
    owner.extra = static_cast<std::uint32_t>(extras_.size());
    extras_.emplace_back();
    channels_.update_plain(owner);
    stand(owner);
  }
  return extras_[owner.extra];
}

}  // namespace wse::vm
