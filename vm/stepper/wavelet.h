// A wavelet on its way, packed into one word of the host: queues hold many of them.
//
//     63..34 hops | 33 control | 32 advances | 31..0 data
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
  constexpr std::uint32_t hops() const { return static_cast<std::uint32_t>(bits_ >> kHopsFrom); }
  // Its data are commands, see isa/machine/control_word.h.
  constexpr bool control() const { return (bits_ & kControl) != 0; }
  // The switch of its sender's router advances after it.
  constexpr bool advances() const { return (bits_ & kAdvances) != 0; }

  // Data, and nothing advances: its router needs to know no more of it.
  constexpr bool plain() const { return (bits_ & (kControl | kAdvances)) == 0; }

  constexpr Wavelet with_hop() const { return with_hops(1); }
  // After so many more links.
  constexpr Wavelet with_hops(std::uint32_t links) const {
    return of(bits_ + (std::uint64_t{links} << kHopsFrom));
  }
  constexpr Wavelet without_advance() const { return of(bits_ & ~kAdvances); }
  constexpr Wavelet with_data(std::uint32_t data) const { return of(bits_ >> 32 << 32 | data); }

 private:
  static constexpr int kHopsFrom = 34;
  static constexpr std::uint64_t kControl = std::uint64_t{1} << 33;
  static constexpr std::uint64_t kAdvances = std::uint64_t{1} << 32;

  static constexpr Wavelet of(std::uint64_t bits) {
    Wavelet wavelet;
    wavelet.bits_ = bits;
    return wavelet;
  }

  std::uint64_t bits_ = 0;
};

}  // namespace wse::vm
