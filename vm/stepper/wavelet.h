// A wavelet on its way, packed into one word of the host: queues hold many of them.
//
//     63 control | 62 advances | 61..32 hops | 31..0 data
#pragma once

#include <cstdint>

namespace wse::vm {

class Wavelet {
 public:
  Wavelet() = default;
  constexpr explicit Wavelet(std::uint32_t data, bool control = false, bool advances = false)
      : bits_(data | (control ? kControl : 0) | (advances ? kAdvances : 0)) {}

  constexpr std::uint32_t data() const { return static_cast<std::uint32_t>(bits_); }
  // Links since its injection.
  constexpr std::uint32_t hops() const {
    return static_cast<std::uint32_t>(bits_ >> 32) & kMostHops;
  }
  // Its data are commands, see isa/control_word.h.
  constexpr bool control() const { return (bits_ & kControl) != 0; }
  // The switch of its sender's router advances behind it.
  constexpr bool advances() const { return (bits_ & kAdvances) != 0; }

  constexpr Wavelet with_hop() const { return of((bits_ & ~kHops) | ((bits_ + kHop) & kHops)); }
  constexpr Wavelet without_advance() const { return of(bits_ & ~kAdvances); }
  constexpr Wavelet with_data(std::uint32_t data) const { return of(bits_ >> 32 << 32 | data); }

 private:
  static constexpr std::uint64_t kControl = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kAdvances = std::uint64_t{1} << 62;
  static constexpr std::uint32_t kMostHops = (1u << 30) - 1;
  static constexpr std::uint64_t kHop = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kHops = kHop * kMostHops;

  static constexpr Wavelet of(std::uint64_t bits) {
    Wavelet wavelet;
    wavelet.bits_ = bits;
    return wavelet;
  }

  std::uint64_t bits_ = 0;
};

}  // namespace wse::vm
