// Greedy, then youngest: a warp goes on while it can issue; then the one that was launched last takes over,
// but no warp issues more than `burst` times in a row while another can.
// A policy to start from: change the class, its name and its rule. README.md says how to build and try it.
#include <smsim/policy.h>

namespace {

using namespace smsim::policy;

class MyPolicy final : public Policy {
 public:
  explicit MyPolicy(const Setup& setup) : burst_(setup.parameter(0)) {}

  // Who issues in cycle view.now, of view.eligible (bit s: slot s); or no_warp: nobody, and it is asked again
  // in the next cycle. view.memory: those whose next instruction accesses memory.
  [[nodiscard]] Slot pick(const View& view) const override
  {
    const Mask others = view.eligible & ~last_;
    if ((view.eligible & last_) != 0 && (in_a_row_ < burst_ || others == 0)) return View::first(last_);
    return view.youngest(others);
  }

  // The picked warp issues, in cycle info.now (info.memory: an access to memory). What pick goes by changes
  // here: pick itself changes nothing.
  void on_issue(Slot slot, const Issue& /*info*/) override
  {
    in_a_row_ = last_ == bit(slot) ? in_a_row_ + 1 : 1;
    last_ = bit(slot);
  }
  void on_exit(Slot slot) override { last_ &= ~bit(slot); }

 private:
  std::uint32_t burst_;
  std::uint32_t in_a_row_ = 0;
  Mask last_ = 0;  // the warp that issued last, if it is still there
};

}  // namespace

// A name of its own, its rule, and if there are any its parameters: --policy ./my_policy.so:burst=4
SMSIM_POLICY(MyPolicy, "my_policy", "greedy then youngest, in bursts",
             {.parameters = {{"burst", 1, 1000, 32, "issues in a row while another warp can issue"}}})
