// A warp-scheduling policy in a shared library: all that it is built from, and what smsim itself includes to
// load it.
//
// The first part is the boundary, plain C: a table of functions, found by one symbol. So a library need not
// be built by smsim's compiler, nor with its standard library, and no exception crosses. The second part is
// for C++20: a class Policy to derive from and the macro SMSIM_POLICY, which makes the table of it and turns
// exceptions into messages. tools/policy_template/ holds a policy to start from.
//
// smsim makes one policy object for each sub-partition. In a cycle, in this order:
//   on_exit       a warp has left its slot
//   on_launch     a warp was launched into a slot
//   pick          only in a cycle in which a warp can issue: who does, or nobody; asked again in the next
//   on_issue      the picked warp issues
//   on_l1_evict, on_l1_miss   its access has changed L1 (SMSIM_WANTS_L1)
//   on_stall      what the warp waits for that has just issued: a barrier (SMSIM_BARRIER) or its end
//                 (SMSIM_DRAIN); with SMSIM_WANTS_RESULTS any other wait too
//
// pick may not change the object, nor pick a warp that cannot issue. Cycles in which nothing can issue are
// skipped: what goes by time is to be computed from the cycle that a call is given. Objects of several SMs
// are called on several threads at a time: a policy keeps what it knows in its object, never in a global.
#ifndef SMSIM_POLICY_H
#define SMSIM_POLICY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SMSIM_POLICY_ABI 1U       /* this version of the boundary */
#define SMSIM_MAX_SLOTS 64U       /* warp slots of a sub-partition: bit s of a mask is slot s */
#define SMSIM_NO_WARP 0xFFFFFFFFU /* pick: nobody issues in this cycle */
#define SMSIM_FAILED 0xFFFFFFFEU  /* any function: it failed, and `failure` says why */
#define SMSIM_FAILURE_SIZE 256U   /* bytes of that text, the final 0 included */

/* What a policy has a use for beyond the common calls; `wants` is the sum. */
#define SMSIM_WANTS_RESULTS 1U
#define SMSIM_WANTS_BACKLOG 2U
#define SMSIM_WANTS_L1 4U

/* What a warp waits for: Nsight Compute's warp states. */
enum smsim_state {
  SMSIM_SELECTED,
  SMSIM_BARRIER,
  SMSIM_MEMBAR,
  SMSIM_SLEEPING,
  SMSIM_DRAIN,
  SMSIM_NO_INSTRUCTION,
  SMSIM_BRANCH_RESOLVING,
  SMSIM_WAIT,
  SMSIM_LONG_SCOREBOARD,
  SMSIM_SHORT_SCOREBOARD,
  SMSIM_IMC_MISS,
  SMSIM_MATH_PIPE_THROTTLE,
  SMSIM_MIO_THROTTLE,
  SMSIM_LG_THROTTLE,
  SMSIM_DISPATCH_STALL,
  SMSIM_NOT_SELECTED
};

/* A number that a user may give behind the library's path: --policy ./mine.so:limit=4:window=100 */
struct smsim_parameter {
  const char* key;
  uint32_t least, most, default_value;
  const char* doc;
};

/* What a policy object is made from. */
struct smsim_setup {
  uint64_t seed;
  const uint32_t* parameters; /* in the order of the table's */
  uint32_t parameter_count;
  char* failure; /* SMSIM_FAILURE_SIZE bytes, for as long as the object lives */
};

struct smsim_view {
  uint64_t now;          /* cycle */
  uint64_t eligible;     /* the warps that can issue; never 0 */
  uint64_t memory;       /* those of them whose next instruction accesses global or local memory */
  uint64_t backlog;      /* SMSIM_WANTS_BACKLOG: cycles that L2's or DRAM's bandwidth is booked ahead */
  const uint64_t* older; /* for each slot with a warp, the slots of those launched before it */
};

struct smsim_launch {
  uint64_t now;
  uint64_t block; /* the warps of a block are launched one after the other */
  uint32_t warp_in_block;
  uint32_t remaining; /* instructions of the program, each counted once */
};

struct smsim_issue {
  uint64_t now;
  uint32_t memory;    /* 1: the instruction accesses global or local memory */
  uint32_t remaining; /* instructions behind it in the program, each counted once */
};

