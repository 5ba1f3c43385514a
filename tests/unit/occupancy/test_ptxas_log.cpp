#include "base/text_file.h"
#include "occupancy/ptxas_log.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace smsim;

namespace {

std::shared_ptr<const SourceText> reference(const std::string& name)
{
  Diagnostics diagnostics;
  auto source =
      read_text_file(std::string(SMSIM_SOURCE_DIR "/tests/reference/") + name, 1U << 20U, diagnostics);
  REQUIRE_MESSAGE(source, diagnostics.text());
  return source;
}

/// The kernels of a log that must have no errors.
std::vector<PtxasKernel> kernels_of(const std::shared_ptr<const SourceText>& source)
{
  Diagnostics diagnostics;
  auto kernels = parse_ptxas_log(source, diagnostics);
  CHECK(diagnostics.text() == "");
  return kernels;
}

std::vector<PtxasKernel> kernels_of(std::string_view text)
{
  return kernels_of(make_source("build.log", text));
}

/// The one kernel of a log.
PtxasKernel kernel_of(std::string_view text)
{
  const auto kernels = kernels_of(text);
  REQUIRE(kernels.size() == 1);
  return kernels[0];
}

std::string errors_of(std::string_view text)
{
  Diagnostics diagnostics;
  parse_ptxas_log(make_source("build.log", text), diagnostics);
  return diagnostics.text();
}

const PtxasKernel& find(const std::vector<PtxasKernel>& kernels, const std::string& name,
                        const std::string& target)
{
  for (const PtxasKernel& kernel : kernels)
    if (kernel.name == name && kernel.target == target) return kernel;
  FAIL("no kernel " << name << " for " << target);
  return kernels.front();
}

/// Registers, barriers, shared; frame, spill stores, spill loads; cumulative stack, local, constant (bytes).
std::string figures(const PtxasKernel& kernel)
{
  const auto text = [](const auto& value) { return value ? std::to_string(*value) : std::string("none"); };
  return std::to_string(kernel.registers) + " " + text(kernel.barriers) + " " +
         std::to_string(kernel.static_shared_bytes) + "; " + text(kernel.stack_frame_bytes) + " " +
         text(kernel.spill_store_bytes) + " " + text(kernel.spill_load_bytes) + "; " +
         std::to_string(kernel.cumulative_stack_bytes) + " " + std::to_string(kernel.local_bytes) + " " +
         std::to_string(kernel.constant_bytes());
}

constexpr const char* entry_line = "ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_90'\n";

}  // namespace

TEST_CASE("a log of CUDA 13 gives every kernel for every architecture, in the log's order")
{
  const auto kernels = kernels_of(reference("ptxas_v_cuda13.log"));
  REQUIRE(kernels.size() == 30);
  const std::vector<std::string> targets{"sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"};
  const std::vector<std::string> capabilities{"7.5", "8.0", "8.6", "9.0", "10.0", "12.0"};
  const std::vector<std::string> names{"_Z6cappedPfi", "_Z4tilePf", "_Z9fma_chainILi96EEvPfi",
                                       "_Z9fma_chainILi32EEvPfi", "_Z9fma_chainILi4EEvPfi"};
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    CHECK(kernels[i].target == targets[i / names.size()]);
    CHECK(kernels[i].compute_capability == capabilities[i / names.size()]);
    CHECK(kernels[i].name == names[i % names.size()]);
    CHECK_FALSE(kernels[i].linked);
  }
  CHECK(kernels[2].demangled_name == "void fma_chain<96>(float*, int)");
}

TEST_CASE("registers, barriers, stack and spills of the CUDA 13 log are those of its lines read one by one")
{
  const auto source = reference("ptxas_v_cuda13.log");
  const auto kernels = kernels_of(source);
  std::size_t used = 0;
  std::size_t stacks = 0;
  for (std::size_t i = 0; i < source->lines.size(); ++i) {
    const char* line = source->lines[i].c_str();
    unsigned a = 0, b = 0, c = 0;
    if (std::sscanf(line, "ptxas info    : Used %u registers, used %u barriers", &a, &b) == 2) {
      REQUIRE(used < kernels.size());
      CHECK(kernels[used].registers == a);
      CHECK(kernels[used].barriers == b);
      CHECK(kernels[used].where.line == static_cast<int>(i) + 1);
      ++used;
    } else if (std::sscanf(line, " %u bytes stack frame, %u bytes spill stores, %u bytes", &a, &b, &c) == 3) {
      REQUIRE(stacks < kernels.size());
      CHECK(kernels[stacks].stack_frame_bytes == a);
      CHECK(kernels[stacks].spill_store_bytes == b);
      CHECK(kernels[stacks].spill_load_bytes == c);
      ++stacks;
    }
  }
  CHECK(used == 30);
  CHECK(stacks == 30);
}

