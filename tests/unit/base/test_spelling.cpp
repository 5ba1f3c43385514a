#include "base/spelling.h"

#include <doctest/doctest.h>

using namespace smsim;

TEST_CASE("a slip of the keyboard finds the word that was meant")
{
  const std::vector<std::string> keys{"registers", "allocation_unit", "banks", "read_ports", "release", "l1",
                                      "sm"};
  CHECK(nearest_word("registrs", keys) == "registers");    // a letter missing
  CHECK(nearest_word("regissters", keys) == "registers");  // one too many
  CHECK(nearest_word("registets", keys) == "registers");   // another one
  CHECK(nearest_word("reigsters", keys) == "registers");   // neighbours swapped: one slip, not two
  CHECK(nearest_word("REGISTERS", keys) == "registers");
  CHECK(nearest_word("banks", keys) == "banks");
  CHECK(nearest_word("SM", keys) == "sm");
}

TEST_CASE("half a name finds the only word that holds it, and a longer one the word it holds")
{
  const std::vector<std::string> keys{"registers_per_thread", "max_blocks", "max_barriers", "grid"};
  CHECK(nearest_word("registers", keys) == "registers_per_thread");
  CHECK(nearest_word("max_blocks_per_sm", keys) == "max_blocks");
  CHECK(nearest_word("max_b", keys).empty());  // two words
  CHECK(nearest_word("barriers", {"barriers_per_block", "max_barriers"}) == "barriers_per_block");
  CHECK(nearest_word("thr", keys).empty());  // too short to mean one
}

TEST_CASE("what is no slip has no suggestion")
{
  const std::vector<std::string> keys{"registers", "l1", "l2", "dram"};
  CHECK(nearest_word("l3", keys).empty());
  CHECK(nearest_word("x", keys).empty());
  CHECK(nearest_word("", keys).empty());
  CHECK(nearest_word("warps", keys).empty());
  CHECK(nearest_word(std::string(100'000, 'r'), keys).empty());
  CHECK(nearest_word("registers", {}).empty());
}

TEST_CASE("the second half of a message lists what is allowed")
{
  CHECK(allowed_words("blokc", {"block", "warp"}) == "allowed: block, warp (did you mean 'block'?)");
  CHECK(allowed_words("thread", {"block", "warp"}) == "allowed: block, warp");
}