/* The table. Functions but create answer 0, or SMSIM_FAILED; those from on_launch on may be null. */
struct smsim_policy {
  uint32_t abi; /* SMSIM_POLICY_ABI; the first field of every version */
  uint32_t wants;
  const char* name;        /* no other policy's */
  const char* summary;     /* one line */
  uint32_t starves_nobody; /* 1: a promise, which `smsim policy-check` holds it to: a warp that can issue in
                              every cycle is picked once in as many issues as there are warps, at least */
  uint32_t parameter_count;
  const struct smsim_parameter* parameters;
  void* (*create)(const struct smsim_setup*); /* null: it failed */
  void (*destroy)(void*);
  uint32_t (*pick)(const void*, const struct smsim_view*); /* a slot, SMSIM_NO_WARP or SMSIM_FAILED */
  uint32_t (*on_launch)(void*, uint32_t slot, const struct smsim_launch*);
  uint32_t (*on_issue)(void*, uint32_t slot, const struct smsim_issue*);
  uint32_t (*on_exit)(void*, uint32_t slot);
  uint32_t (*on_stall)(void*, uint32_t slot, uint32_t state);
  uint32_t (*on_l1_miss)(void*, uint32_t slot, uint64_t line, uint64_t now);
  uint32_t (*on_l1_evict)(void*, uint32_t slot, uint64_t line);
};

/* The one symbol that a library exports. */
const struct smsim_policy* smsim_policy_entry(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#if defined(__cplusplus) && !defined(SMSIM_POLICY_BOUNDARY_ONLY)

#if __cplusplus < 202002L
#error "the C++ part of <smsim/policy.h> is C++20: compile with -std=c++20"
#endif

#include <bit>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace smsim::policy {

using Slot = std::uint32_t;
using Mask = std::uint64_t;
constexpr Slot no_warp = SMSIM_NO_WARP;
constexpr Mask bit(Slot slot) { return Mask{1} << slot; }

struct Setup : smsim_setup {
  /// The value of the parameter at this place in SMSIM_POLICY's list, from 0.
  [[nodiscard]] std::uint32_t parameter(std::uint32_t place) const
  {
    if (place >= parameter_count) throw std::out_of_range("SMSIM_POLICY declares no such parameter");
    return parameters[place];
  }
};
using Launch = smsim_launch;
using Issue = smsim_issue;
using Parameter = smsim_parameter;

/// Waits for memory, for other warps, or for the end of its program.
constexpr bool is_long(std::uint32_t state)
{
  return state == SMSIM_LONG_SCOREBOARD || state == SMSIM_BARRIER || state == SMSIM_DRAIN;
}

struct View : smsim_view {
  /// Of `candidates` the warp that was launched first; no_warp if there are none.
  [[nodiscard]] Slot oldest(Mask candidates) const
  {
    if (candidates == 0) return no_warp;
    auto slot = first(candidates);
    while (const Mask before = candidates & older[slot])
      slot = first(before);
    return slot;
  }
  /// The warp that was launched last; no_warp if there are none.
  [[nodiscard]] Slot youngest(Mask candidates) const
  {
    if (candidates == 0) return no_warp;
    Slot slot = first(candidates);
    for (Mask rest = candidates; rest != 0; rest &= rest - 1)
      if ((older[first(rest)] & bit(slot)) != 0) slot = first(rest);
    return slot;
  }
  /// The lowest slot; no_warp if there are none.
  [[nodiscard]] static Slot first(Mask candidates)
  {
    return candidates == 0 ? no_warp : static_cast<Slot>(std::countr_zero(candidates));
  }
};

/// Derive from it, override what is of use, and export it with SMSIM_POLICY. It is made from a Setup, if it
/// has such a constructor, or from nothing.
class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  [[nodiscard]] virtual Slot pick(const View& view) const = 0;
  virtual void on_launch(Slot, const Launch&) {}
  virtual void on_issue(Slot, const Issue&) {}
  virtual void on_exit(Slot) {}
  virtual void on_stall(Slot, std::uint32_t /*state*/) {}
  virtual void on_l1_miss(Slot, std::uint64_t /*line*/, std::uint64_t /*now*/) {}
  virtual void on_l1_evict(Slot, std::uint64_t /*line*/) {}
};