TEST_CASE("shared memory, cumulative stack and constant banks of the CUDA 13 log are read where given")
{
  const auto kernels = kernels_of(reference("ptxas_v_cuda13.log"));
  for (const PtxasKernel& kernel : kernels) {
    const bool is_tile = kernel.name == "_Z4tilePf";
    const bool is_capped = kernel.name == "_Z6cappedPfi";
    const bool is_old = kernel.target == "sm_75" || kernel.target == "sm_80" || kernel.target == "sm_86";
    CHECK(kernel.static_shared_bytes == (is_tile ? 4224 : 0));
    CHECK(kernel.cumulative_stack_bytes == (is_capped ? (is_old ? 128 : 120) : 0));
    CHECK(kernel.constant_bytes() == (is_old ? (is_tile ? 360 : 364) : 0));
    CHECK(kernel.constant_banks.size() == (is_old ? 1 : 0));
  }
}

TEST_CASE("a log of CUDA 9 has no barriers, and a called function's spills are not the kernel's")
{
  const auto kernels = kernels_of(reference("ptxas_cuda9.log"));
  REQUIRE(kernels.size() == 4);
  const PtxasKernel& reduce = find(kernels, "_Z6reduceILi256EEvPKfPfi", "sm_35");
  CHECK(reduce.compute_capability == "3.5");
  CHECK(figures(reduce) == "15 none 1024; 0 0 0; 0 0 348");
  REQUIRE(reduce.constant_banks.size() == 2);
  CHECK(reduce.constant_banks[1].bank == 2);
  const std::string integrate = "_Z9integratePdPKdi";
  CHECK(figures(find(kernels, integrate, "sm_35")) == "255 none 8192; 144 20 24; 440 0 380");
  CHECK(figures(find(kernels, integrate, "sm_70")) == "128 none 8192; 152 0 0; 448 0 408");
}

TEST_CASE("the linker's figures replace the compiler's of the same architecture and keep the spills")
{
  const auto kernels = kernels_of(reference("ptxas_cuda10_nvlink.log"));
  REQUIRE(kernels.size() == 2);
  CHECK(figures(find(kernels, "_Z7stencilPfS_i", "sm_52")) == "30 none 2048; 0 4 8; 0 0 340");
  CHECK(figures(find(kernels, "_Z7stencilPfS_i", "sm_70")) == "32 none 2048; 0 0 0; 48 0 380");
  CHECK(kernels[0].linked);
  CHECK(kernels[0].where.line == 14);
}

TEST_CASE("a kernel that calls into another file takes the linker's registers, barriers and shared memory")
{
  const auto kernels = kernels_of(reference("ptxas_cuda13_rdc.log"));
  REQUIRE(kernels.size() == 4);
  const PtxasKernel& gather = find(kernels, "_Z6gatherPf", "sm_80");
  CHECK(gather.linked);
  CHECK(figures(gather) == "44 1 1024; 0 0 0; 120 0 360");
  const PtxasKernel& unlinked = find(kernels, "_ZN5stage5applyIf2OpEEvPT_T0_", "sm_80");
  CHECK_FALSE(unlinked.linked);
  CHECK(figures(unlinked) == "24 1 0; 0 0 0; 0 0 361");
  CHECK(unlinked.demangled_name == "void stage::apply<float, Op>(float*, Op)");
}

TEST_CASE("the driver's reserve that the linker counts for 9.0 is not the kernel's shared memory")
{
  const auto kernels = kernels_of(reference("ptxas_cuda13_rdc.log"));
  CHECK(find(kernels, "_Z6gatherPf", "sm_90a").static_shared_bytes == 1024);  // the linker wrote 2048
  const std::string linked = "nvlink info    : Function properties for 'f':\n"
                             "nvlink info    : used 10 registers, 0 stack, 3584 bytes smem, 0 bytes lmem\n";
  PtxasKernel on_90 = kernel_of(linked);
  CHECK(on_90.static_shared_bytes == 3584);
  assume_compute_capability(on_90, "9.0");
  CHECK(on_90.static_shared_bytes == 2560);
  assume_compute_capability(on_90, "9.0");
  CHECK(on_90.static_shared_bytes == 2560);
  PtxasKernel on_120 = kernel_of(linked);
  assume_compute_capability(on_120, "12.0");
  CHECK(on_120.static_shared_bytes == 3584);

  // A linker that counts nothing: less than the kernel has by itself cannot be.
  const PtxasKernel compiled =
      kernel_of(std::string(entry_line) + "ptxas info    : Used 10 registers, 1536 bytes smem\n" +
                "nvlink info    : Function properties for '_Z4tilePf':\n"
                "nvlink info    : used 12 registers, 0 stack, 1536 bytes smem\n");
  CHECK(compiled.registers == 12);
  CHECK(compiled.static_shared_bytes == 1536);
}

