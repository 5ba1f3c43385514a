#include "base/text_file.h"
#include "config/yaml_node.h"
#include "config/yaml_reader.h"

#include <doctest/doctest.h>

#include <random>

using namespace smsim;

namespace {

YamlNode parse(const std::string& text)
{
  Diagnostics diagnostics;
  auto root = parse_yaml(make_source("f", text), diagnostics);
  REQUIRE_MESSAGE(root, diagnostics.text());
  return *root;
}

bool same(const YamlNode& a, const YamlNode& b)
{
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() ||
      a.entries.size() != b.entries.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same(a.items[i], b.items[i])) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    if (a.entries[i].key != b.entries[i].key || !same(a.entries[i].value, b.entries[i].value)) return false;
  return true;
}

std::string merged(const std::string& base, const std::string& over)
{
  YamlNode root = parse(base);
  merge_yaml(root, parse(over));
  return yaml_text(root);
}

/// What is there after setting, or the error.
std::string set(const std::string& text, const std::string& path, const std::string& value)
{
  YamlNode root = parse(text);
  Diagnostics diagnostics;
  const auto written = make_source("--set", path + "=" + value);
  set_yaml_path(root, path, {written, 1, 1},
                YamlNode::scalar(value, {written, 1, static_cast<int>(path.size()) + 2}), diagnostics);
  return diagnostics.ok() ? yaml_text(root) : diagnostics.text();
}

/// Any tree of a document, of up to `depth` levels.
YamlNode any_tree(std::mt19937& random, int depth)
{
  const std::vector<std::string> words{"a",         "a b",
                                       "5",         "0 B",
                                       "none",      "null",
                                       "~",         "",
                                       " x ",       "- x",
                                       "x: y",      "#c",
                                       "x #c",      "'",
                                       "\"",        "\\",
                                       "[",         "{}",
                                       "@p0 exit",  "ld.global r1, [r2+16]",
                                       "*a",        "&a",
                                       "!a",        "|",
                                       "%",         "line\nline\n",
                                       "tab\there", "\xC3\xB6",
                                       "yes",       "?",
                                       "-",         "---",
                                       "...",       "NULL",
                                       "50%",       "a:",
                                       ":a",        "x,y",
                                       "`",         "="};
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  const auto kind = depth == 0 ? 1 : pick(5);
  if (kind == 0) return {};
  if (kind <= 2) {
    YamlNode scalar = YamlNode::scalar(words[pick(words.size())]);
    scalar.quoted = true;
    return scalar;
  }
  if (kind == 3) {
    YamlNode list = YamlNode::sequence();
    for (std::size_t n = pick(4); n > 0; --n)
      list.items.push_back(any_tree(random, depth - 1));
    return list;
  }
  YamlNode map = YamlNode::map();
  for (std::size_t n = pick(4); n > 0; --n) {
    const std::string& key = words[pick(words.size())];
    if (!map.find(key)) map.add(key, any_tree(random, depth - 1));
  }
  return map;
}

}  // namespace

TEST_CASE("maps merge key by key, everything else is replaced")
{
  CHECK(merged("a: 1\nb: {c: 2, d: [1, 2]}\n", "b: {d: [3], e: 4}\nf: 5\n") ==
        "a: 1\nb:\n  c: 2\n  d: [3]\n  e: 4\nf: 5\n");
  CHECK(merged("a: {b: 1}\n", "a: 2\n") == "a: 2\n");
  CHECK(merged("a: 2\n", "a: {b: 1}\n") == "a:\n  b: 1\n");
  CHECK(merged("a: {b: 1}\n", "a:\n") == "a:\n");
  CHECK(merged("a: {b: 1}\n", "a: {}\n") == "a:\n  b: 1\n");
}

