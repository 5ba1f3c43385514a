// Recursive descent: or, and, not, comparison, sum, product, sign, primary.
#include "base/numbers.h"
#include "base/spelling.h"
#include "sweep/expression.h"

#include <array>
#include <cctype>

namespace smsim {

/// One expression's text on its way to nodes. The first error ends it.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, Mark written, const std::string& path, Diagnostics& diagnostics)
      : text_(text), written_(std::move(written)), path_(path), diagnostics_(diagnostics)
  {
    out_.text_ = text;
    out_.mark_ = written_;
  }

  Expression parse()
  {
    either();
    skip_spaces();
    if (ok_ && at_ < text_.size())
      error("'" + std::string(text_.substr(at_, 1)) + "' is not expected here", "an operator, or the end");
    // A usable answer in any case: the caller looks at the diagnostics.
    if (out_.nodes_.empty()) out_.nodes_.emplace_back();
    return std::move(out_);
  }

 private:
  using Op = Expression::Op;
  static constexpr int deepest = 100;

  Mark mark_at(std::size_t at) const
  {
    Mark mark = written_;
    if (mark.line > 0) mark.column += static_cast<int>(at);
    return mark;
  }

  void error(const std::string& what, const std::string& expected)
  {
    if (ok_) diagnostics_.error(mark_at(at_), path_, what, "expected: " + expected);
    ok_ = false;
  }

  std::size_t add(Op op, std::size_t left = 0, std::size_t right = 0)
  {
    Expression::Node node;
    node.op = op;
    node.left = left;
    node.right = right;
    out_.nodes_.push_back(node);
    return out_.nodes_.size() - 1;
  }

  void skip_spaces()
  {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }

  bool take(std::string_view symbol)
  {
    skip_spaces();
    if (!ok_ || text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }

  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  static bool is_inside(char c) { return is_letter(c) || is_digit(c); }

  /// A dotted name, with items of lists: program[0].loop.count.
  std::string_view word_here()
  {
    skip_spaces();
    std::size_t end = at_;
    while (end < text_.size()) {
      const bool more = end + 1 < text_.size();
      if (is_inside(text_[end]) || (text_[end] == '.' && more && is_inside(text_[end + 1])))
        ++end;
      else if (text_[end] == '[' && more && is_digit(text_[end + 1]) &&
               text_.find(']', end) != std::string_view::npos)
        end = text_.find(']', end) + 1;
      else
        break;
    }
    return text_.substr(at_, end - at_);
  }

  bool take_word(std::string_view word)
  {
    if (!ok_ || word_here() != word) return false;
    at_ += word.size();
    return true;
  }

  std::size_t either()
  {
    std::size_t left = both();
    while (take_word("or"))
      left = add_binary(Op::logical_or, left, both());
    return left;
  }

  std::size_t both()
  {
    std::size_t left = negation();
    while (take_word("and"))
      left = add_binary(Op::logical_and, left, negation());
    return left;
  }

  std::size_t negation()
  {
    if (!take_word("not")) return comparison();
    const Depth depth(*this);
    return ok_ ? add(Op::logical_not, negation()) : 0;
  }

  std::size_t comparison()
  {
    static constexpr std::array<std::pair<std::string_view, Op>, 6> symbols{{{"==", Op::equal},
                                                                             {"!=", Op::not_equal},
                                                                             {"<=", Op::less_equal},
                                                                             {">=", Op::greater_equal},
                                                                             {"<", Op::less},
                                                                             {">", Op::greater}}};
    const std::size_t left = sum();
    for (const auto& [symbol, op] : symbols)
      if (take(symbol)) return add_binary(op, left, sum());
    skip_spaces();
    if (ok_ && text_.substr(at_).starts_with('=')) error("'=' is no comparison", "== for equal");
    return left;
  }

  std::size_t sum()
  {
    std::size_t left = product();
    while (ok_) {
      if (take("+"))
        left = add_binary(Op::add, left, product());
      else if (take("-"))
        left = add_binary(Op::subtract, left, product());
      else
        break;
    }
    return left;
  }

  std::size_t product()
  {
    std::size_t left = sign();
    while (ok_) {
      if (take("*"))
        left = add_binary(Op::multiply, left, sign());
      else if (take("/"))
        left = add_binary(Op::divide, left, sign());
      else if (take("%"))
        left = add_binary(Op::remainder, left, sign());
      else
        break;
    }
    return left;
  }

  std::size_t sign()
  {
    if (!take("-")) return primary();
    const Depth depth(*this);
    return ok_ ? add(Op::negate, sign()) : 0;
  }

  std::size_t primary()
  {
    const Depth depth(*this);
    skip_spaces();
    if (!ok_) return 0;
    if (at_ == text_.size()) {
      error(text_.empty() ? "is empty" : "ends too early", "a number, a name, a 'text' or (");
      return 0;
    }
    if (take("(")) {
      const std::size_t inner = either();
      if (!take(")")) error("a parenthesis is not closed", ")");
      return inner;
    }
    const char c = text_[at_];
    if (is_digit(c)) return number();
    if (c == '\'' || c == '"') return quoted(c);
    if (is_letter(c)) return name();
    error("'" + std::string(1, c) + "' is not expected here", "a number, a name, a 'text' or (");
    return 0;
  }

  std::size_t number()
  {
    std::size_t end = at_;
    while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.'))
      ++end;
    // A unit may stand behind a space.
    std::size_t unit = end;
    while (unit < text_.size() && text_[unit] == ' ')
      ++unit;
    for (const std::string_view size : {"KiB", "MiB", "B"})
      if (text_.substr(unit).starts_with(size) &&
          (unit + size.size() == text_.size() || !is_letter(text_[unit + size.size()]))) {
        end = unit + size.size();
        break;
      }
    double value = 0;
    if (!read_number(text_.substr(at_, end - at_), value)) {
      error("'" + std::string(text_.substr(at_, end - at_)) + "' is not a number",
            "such as 64, 12.8 or 48 KiB");
      return 0;
    }
    at_ = end;
    const std::size_t node = add(Op::number);
    out_.nodes_[node].number = value;
    return node;
  }

  std::size_t quoted(char quote)
  {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
      error("this quote is never closed", std::string(1, quote));
      return 0;
    }
    out_.texts_.emplace_back(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    const std::size_t node = add(Op::text);
    out_.nodes_[node].index = out_.texts_.size() - 1;
    return node;
  }

  std::size_t name()
  {
    const std::string word(word_here());
    const std::size_t begin = at_;
    at_ += word.size();
    if (take("(")) return function(word, begin);
    std::size_t index = 0;
    while (index < out_.names_.size() && out_.names_[index].name != word)
      ++index;
    if (index == out_.names_.size()) out_.names_.push_back({word, mark_at(begin)});
    const std::size_t node = add(Op::name);
    out_.nodes_[node].index = index;
    return node;
  }

  std::size_t function(const std::string& word, std::size_t begin)
  {
    struct Function {
      std::string_view name;
      Op op;
      bool unary;
    };
    static constexpr std::array<Function, 7> functions{{{"min", Op::min, false},
                                                        {"max", Op::max, false},
                                                        {"floor", Op::floor, true},
                                                        {"ceil", Op::ceil, true},
                                                        {"round", Op::round, true},
                                                        {"round_up", Op::round_up, false},
                                                        {"round_down", Op::round_down, false}}};
    std::vector<std::string> names;
    for (const Function& known : functions) {
      names.emplace_back(known.name);
      if (known.name != word) continue;
      const std::size_t left = either();
      std::size_t right = 0;
      if (!known.unary) {
        if (!take(",")) error(word + " takes two values", ", and another value");
        right = either();
      }
      if (!take(")")) error("the parenthesis of " + word + " is not closed", ")");
      return ok_ ? add(known.op, left, right) : 0;
    }
    if (ok_)
      diagnostics_.error(mark_at(begin), path_, "no function is named '" + word + "'",
                         allowed_words(word, names));
    ok_ = false;
    return 0;
  }

  std::size_t add_binary(Op op, std::size_t left, std::size_t right)
  {
    return ok_ ? add(op, left, right) : 0;
  }

  /// Parentheses and signs nest; the stack has an end.
  struct Depth {
    explicit Depth(ExpressionParser& parser) : parser_(parser)
    {
      if (++parser_.depth_ > deepest) parser_.error("nests too deep", "at most 100 levels");
    }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --parser_.depth_; }
    ExpressionParser& parser_;
  };

  std::string_view text_;
  Mark written_;
  const std::string& path_;
  Diagnostics& diagnostics_;
  Expression out_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool ok_ = true;
};

Expression Expression::parse(std::string_view text, const Mark& written, const std::string& path,
                             Diagnostics& diagnostics)
{
  return ExpressionParser(text, written, path, diagnostics).parse();
}

}  // namespace smsim