TEST_CASE("a log of the linker alone says nothing of spills")
{
  const PtxasKernel kernel =
      kernel_of("nvlink info    : 0 bytes gmem\n"
                "nvlink info    : Function properties for '_Z6gatherPf':\n"
                "nvlink info    : used 44 registers, used 1 barriers, 120 stack, 1024 bytes smem, "
                "360 bytes cmem[0], 16 bytes lmem\n");
  CHECK(kernel.demangled_name == "gather(float*)");
  CHECK(kernel.target == "");
  CHECK(figures(kernel) == "44 1 1024; none none none; 120 16 360");
}

TEST_CASE("names that went through c++filt are kept, with their spaces, commas, templates and quotes")
{
  const auto kernels = kernels_of(reference("ptxas_demangled.log"));
  REQUIRE(kernels.size() == 7);
  const PtxasKernel& lambda =
      find(kernels, "void ns::k<float, main::{lambda(float)#1}>(float*, main::{lambda(float)#1})", "sm_75");
  CHECK(lambda.demangled_name == lambda.name);
  CHECK(figures(lambda) == "10 1 512; 0 0 0; 0 0 361");
  const PtxasKernel& with_op = find(kernels, "void ns::k<float, Op>(float*, Op)", "sm_90a");
  CHECK(with_op.compute_capability == "9.0");
  CHECK(figures(with_op) == "27 1 512; 80 0 0; 80 0 0");
  const PtxasKernel& quoted = find(
      kernels, "void scan<(char)39, main::'lambda'(int, int)>(int*, main::'lambda'(int, int))", "sm_100f");
  CHECK(quoted.compute_capability == "10.0");
  CHECK(figures(quoted) == "56 2 2304; 16 12 20; 16 0 0");
}

TEST_CASE("remarks of ptxas between a kernel's lines, and a place before them, do not matter")
{
  const auto kernels = kernels_of(reference("ptxas_cuda12.log"));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].demangled_name == "gemm(__half const*, __half const*, float*)");
  CHECK(kernels[0].target == "sm_90a");
  CHECK(figures(kernels[0]) == "168 9 1024; 56 52 60; 56 0 0");
}

TEST_CASE("lines that other tools put something in front of are read all the same")
{
  SUBCASE("Visual Studio, with Windows line ends")
  {
    const PtxasKernel kernel =
        kernel_of("1>  ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_50'\r\n"
                  "1>  ptxas info    : Function properties for _Z4tilePf\r\n"
                  "1>      296 bytes stack frame, 176 bytes spill stores, 312 bytes spill loads\r\n"
                  "1>  ptxas info    : Used 55 registers, 41480 bytes smem, 324 bytes cmem[0]\r\n");
    CHECK(figures(kernel) == "55 none 41480; 296 176 312; 0 0 324");
    CHECK(kernel.where.column == 21);
  }
  SUBCASE("the assembler's place in a PTX file")
  {
    const PtxasKernel kernel =
        kernel_of("a.ptx, line 12; info    : Compiling entry function 'f' for 'sm_20'\n"
                  "a.ptx, line 12; info    : Used 7 registers\n");
    CHECK(kernel.name == "f");
    CHECK(kernel.compute_capability == "2.0");
    CHECK(kernel.registers == 7);
  }
  SUBCASE("the driver's compiler")
  {
    const PtxasKernel kernel =
        kernel_of("ptxas info    : Compiling entry function 'f' for 'sm_121'\n"
                  "ptxas info    : Function properties for f\n"
                  "ptxas         .     224 bytes stack frame, 284 bytes spill stores, 532 bytes spill loads\n"
                  "ptxas info    : Used 24 registers\n"
                  "info    : Function properties for 'f':\n"
                  "info    : used 26 registers, 224 stack, 0 bytes smem, 0 bytes lmem\n");
    CHECK(figures(kernel) == "26 none 0; 224 284 532; 224 0 0");
  }
}

