// Loads once, whoever comes first.
#include "jit/lazy_compiler.h"

#include <atomic>
#include <mutex>
#include <optional>

#include "jit/load_compiler.h"

namespace wse::jit {
namespace {

class LazyCompiler : public Compiler {
 public:
  explicit LazyCompiler(CompilerOptions options) : options_(std::move(options)) {}

  isa::Result<std::string> identity() override {
    return with([](Compiler& loaded) { return loaded.identity(); });
  }
  isa::Result<Translation> translate(const CompileJob& job) override {
    return with([&](Compiler& loaded) { return loaded.translate(job); });
  }
  isa::Result<CompiledRegion> link(const Object& object) override {
    return with([&](Compiler& loaded) { return loaded.link(object); });
  }
  isa::Result<Seal> seal(const isa::Secret& secret, std::span<const std::byte> bytes) override {
    return with([&](Compiler& loaded) { return loaded.seal(secret, bytes); });
  }
  // While it is being loaded, too.
  void abandon() override {
    abandoned_ = true;
    if (Compiler* const loaded = ready_) loaded->abandon();
  }

 private:
  template <class Use>
  std::invoke_result_t<Use, Compiler&> with(Use use) {
    std::call_once(once_, [this] { load(); });
    if (!*loaded_) return std::unexpected(loaded_->error());
    return use(***loaded_);
  }

  void load() {
    if (abandoned_) {
      loaded_ = isa::fail("it is no longer wanted");
      return;
    }
    loaded_ = load_compiler(options_);
    if (!*loaded_) return;
    ready_ = (*loaded_)->get();
    if (abandoned_) (**loaded_)->abandon();
  }

  const CompilerOptions options_;
  std::once_flag once_;
  std::optional<isa::Result<std::unique_ptr<Compiler>>> loaded_;
  std::atomic<Compiler*> ready_ = nullptr;  // the one that is loaded
  std::atomic<bool> abandoned_ = false;
};

}  // namespace

std::unique_ptr<Compiler> make_lazy_compiler(const CompilerOptions& options) {
  return std::make_unique<LazyCompiler>(options);
}

}  // namespace wse::jit
