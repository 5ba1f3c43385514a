// What general-purpose YAML readers guess, lose or accept, and this one does not.
#include "base/text_file.h"
#include "config/yaml_reader.h"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

YamlNode parse(const std::string& text)
{
  Diagnostics diagnostics;
  auto root = parse_yaml(make_source("f", text), diagnostics);
  REQUIRE_MESSAGE(root, diagnostics.text());
  return *root;
}

/// The first line of what is told about a text.
std::string told(const std::string& text)
{
  Diagnostics diagnostics;
  CHECK_FALSE(parse_yaml(make_source("f", text), diagnostics));
  const std::string all = diagnostics.text();
  return all.substr(0, all.find('\n'));
}

}  // namespace

TEST_CASE("scalars stay the text they were written as")
{
  const YamlNode root = parse("{octal: 010, no: no, time: 12:30:00, float: 1e3, hex: 0x10, sexagesimal: "
                              "190:20, version: 9.0, big: 1_000}");
  std::vector<std::string> texts;
  for (const YamlEntry& entry : root.entries)
    texts.push_back(entry.value.text);
  CHECK(texts == std::vector<std::string>{"010", "no", "12:30:00", "1e3", "0x10", "190:20", "9.0", "1_000"});
  CHECK(root.entries[1].key == "no");
}

TEST_CASE("quotes make a text, and the words for nothing make an empty value")
{
  const YamlNode root = parse("[5, '5', \"5\", ~, null, Null, NULL, '~', 'null', nil]");
  CHECK_FALSE(root.items[0].quoted);
  CHECK(root.items[1].quoted);
  CHECK(root.items[2].quoted);
  for (std::size_t i = 3; i < 7; ++i)
    CHECK(root.items[i].kind == YamlNode::Kind::empty);
  for (std::size_t i = 7; i < 10; ++i)
    CHECK(root.items[i].kind == YamlNode::Kind::scalar);
}

TEST_CASE("every node knows its place, lines and columns from 1")
{
  const YamlNode root = parse("# c\nsm:\n  max_warps: 64\nlist: [1,\n  {a: 2}]\nopcodes:\n  - x\n  - y: 3\n");
  const auto place = [](const Mark& mark) { return std::pair(mark.line, mark.column); };
  CHECK(place(root.entries[0].mark) == std::pair(2, 1));
  CHECK(place(root.find("sm")->mark) == std::pair(2, 1));  // a block's place is its key's
  CHECK(place(root.find("sm")->find("max_warps")->mark) == std::pair(3, 14));
  CHECK(place(root.find("list")->mark) == std::pair(4, 7));  // a bracket's is the bracket's
  CHECK(place(root.find("list")->items[1].mark) == std::pair(5, 3));
  CHECK(place(root.find("list")->items[1].find("a")->mark) == std::pair(5, 7));
  CHECK(place(root.find("opcodes")->items[0].mark) == std::pair(7, 5));
  CHECK(place(root.find("opcodes")->items[1].mark) == std::pair(8, 5));
}

TEST_CASE("an empty value's place is its key, its dash or its word, not the next thing in the file")
{
  const YamlNode root = parse("a:\n\nb: {c: , d: ~}\ne:\n  -   # nothing\n\n  - 1\n  -\n");
  const auto place = [](const YamlNode* node) { return std::pair(node->mark.line, node->mark.column); };
  CHECK(place(root.find("a")) == std::pair(1, 1));
  CHECK(place(root.find("b")->find("c")) == std::pair(3, 5));
  CHECK(place(root.find("b")->find("d")) == std::pair(3, 13));
  CHECK(place(&root.find("e")->items[0]) == std::pair(5, 3));
  CHECK(place(&root.find("e")->items[2]) == std::pair(8, 3));
}

TEST_CASE("duplicate keys are seen at every depth, once for each")
{
  Diagnostics diagnostics;
  CHECK_FALSE(
      parse_yaml(make_source("f", "a: 1\nb: {c: 1, d: [{e: 1, e: 2}], c: 2}\na: 3\na: 4\n"), diagnostics));
  CHECK(diagnostics.text() == "f:2:22: b.d[0].e: duplicate key; first written in line 2\n"
                              "    2 | b: {c: 1, d: [{e: 1, e: 2}], c: 2}\n"
                              "      |                      ^\n"
                              "f:2:30: b.c: duplicate key; first written in line 2\n"
                              "    2 | b: {c: 1, d: [{e: 1, e: 2}], c: 2}\n"
                              "      |                              ^\n"
                              "f:3:1: a: duplicate key; first written in line 1\n"
                              "    3 | a: 3\n"
                              "      | ^\n"
                              "f:4:1: a: duplicate key; first written in line 1\n"
                              "    4 | a: 4\n"
                              "      | ^\n");
  CHECK(told("{a: 1, 'a': 2}") == "f:1:8: a: duplicate key; first written in line 1");
}

TEST_CASE("one file holds one document")
{
  CHECK(told("") == "f: is empty; a map of keys is expected");
  CHECK(told("# only this\n") == "f: is empty; a map of keys is expected");
  CHECK(told("--- \n...\n") == "f: is empty; a map of keys is expected");
  CHECK(told("a: 1\n---\nb: 2\n") == "f:3:1: a second YAML document; one file holds one document");
  CHECK(told("a: 1\n---\n@\n") ==
        "f:3:1: not valid YAML: a text cannot begin with this character; needed: quotes around it");
  CHECK(told("  a: 1\nb: 2\n").find("the same indentation for all keys") != std::string::npos);
  CHECK(parse("---\na: 1\n...\n").entries.size() == 1);
}

TEST_CASE("a quote that is never closed is not text up to the end of the file")
{
  CHECK(told("a: 'x\nb: 2\n") == "f:1:4: this quote is never closed");
  CHECK(told("a: \"x\\\"\nb: 2\n") == "f:1:4: this quote is never closed");
  CHECK(told("b: 'y'\na: 'it''s\n") == "f:2:4: this quote is never closed");
  CHECK(parse("a: 'it''s'\nb: \"x\\\\\"\nc: 'two\n  lines'\n").find("c")->text == "two lines");
  CHECK(parse("a: |\n  it's\n").find("a")->text == "it's\n");
}

TEST_CASE("a value given with --set keeps the places of the words that the user typed")
{
  Diagnostics diagnostics;
  const auto value = parse_set_value("sm.max_warps={a: [1, x]}", 13, diagnostics);
  REQUIRE(value);
  CHECK(value->find("a")->items[1].text == "x");
  CHECK(value->find("a")->items[1].mark.column == 22);
  CHECK(value->find("a")->items[1].mark.source->name == "--set");
  CHECK_FALSE(parse_set_value("sms=", 4, diagnostics));
  CHECK_FALSE(parse_set_value("name=[", 5, diagnostics));
  CHECK(diagnostics.text() == "--set:1:5: sms: no value; expected: --set path=value\n"
                              "    1 | sms=\n"
                              "      |     ^\n"
                              "--set:1:6: name: the value is not valid YAML; expected: --set path=value\n"
                              "    1 | name=[\n"
                              "      |      ^\n");
}
