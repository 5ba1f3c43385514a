// A policy that does one thing wrong, as its parameter says; else it takes turns.
#include <smsim/policy.h>

#include <atomic>
#include <stdexcept>

namespace {

using namespace smsim::policy;

enum How : std::uint32_t {
  nothing,
  throws_in_pick,
  picks_who_cannot,
  never_picks,
  throws_when_made,
  counts_asks,
  starves,
  throws_a_number,
  picks_no_slot,
  keeps_a_global,
  wants_all,
  asks_for_more,
  turns_in_pick,
  picks_of_none
};

std::atomic<Mask> global_turn = 0;  // shared by all schedulers, which no policy may

class Faulty final : public Policy {
 public:
  explicit Faulty(const Setup& setup) : how_(setup.parameter(0))
  {
    if (how_ == asks_for_more) how_ = setup.parameter(1);
    if (how_ == throws_when_made) throw std::runtime_error("no good day");
  }
  [[nodiscard]] Slot pick(const View& view) const override
  {
    ++asked_;
    if (how_ == throws_in_pick && view.now > 20) throw std::runtime_error("no idea");
    if (how_ == picks_who_cannot && ~view.eligible != 0) return View::first(~view.eligible);
    if (how_ == never_picks) return no_warp;
    if (how_ == picks_no_slot) return 64;
    if (how_ == starves) return view.oldest(view.eligible);
    if (how_ == counts_asks && asked_ % 3 == 0) return view.youngest(view.eligible);
    if (how_ == turns_in_pick && asked_ % 2 == 0) return view.youngest(view.eligible);
    if (how_ == picks_of_none) return view.oldest(0) & view.youngest(0) & View::first(0);
    const Mask before = how_ == keeps_a_global ? global_turn.load() : turn_;
    const Mask behind = view.eligible & ~before;
    return View::first(behind != 0 ? behind : view.eligible);
  }
  void on_issue(Slot slot, const Issue&) override
  {
    if (how_ == throws_a_number) throw 5;
    turn_ = bit(slot) | (bit(slot) - 1);
    if (how_ == keeps_a_global) global_turn = turn_;
  }
  void on_stall(Slot, std::uint32_t state) override
  {
    if (how_ == wants_all && state == SMSIM_NOT_SELECTED) throw std::runtime_error("nobody waits for this");
  }

 private:
  std::uint32_t how_;
  mutable std::uint64_t asked_ = 0;
  Mask turn_ = 0;
};

}  // namespace

SMSIM_POLICY(Faulty, "faulty", "in turn, with a fault",
             {.wants = SMSIM_WANTS_RESULTS | SMSIM_WANTS_BACKLOG | SMSIM_WANTS_L1,
              .starves_nobody = true,
              .parameters = {{"how", 0, 13, 0, "what it does wrong"}}})
