// gto, written for a shared library: it must do what the built-in one does.
#include <smsim/policy.h>

namespace {

using namespace smsim::policy;

class GtoAgain final : public Policy {
 public:
  [[nodiscard]] Slot pick(const View& view) const override
  {
    return (view.eligible & last_) != 0 ? View::first(last_) : view.oldest(view.eligible);
  }
  void on_issue(Slot slot, const Issue&) override { last_ = bit(slot); }
  void on_exit(Slot slot) override { last_ &= ~bit(slot); }

 private:
  Mask last_ = 0;
};

}  // namespace

SMSIM_POLICY(GtoAgain, "gto_again", "greedy then oldest")
