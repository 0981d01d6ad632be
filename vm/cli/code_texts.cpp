// One lock for the files of all threads.
#include "vm/cli/code_texts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <span>

#include "isa/support/output_file.h"

namespace wse::cli {
namespace {

// A name that no region has.
constexpr const char* kProbe = ".wsevm-probe";

isa::OpenFile open(const std::string& folder) { return isa::open_folder(AT_FDCWD, folder, true); }

std::expected<void, isa::FileError> write_text(const std::string& folder, const std::string& name,
                                               std::string_view text, isa::InputList& inputs) {
  const std::string shown = (std::filesystem::path(folder) / name).string();
  isa::OpenFile at = open(folder);
  struct stat status{};
  if (!at.valid()) return isa::file_failure(shown, "write", errno);
  const bool known = ::fstatat(at.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (known && !S_ISREG(status.st_mode)) {
    return std::unexpected(isa::FileError{
        fmt::format("cannot write '{}': it is no regular file; remove it first", shown)});
  }
  auto file = isa::OutputFile::open_in(std::move(at), name, shown, inputs);
  if (!file) return std::unexpected(file.error());
  auto written = file->write(std::as_bytes(std::span(text)));
  return written ? file->commit() : written;
}

Outcome<void> check_folder(const char* option, const std::string& folder, isa::InputList& inputs) {
  std::error_code error;
  if (folder.empty()) return {};
  if (!std::filesystem::is_directory(folder, error)) {
    return failure(fmt::format("{}: {} is no folder; make it first", option, folder));
  }
  const std::string shown = (std::filesystem::path(folder) / kProbe).string();
  const auto probe = isa::OutputFile::open_in(open(folder), kProbe, shown, inputs);
  if (probe) return {};
  const Failure why = failure(probe.error()).error();
  return std::unexpected(Failure{fmt::format("{}: {}", option, why.message), why.code});
}

}  // namespace

struct CodeTexts::Shared {
  std::mutex mutex;
  isa::InputList* inputs = nullptr;  // null: the object is gone
  std::expected<void, isa::FileError> written;

  void write(const std::string& folder, const std::string& name, std::string_view text) {
    const std::lock_guard lock(mutex);
    if (inputs != nullptr && written) written = write_text(folder, name, text, *inputs);
  }
};

CodeTexts::CodeTexts(const EngineSource& source, isa::InputList& inputs)
    : source_(source), shared_(std::make_shared<Shared>()) {
  shared_->inputs = &inputs;
}

CodeTexts::~CodeTexts() {
  const std::lock_guard lock(shared_->mutex);
  shared_->inputs = nullptr;
}

Outcome<void> CodeTexts::check() const {
  Outcome<void> fine = check_folder("--dump-ir", source_.ir_folder, *shared_->inputs);
  if (fine) fine = check_folder("--dump-asm", source_.assembly_folder, *shared_->inputs);
  return fine;
}

jit::KeepText CodeTexts::keep_ir() const {
  if (source_.ir_folder.empty()) return {};
  return [shared = shared_, folder = source_.ir_folder](
             const std::string& name, std::string_view text) { shared->write(folder, name, text); };
}

jit::KeepText CodeTexts::keep_assembly() const {
  if (source_.assembly_folder.empty()) return {};
  return [shared = shared_, folder = source_.assembly_folder](
             const std::string& name, std::string_view text) { shared->write(folder, name, text); };
}

void CodeTexts::lock() const { shared_->mutex.lock(); }

void CodeTexts::unlock() const { shared_->mutex.unlock(); }

std::expected<void, isa::FileError> CodeTexts::written() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->written;
}

}  // namespace wse::cli
