// Ties what scripts call to arrays, memory and pages.
#include "vm/front/script_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "isa/support/visible.h"
#include "jit/load_compiler.h"
#include "jit/object_cache.h"
#include "ranks/load_ranks.h"
#include "vm/front/array_files.h"
#include "vm/front/data_folder.h"
#include "vm/front/memory_fit.h"
#include "vm/page/page.h"
#include "vm/profile/collect.h"
#include "vm/support/host_memory.h"

namespace wse::front {
namespace fs = std::filesystem;
namespace {

isa::Status set_array_of(vm::Machine& machine, const std::string& name, const std::string& file,
                         std::span<const std::byte> bytes) {
  const auto array = numpy::parse_npy({bytes.begin(), bytes.end()});
  if (!array) return isa::fail(fmt::format("{}: {}", file, array.error()));
  const Outcome<void> set = set_array(machine, name, file, *array);
  if (!set) return isa::fail(set.error().message);
  return {};
}

isa::Result<std::vector<std::byte>> array_file(const vm::Machine& machine,
                                               const std::string& name) {
  const Outcome<numpy::NpyArray> array = read_array(machine, name);
  if (!array) return isa::fail(array.error().message);
  return numpy::format_npy(*array);
}

}  // namespace

std::vector<script::CodePlace> code_places_of(const EngineSource& source) {
  std::vector<script::CodePlace> places;
  for (const fs::path& folder : jit::module_folders()) {
    places.push_back({folder.string(), "wsevm or its compiler"});
  }
  for (const fs::path& folder : ranks::module_folders()) {
    places.push_back({folder.string(), "wsevm or what speaks to other ranks"});
  }
  if (!source.cache_folder.empty()) {
    places.push_back({source.cache_folder, "objects of compiled code"});
  }
  if (const fs::path secrets = jit::ObjectCache::secret_folder(); !secrets.empty()) {
    places.push_back(
        {secrets.string(), "the secret that seals objects of compiled code", true, true});
  }
  return places;
}

std::string page_name(const std::string& file) {
  return file == "-" ? "stdin" : std::filesystem::path(file).stem().string();
}

isa::Result<std::string> script_page(const std::string& file,
                                     const std::vector<script::ReportedRun>& runs,
                                     const std::string& title, const script::ReportModel& model) {
  std::vector<vm::Profile> profiles;
  for (const script::ReportedRun& run : runs) {
    auto profile = vm::collect_profile(run.machine, run.machine.record(), {file, {}, nullptr});
    if (!profile) {
      return isa::fail(fmt::format("run '{}': {}; wse.run{{profile = true}} keeps one", run.name,
                                   profile.error()));
    }
    profiles.push_back(std::move(*profile));
  }
  std::vector<vm::PageRun> pages;
  for (std::size_t k = 0; k < runs.size(); ++k) pages.push_back({runs[k].name, &profiles[k]});
  return vm::report_page(pages, {title, vm::kPageBytes, model});
}

script::Options script_options(const ProgramSource& source, const std::string& path) {
  script::Options options;
  options.file = isa::visible_line(source.file);
  options.path = path;
  options.arguments = source.values;
  options.data_folder = data_folder().string();
  options.include_folders = source.include_folders;
  options.code_places = code_places_of(source.engine);
  options.defaults.warnings = source.warnings;
  options.threads = source.threads;
  options.transport = *vm::transport_named(source.transport);
  options.cohorts = source.cohorts == "on";
  options.fits = [limit = source.max_memory, transport = options.transport](
                     const isa::Image& image, const isa::Profile& profile, std::uint32_t processes,
                     std::uint32_t ranks) -> isa::Status {
    const Outcome<void> fits = fits_into_memory(image, profile, limit, transport, processes, ranks);
    if (!fits) return isa::fail(fits.error().message);
    return {};
  };
  options.held_machine_bytes = source.max_memory.value_or(vm::host_memory_bytes());
  options.set_array = set_array_of;
  options.format_array = array_file;
  options.format_report = [file = options.file](const std::vector<script::ReportedRun>& runs,
                                                const std::string& title,
                                                const script::ReportModel& model) {
    return script_page(file, runs, title, model);
  };
  return options;
}

}  // namespace wse::front
