// Loads once, whoever comes first.
#include "jit/lazy_compiler.h"

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
  isa::Result<Object> translate(const CompileJob& job) override {
    return with([&](Compiler& loaded) { return loaded.translate(job); });
  }
  isa::Result<CompiledRegion> link(const Object& object) override {
    return with([&](Compiler& loaded) { return loaded.link(object); });
  }
  void abandon() override {
    std::call_once(once_, [this] { loaded_ = isa::fail("nobody wants it any more"); });
    if (*loaded_) (**loaded_)->abandon();
  }

 private:
  template <class Use>
  std::invoke_result_t<Use, Compiler&> with(Use use) {
    std::call_once(once_, [this] { loaded_ = load_compiler(options_); });
    if (!*loaded_) return std::unexpected(loaded_->error());
    return use(***loaded_);
  }

  const CompilerOptions options_;
  std::once_flag once_;
  std::optional<isa::Result<std::unique_ptr<Compiler>>> loaded_;
};

}  // namespace

std::unique_ptr<Compiler> make_lazy_compiler(const CompilerOptions& options) {
  return std::make_unique<LazyCompiler>(options);
}

}  // namespace wse::jit