TEST_CASE("a merged value's place is where it was written last")
{
  YamlNode root = parse("a: {b: 1,\n c: 2}\n");
  const YamlNode over = parse("\n\na: {c: 3}\n");
  merge_yaml(root, over);
  CHECK(root.find("a")->find("b")->mark.line == 1);
  CHECK(root.find("a")->find("c")->mark.line == 3);
  CHECK(root.find("a")->mark.line == 3);
  CHECK(root.entries[0].mark.line == 3);
}

TEST_CASE("a dotted path goes through lists by an item's number")
{
  const std::string program = "program: [nop, {loop: {count: 3, body: [nop, exit]}}]\n";
  const std::string changed = "program:\n  - nop\n  - loop:\n      count: ";
  CHECK(set(program, "program[1].loop.count", "9") == changed + "9\n      body: [nop, exit]\n");
  CHECK(set(program, "program[1].loop.body[0]", "add") == changed + "3\n      body: [add, exit]\n");
  CHECK(set("a: [[1, 2], [3]]\n", "a[0][1]", "9") == "a:\n  - [1, 9]\n  - [3]\n");
  CHECK(set(program, "program[2].loop", "9")
            .starts_with("--set:1:8: program: has no such item; allowed: [0] to [1]\n"));
  for (const char* wrong : {"program[x]", "program[1", "program[1]loop", "program[]", "program[-1]"})
    CHECK_MESSAGE(set(program, wrong, "9").find("program: has no such item") != std::string::npos, wrong);
  CHECK(set("a: 7\n", "a[0]", "9").starts_with("--set:1:2: a: '7' has no items\n"));
  CHECK(set("a: []\n", "a[0]", "9").find("a: an empty list has no items") != std::string::npos);
}

TEST_CASE("a dotted path finds keys that hold dots themselves, the longest first")
{
  const std::string opcodes = "opcodes:\n  ld:\n    latency: 1\n  ld.global:\n    latency: 2\n";
  CHECK(set(opcodes, "opcodes.ld.latency", "9") ==
        "opcodes:\n  ld:\n    latency: 9\n  ld.global:\n    latency: 2\n");
  CHECK(set(opcodes, "opcodes.ld.global.latency", "9") ==
        "opcodes:\n  ld:\n    latency: 1\n  ld.global:\n    latency: 9\n");
  CHECK(set("a: 1\n", "b.c.d", "2") == "a: 1\nb:\n  c:\n    d: 2\n");
  CHECK(set("a:\n", "a.b", "2") == "a:\n  b: 2\n");
  CHECK(set("a: {b: 1}\n", "a", "2") == "a: 2\n");
  CHECK(set("a: 1\n", "ab", "2") == "a: 1\nab: 2\n");
}

TEST_CASE("a dotted path through something that is no map is told at its part")
{
  CHECK(set("a: {b: 7}\n", "a.b.c", "2") == "--set:1:5: a.b: '7' is not a map of keys\n"
                                            "    1 | a.b.c=2\n"
                                            "      |     ^\n");
  CHECK(set("a: [1]\n", "a.0", "2").starts_with("--set:1:3: a: a list is not a map of keys\n"));
}

TEST_CASE("a document is written as text that reads back to the same nodes")
{
  std::mt19937 random(20240229);
  for (int i = 0; i < 3000; ++i) {
    YamlNode root = YamlNode::map();
    root.add("root", any_tree(random, 4));
    const std::string text = yaml_text(root);
    CAPTURE(text);
    const YamlNode again = parse(text);
    CHECK(same(root, again));
    CHECK(yaml_text(again) == text);
  }
}

TEST_CASE("a node says what it is")
{
  const YamlNode root =
      parse("[, x, \"5\", \"\", [], [1], {}, {a: 1}, \"two\\nlines\", " + std::string(100, 'y') + "]");
  std::vector<std::string> told;
  for (const YamlNode& item : root.items)
    told.push_back(item.describe());
  CHECK(told == std::vector<std::string>{"an empty value", "'x'", "the quoted text '5'", "an empty text",
                                         "an empty list", "a list", "an empty map", "a map",
                                         "the quoted text 'two...'", "'" + std::string(60, 'y') + "...'"});
}
