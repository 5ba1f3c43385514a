// The boundary by itself, as a C library would use it: no state, no callbacks, the lowest slot. Macros make
// it a library that cannot be used.
#define SMSIM_POLICY_BOUNDARY_ONLY
#include <smsim/policy.h>

#ifndef POLICY_NAME
#define POLICY_NAME "lowest"
#endif
#ifdef BAD_PARAMETER
static const smsim_parameter parameters[] = {{"limit", 5, 2, 4, "warps"}};
#define PARAMETERS 1, parameters
#else
#define PARAMETERS 0, nullptr
#endif
#ifndef POLICY_ABI
#define POLICY_ABI SMSIM_POLICY_ABI
#endif

static void* create(const smsim_setup*)
{
  static char object;
  return &object;
}
static void destroy(void*) {}
static uint32_t pick(const void*, const smsim_view* view)
{
  uint32_t slot = 0;
  while ((view->eligible >> slot & 1U) == 0)
    ++slot;
  return slot;
}

static const smsim_policy table{POLICY_ABI, 0,       POLICY_NAME, nullptr, 0,
                                PARAMETERS, create,  destroy,     pick,    nullptr,
                                nullptr,    nullptr, nullptr,     nullptr, nullptr};

#ifdef OTHER_SYMBOL
extern "C" const smsim_policy* OTHER_SYMBOL();
#define smsim_policy_entry OTHER_SYMBOL
#endif
const smsim_policy* smsim_policy_entry(void) { return &table; }
