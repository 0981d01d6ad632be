// Objects that come and go and stay where they are meanwhile, without the heap once there were as
// many at a time as there ever are.
#pragma once

#include <deque>
#include <vector>

namespace wse::vm {

template <class T>
class ObjectPool {
 public:
  // As made by T{}.
  T* take() {
    if (free_.empty()) return &all_.emplace_back();
    T* const object = free_.back();
    free_.pop_back();
    *object = T{};
    return object;
  }
  // Takes back an object of this pool.
  void give_back(T* object) { free_.push_back(object); }

 private:
  std::deque<T> all_;  // never moves them
  std::vector<T*> free_;
};

}  // namespace wse::vm