/// What SMSIM_POLICY may say of a policy besides its name and its rule.
struct Facts {
  std::uint32_t wants = 0;
  bool starves_nobody = false;
  std::vector<Parameter> parameters{};
};

/// The functions of the table. Nothing here is a static object: those of two libraries could become one.
template <class P>
struct Calls {
  struct Object {
    char* failure;
    P policy;
  };

  template <class Call>
  static std::uint32_t guarded(char* failure, Call call) noexcept
  {
    const char* what = "an exception that is no std::exception";
    try {
      return call();
    } catch (const std::exception& error) {
      what = error.what();
      std::strncpy(failure, what, SMSIM_FAILURE_SIZE - 1);
    } catch (...) {
      std::strncpy(failure, what, SMSIM_FAILURE_SIZE - 1);
    }
    return SMSIM_FAILED;
  }
  template <class Call>
  static std::uint32_t told(void* self, Call call) noexcept
  {
    auto* object = static_cast<Object*>(self);
    return guarded(object->failure, [&] {
      call(object->policy);
      return 0U;
    });
  }

  static void* create(const smsim_setup* setup) noexcept
  {
    Object* made = nullptr;
    guarded(setup->failure, [&] {
      if constexpr (std::is_constructible_v<P, const Setup&>)
        made = new Object{setup->failure, P(Setup{*setup})};
      else
        made = new Object{setup->failure, P()};
      return 0U;
    });
    return made;
  }
  static void destroy(void* self) noexcept { delete static_cast<Object*>(self); }
  static std::uint32_t pick(const void* self, const smsim_view* view) noexcept
  {
    const auto* object = static_cast<const Object*>(self);
    return guarded(object->failure, [&] { return object->policy.pick(View{*view}); });
  }
  static std::uint32_t on_launch(void* self, Slot slot, const smsim_launch* info) noexcept
  {
    return told(self, [&](P& p) { p.on_launch(slot, *info); });
  }
  static std::uint32_t on_issue(void* self, Slot slot, const smsim_issue* info) noexcept
  {
    return told(self, [&](P& p) { p.on_issue(slot, *info); });
  }
  static std::uint32_t on_exit(void* self, Slot slot) noexcept
  {
    return told(self, [&](P& p) { p.on_exit(slot); });
  }
  static std::uint32_t on_stall(void* self, Slot slot, std::uint32_t state) noexcept
  {
    return told(self, [&](P& p) { p.on_stall(slot, state); });
  }
  static std::uint32_t on_l1_miss(void* self, Slot slot, std::uint64_t line, std::uint64_t now) noexcept
  {
    return told(self, [&](P& p) { p.on_l1_miss(slot, line, now); });
  }
  static std::uint32_t on_l1_evict(void* self, Slot slot, std::uint64_t line) noexcept
  {
    return told(self, [&](P& p) { p.on_l1_evict(slot, line); });
  }
};

template <class P>
smsim_policy table_of(const char* name, const char* summary, const Facts& facts)
{
  using C = Calls<P>;
  return {SMSIM_POLICY_ABI,
          facts.wants,
          name,
          summary,
          facts.starves_nobody ? 1U : 0U,
          static_cast<std::uint32_t>(facts.parameters.size()),
          facts.parameters.data(),
          C::create,
          C::destroy,
          C::pick,
          C::on_launch,
          C::on_issue,
          C::on_exit,
          C::on_stall,
          C::on_l1_miss,
          C::on_l1_evict};
}

}  // namespace smsim::policy

/// Once a library: SMSIM_POLICY(MyPolicy, "my_policy", "one line on its rule"), and behind these, if there is
/// more to say, e.g. {.wants = SMSIM_WANTS_RESULTS, .parameters = {{"limit", 1, 64, 4, "warps"}}}.
#define SMSIM_POLICY(Class, name, summary, ...)                                                              \
  static const smsim::policy::Facts smsim_policy_facts __VA_ARGS__;                                          \
  extern "C" __attribute__((visibility("default"))) const smsim_policy* smsim_policy_entry(void)             \
  {                                                                                                          \
    static const smsim_policy table = smsim::policy::table_of<Class>(name, summary, smsim_policy_facts);     \
    return &table;                                                                                           \
  }

#endif
#endif