TEST_CASE("very old compilers name no architecture and split sizes in two")
{
  const PtxasKernel kernel =
      kernel_of("ptxas info : Compiling entry function 'acos_main'\n"
                "ptxas info : Used 4 registers, 60+56 bytes lmem, 44+40 bytes smem, 20 bytes cmem[1]\n");
  CHECK(kernel.name == "acos_main");
  CHECK(kernel.target == "");
  CHECK(kernel.compute_capability == "");
  CHECK(figures(kernel) == "4 none 84; none none none; 0 116 20");
}

TEST_CASE("a 'Used' line without an entry function is an error at its place")
{
  CHECK(errors_of("ptxas info    : Function properties for _Z3devf\nptxas info    : Used 32 registers\n") ==
        "build.log:2:17: a 'Used' line without a 'Compiling entry function' line before it; pass everything "
        "that 'nvcc -Xptxas -v' or 'nvcc --resource-usage' prints\n"
        "    2 | ptxas info    : Used 32 registers\n"
        "      |                 ^\n");
  CHECK(errors_of("nvlink info    : used 32 registers, 0 stack\n")
            .starts_with("build.log:1:18: a 'used' line without a 'Function properties' line before it; "));
}

TEST_CASE("an entry function without a 'Used' line is an error, so that mixed logs are not misread")
{
  CHECK(errors_of(entry_line)
            .starts_with("build.log:1:42: no 'Used' line follows for this entry function; the log is cut "
                         "off, or several "
                         "compilers wrote it at once (build with one job)\n"));
  const std::string mixed = errors_of(
      std::string(entry_line) + "ptxas info    : Compiling entry function 'g' for 'sm_90'\n"
                                "ptxas info    : Used 10 registers\nptxas info    : Used 20 registers\n");
  CHECK(mixed.find("build.log:1:42: no 'Used' line") != std::string::npos);
  CHECK(mixed.find("build.log:4:17: a 'Used' line without") != std::string::npos);
}

TEST_CASE("a log without a kernel says what to pass to nvcc")
{
  CHECK(errors_of("ptxas info    : 0 bytes gmem\n[100%] Built target x\n") ==
        "build.log: no kernel in this compiler output; pass everything that 'nvcc -Xptxas -v' or "
        "'nvcc --resource-usage' prints\n");
  CHECK(errors_of("").starts_with("build.log: no kernel"));
}

TEST_CASE("malformed numbers, names and architectures are errors at their places, all at once")
{
  const std::string text =
      errors_of("ptxas info    : Compiling entry function 'f' for 'sm_9x0'\n"
                "ptxas info    : Function properties for f\n"
                "    8k bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                "ptxas info    : Used 3x2 registers, used -1 barriers, 99999999999999999999 bytes "
                "smem, 8 bytes cmem[a]\n"
                "ptxas info    : Compiling entry function 'g\n"
                "ptxas info    : Used 8 registers\n");
  for (const char* expected :
       {"build.log:1:51: 'sm_9x0' is not an architecture; e.g. sm_90 or sm_90a\n",
        "build.log:3:5: '8k' is not a number of bytes stack frame\n",
        "build.log:4:22: '3x2' is not a number of registers\n",
        "build.log:4:42: '-1' is not a number of barriers\n",
        "build.log:4:55: '99999999999999999999' is not a number of bytes smem\n",
        "build.log:4:101: 'a' is not a number of a constant bank\n",
        "build.log:5:42: the entry function's name is cut off; e.g. 'NAME' for 'sm_90'\n"})
    CHECK_MESSAGE(text.find(expected) != std::string::npos, expected);
}

TEST_CASE("the last digit of an architecture is the minor version and letters behind it are dropped")
{
  const std::map<std::string, std::string> expected{
      {"sm_52", "5.2"}, {"sm_90a", "9.0"}, {"sm_100f", "10.0"}, {"sm_103a", "10.3"}, {"sm_121", "12.1"}};
  for (const auto& [target, capability] : expected) {
    const PtxasKernel kernel = kernel_of("ptxas info    : Compiling entry function 'f' for '" + target +
                                         "'\nptxas info    : Used 8 registers\n");
    CHECK(kernel.target == target);
    CHECK(kernel.compute_capability == capability);
  }
}

TEST_CASE("a kernel that two builds compiled is there twice")
{
  const std::string once = std::string(entry_line) + "ptxas info    : Used 8 registers\n";
  CHECK(kernels_of(once + once).size() == 2);
}
