#include "sm/block_dispatcher.h"

namespace smsim {

void BlockDispatcher::dispatch(std::deque<Sm>& sms, Cycle now)
{
  bool placed = true;
  while (placed && !all_launched()) {
    placed = false;
    const std::size_t start = next_sm_;
    for (std::size_t step = 0; step < sms.size() && !all_launched(); ++step) {
      const std::size_t index = (start + step) % sms.size();
      if (!sms[index].can_launch(now)) continue;
      sms[index].launch(BlockId{next_++}, now);
      next_sm_ = (index + 1) % sms.size();
      placed = true;
    }
  }
}

}  // namespace smsim
