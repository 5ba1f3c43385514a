#include "isa/assembly.h"

#include "base/numbers.h"

#include <cctype>
#include <charconv>

namespace smsim {
namespace {

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

class LineParser {
 public:
  LineParser(std::string_view text, std::string& error, std::size_t& column)
      : text_(text), error_(error), column_(column)
  {
  }

  std::optional<AssemblyLine> parse()
  {
    AssemblyLine line;
    skip_space();
    if (take('@')) {
      take('!');
      const std::size_t guard = at_;
      const std::string word = name();
      bool always = false;
      const auto reg = word.starts_with('p') ? register_of(word, always) : std::nullopt;
      if (!reg) return fail(guard, "'" + word + "' is no predicate; allowed behind @: p0 to p6, pt");
      if (!always) line.sources.push_back({*reg, 7, false});
      skip_space();
    }
    const std::size_t start = at_;
    line.mnemonic = name();
    if (line.mnemonic.empty() || !std::isalpha(static_cast<unsigned char>(line.mnemonic.front())))
      return fail(start, "an opcode is expected, such as ffma or ld.global");
    skip_space();
    for (std::uint8_t slot = 0; at_ < text_.size(); ++slot) {
      if (slot > 0 && !take(',')) return fail(at_, "a comma is expected between operands");
      skip_space();
      if (slot > 6) return fail(at_, "too many operands; at most 7");
      if (!operand(line, slot)) return std::nullopt;
      skip_space();
    }
    return line;
  }

 private:
  std::optional<AssemblyLine> fail(std::size_t at, std::string what)
  {
    error_ = std::move(what);
    column_ = at;
    return std::nullopt;
  }

  void skip_space()
  {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char c)
  {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string name()
  {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name_character(text_[at_]))
      ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  /// 0 to 254, or nothing.
  static std::optional<RegisterId> register_of(std::string_view word, bool& zero)
  {
    zero = word == "rz" || word == "pt";
    if (zero) return RegisterId{0};
    if (word.size() < 2 || (word[0] != 'r' && word[0] != 'p')) return std::nullopt;
    const auto number = parse_integer(word.substr(1));
    if (!number || *number > (word[0] == 'r' ? 254U : 6U)) return std::nullopt;
    return static_cast<RegisterId>(*number + (word[0] == 'p' ? first_predicate : 0U));
  }

  static std::string no_register(const std::string& word)
  {
    std::string lower = word;
    for (char& c : lower)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    bool zero = false;
    const std::string near =
        lower != word && register_of(lower, zero) ? " (did you mean '" + lower + "'?)" : "";
    return "'" + word + "' is no register; allowed: r0 to r254, rz, p0 to p6, pt" + near;
  }

  bool source(AssemblyLine& line, std::string word, std::uint8_t slot)
  {
    const std::size_t start = at_ - word.size();
    constexpr std::string_view mark = ".reuse";
    const bool reuse = word.ends_with(mark);
    if (reuse) word.resize(word.size() - mark.size());
    bool zero = false;
    const auto reg = register_of(word, zero);
    if (!reg) {
      fail(start, no_register(word));
      return false;
    }
    if (!zero) line.sources.push_back({*reg, slot, reuse});
    return true;
  }

  bool immediate(AssemblyLine& line)
  {
    const std::size_t start = at_;
    const bool negative = take('-');
    std::string word = name();
    const bool hex = word.starts_with("0x") || word.starts_with("0X");
    if (!hex && word.find_first_of("eE") != std::string::npos && at_ < text_.size() &&
        (text_[at_] == '-' || text_[at_] == '+')) {
      word += text_[at_++];  // the sign of an exponent
      word += name();
    }
    const char* first = word.data() + (hex ? 2 : 0);
    const char* last = word.data() + word.size();
    std::uint64_t value = 0;
    const auto whole = std::from_chars(first, last, value, hex ? 16 : 10);
    if (whole.ec == std::errc{} && whole.ptr == last) {
      line.immediates.push_back(negative ? 0 - value : value);
      return true;
    }
    double real = 0;
    const auto fraction = std::from_chars(word.data(), last, real);
    if (fraction.ec == std::errc{} && fraction.ptr == last) return true;
    fail(start, "'" + (negative ? "-" + word : word) + "' is no number");
    return false;
  }

  bool address(AssemblyLine& line, std::uint8_t slot)
  {
    skip_space();
    if (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) {
      if (!source(line, name(), slot)) return false;
      skip_space();
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
        ++at_;
        skip_space();
        if (!offset()) return false;
      }
    } else if (!offset()) {
      return false;
    }
    skip_space();
    if (take(']')) return true;
    fail(at_, "']' is expected");
    return false;
  }

  bool offset()
  {
    AssemblyLine ignored;
    return immediate(ignored);
  }

  bool operand(AssemblyLine& line, std::uint8_t slot)
  {
    if (take('[')) return address(line, slot);
    if (text_.substr(at_).starts_with("c[")) {
      ++at_;
      for (int part = 0; part < 2; ++part) {
        const std::size_t close = text_.find(']', at_);
        if (!take('[') || close == std::string_view::npos) {
          fail(at_, "a constant is written c[bank][offset]");
          return false;
        }
        if (!offset()) return false;
        if (!take(']')) {
          fail(at_, "']' is expected");
          return false;
        }
      }
      return true;
    }
    const char c = at_ < text_.size() ? text_[at_] : ' ';
    if (c == '-' || std::isdigit(static_cast<unsigned char>(c))) return immediate(line);
    const std::size_t start = at_;
    const std::string word = name();
    if (word.empty()) {
      fail(start, "an operand is expected: a register, [address], c[bank][offset] or a number");
      return false;
    }
    if (slot > 0) return source(line, word, slot);
    bool zero = false;
    const auto reg = register_of(word, zero);
    if (!reg) {
      fail(start, no_register(word));
      return false;
    }
    if (!zero) line.destination = *reg;
    return true;
  }

  std::string_view text_;
  std::string& error_;
  std::size_t& column_;
  std::size_t at_ = 0;
};

}  // namespace

std::string register_name(RegisterId id)
{
  return id < first_predicate ? "r" + std::to_string(id) : "p" + std::to_string(id - first_predicate);
}

std::optional<AssemblyLine> parse_assembly(std::string_view text, std::string& error, std::size_t& column)
{
  return LineParser(text, error, column).parse();
}

}  // namespace smsim
