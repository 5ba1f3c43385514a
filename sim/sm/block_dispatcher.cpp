#include "sm/block_dispatcher.h"

namespace smsim {

void BlockDispatcher::dispatch(std::deque<Sm>& sms, Cycle now)
{
  bool placed = true;
  while (placed && !all_launched()) {
    placed = false;
    std::size_t index = next_sm_;
    for (std::size_t step = 0; step < sms.size() && !all_launched(); ++step) {
      Sm& sm = sms[index];
      index = index + 1 == sms.size() ? 0 : index + 1;
      if (!sm.can_launch(now)) continue;
      sm.launch(BlockId{next_++}, now);
      next_sm_ = index;
      placed = true;
    }
  }
}

}  // namespace smsim
