#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gguf/reader.h"
#include "tests/gguf/file_case.h"

namespace armature::test {
namespace {

using enum ErrorCode;
using gguf::ValueType;

constexpr std::uint64_t kMax = ~std::uint64_t{0};
constexpr std::uint64_t power(int n) { return std::uint64_t{1} << n; }

constexpr std::size_t kInserted = 3;  // index of the key that a case inserts

Bytes with_key(std::uint32_t type, const Bytes& value, std::string_view name = "x.y") {
  return TinyModel().insert_raw(kInserted, name, type, value).bytes();
}
Bytes with_array(std::uint32_t element, std::uint64_t count, const Bytes& elements = {}) {
  return with_key(number(ValueType::Array), array_value(element, count, elements));
}
Bytes with_name(std::string_view name) {
  return with_key(number(ValueType::U8), to_bytes<std::uint8_t>(1), name);
}
std::uint64_t value_at(const std::string& part) {
  const Bytes good = with_array(number(ValueType::U8), 1, to_bytes<std::uint8_t>(1));
  return offset_of(good, "key 3", part);
}

TEST(GgufKeys, CutShort) {
  const Bytes good = TinyModel().bytes();
  const auto at = [&good](const char* part) { return offset_of(good, "key 0", part); };
  check_all({
      {"KV-01 length", cut(good, at("length") + 3), {too_short}, {"key 0"}, at("length")},
      {"KV-01 key", cut(good, at("name") + 3), {too_short}, {"key 0"}, at("name")},
      {"KV-01 type", cut(good, at("type") + 3), {too_short}, {"key 0 'general.architecture'"}, at("type")},
      {"KV-01 value length", cut(good, at("value length") + 3), {too_short}, {"key 0"}, at("value length")},
      {"KV-01 value", cut(good, at("value") + 3), {too_short}, {"key 0"}, at("value length")},
  });
}

TEST(GgufKeys, LengthOfKey) {
  const Bytes good = TinyModel().bytes();
  const std::uint64_t at = offset_of(good, "key 0", "length");
  const std::uint64_t left = good.size() - at - 8;
  const std::string left_text = std::to_string(left) + " ";
  std::vector<FileCase> cases;
  for (std::uint64_t length : {kMax, power(63), power(40), left + 1})
    cases.push_back({"KV-02",
                     patched(good, at, length),
                     {bad_key, too_short},
                     {"key 0", std::to_string(length), left_text},
                     {}});
  cases.push_back({"KV-03", with_name(""), {bad_key}, {"key 3", "empty"}, value_at("length")});
  cases.push_back({"KV-04", with_name(std::string(65535, 'k')), {}, {}, {}});
  const std::string eighty = "'" + std::string(80, 'k') + "...'";
  for (std::size_t length : {std::size_t{65536}, std::size_t{1} << 20})
    cases.push_back({"KV-05",
                     with_name(std::string(length, 'k')),
                     {bad_key},
                     {"65535", std::to_string(length), eighty},
                     value_at("length")});
  check_all(cases);
}

TEST(GgufKeys, LettersOfKey) {
  const std::string nul("general.alignment\0zz", 20);
  const std::uint64_t at = value_at("name");
  check_all({
      {"KV-06 bytes", with_name("a\xff\xfe\x80"), {bad_key}, {"'a\\xff\\xfe\\x80'"}, at},
      {"KV-06 e acute", with_name("\xc3\xa9"), {bad_key}, {"key 3"}, at},
      {"KV-07", with_name(nul), {bad_key}, {"'general.alignment\\x00zz'"}, at},
      {"KV-08 line feed", with_name("a\nb"), {bad_key}, {"'a\\x0ab'"}, at},
      {"KV-08 escape", with_name("\x1b[2J"), {bad_key}, {"'\\x1b[2J'"}, at},
      {"KV-09", with_name("%s%n"), {}, {}, {}},
      {"space", with_name("a b"), {bad_key}, {"0x20"}, at},
      {"capitals", with_name("A-b_C.9"), {}, {}, {}},
  });
}

TEST(GgufKeys, Duplicates) {
  const Bytes llama = string_value("llama"), other = string_value("other");
  const std::string name = "general.architecture";
  const std::vector<std::string> says = {"key 3 'general.architecture'", "key 0"};
  const std::uint64_t at = value_at("name");
  check_all({
      {"KV-10 equal", with_key(number(ValueType::String), llama, name), {duplicate_key}, says, at},
      {"KV-10 other", with_key(number(ValueType::String), other, name), {duplicate_key}, says, at},
      {"KV-10 type", with_key(number(ValueType::Bool), to_bytes(true), name), {duplicate_key}, says, at},
  });
}

TEST(GgufKeys, FirstFaultInFileOrderIsReported) {
  TinyModel model;
  const Bytes one = to_bytes<std::uint8_t>(1);
  model.insert_raw(3, "b", number(ValueType::U8), one).insert_raw(4, "b", number(ValueType::U8), one);
  model.insert_raw(5, "a", number(ValueType::U8), one).insert_raw(6, "a", number(ValueType::U8), one);
  model.insert_raw(7, "broken", 99, one);
  check({"duplicates before a bad type", model.bytes(), {duplicate_key}, {"key 4 'b'", "key 3"}, {}});
}

TEST(GgufKeys, ValueTypes) {
  std::vector<FileCase> cases;
  for (std::uint32_t type : {13u, 255u, 0x80000000u, 0xffffffffu})
    cases.push_back({"KV-11",
                     with_key(type, Bytes(8)),
                     {bad_value_type},
                     {"key 3 'x.y'", std::to_string(type)},
                     value_at("type")});
  for (std::uint32_t element : {13u, 99u, 0xffffffffu})
    for (std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, power(60)})
      cases.push_back({"KV-17",
                       with_array(element, count, Bytes(8)),
                       {bad_value_type},
                       {"key 3 'x.y'", std::to_string(element)},
                       value_at("element type")});
  for (int value : {2, 255})
    cases.push_back({"KV-21",
                     with_key(number(ValueType::Bool), to_bytes(static_cast<std::uint8_t>(value))),
                     {bad_bool},
                     {"key 3 'x.y'", std::to_string(value)},
                     value_at("element type")});
  cases.push_back({"KV-21 in an array",
                   with_array(number(ValueType::Bool), 2, to_bytes<std::uint16_t>(0x0201)),
                   {bad_bool},
                   {"element 1", "is 2"},
                   value_at("value") + 1});
  check_all(cases);
}

TEST(GgufKeys, Strings) {
  const Bytes good = with_key(number(ValueType::String), string_value("text"));
  const std::uint64_t at = offset_of(good, "key 3", "value length");
  std::vector<FileCase> cases;
  for (std::uint64_t length : {kMax, power(63) - 1, power(40), std::uint64_t{good.size()}})
    cases.push_back({"KV-12",
                     patched(good, at, length),
                     {bad_string},
                     {"key 3 'x.y'", std::to_string(length), std::to_string(good.size() - at - 8)},
                     at});
  Bytes two = string_value("first");
  append(two, string_value("second"));
  const Bytes array = with_array(number(ValueType::String), 2, two);
  const std::uint64_t second = offset_of(array, "key 3", "count") + 8 + 8 + 5;
  cases.push_back({"KV-16", patched(array, second, kMax - 7), {bad_string}, {"element 1"}, second});
  check_all(cases);
}

TEST(GgufKeys, CountsOfArrays) {
  const Bytes u8 = with_array(number(ValueType::U8), 4, Bytes(4));
  const std::uint64_t at = offset_of(u8, "key 3", "count");
  const std::uint64_t left = u8.size() - at - 8;
  std::vector<FileCase> cases;
  for (std::uint64_t count : {kMax, power(40), power(32), left + 1})
    cases.push_back({"KV-13",
                     patched(u8, at, count),
                     {bad_array},
                     {"key 3 'x.y'", std::to_string(count), std::to_string(left)},
                     at});
  cases.push_back({"KV-14 f64", with_array(number(ValueType::F64), power(61)), {bad_array}, {}, at});
  cases.push_back({"KV-14 u16", with_array(number(ValueType::U16), power(63)), {bad_array}, {}, at});
  cases.push_back({"KV-14 i32", with_array(number(ValueType::I32), power(62) + 1), {bad_array}, {}, at});
  Bytes two = string_value("first");
  append(two, string_value("second"));
  cases.push_back({"KV-15", with_array(number(ValueType::String), power(60), two), {bad_array}, {}, at});
  cases.push_back({"KV-20", with_array(number(ValueType::Array), power(33)), {bad_array}, {}, at});
  check_all(cases);
}

/// An array value nested `depth` deep, one array in each.
Bytes nested(int depth) {
  Bytes out;
  for (int i = 1; i < depth; ++i) append(out, array_value(number(ValueType::Array), 1, {}));
  append(out, array_value(number(ValueType::U8), 1, to_bytes<std::uint8_t>(7)));
  return out;
}

TEST(GgufKeys, NestedArrays) {
  Bytes two = array_value(number(ValueType::U8), 2, Bytes(2));
  append(two, array_value(number(ValueType::String), 1, string_value("text")));
  const auto array = number(ValueType::Array);
  check_all({
      {"KV-18", with_array(array, 2, two), {}, {}, {}},
      {"KV-19 4", with_key(array, nested(4)), {}, {}, {}},
      {"KV-19 5", with_key(array, nested(5)), {too_deep}, {"key 3 'x.y'", "4"}, {}},
      {"KV-19 20000", with_key(array, nested(20000)), {too_deep}, {"key 3 'x.y'"}, {}},
  });
}

TEST(GgufKeys, AllTypesAreAccepted) {
  TinyModel model;
  model.set<std::uint8_t>("x.u8", 1).set<std::int8_t>("x.i8", -1).set<std::uint16_t>("x.u16", 1);
  model.set<std::int16_t>("x.i16", -1).set<std::uint32_t>("x.u32", 1).set<std::int32_t>("x.i32", -1);
  model.set("x.f32", std::nanf("")).set("x.bool", true).set("x.string", "");
  model.set<std::uint64_t>("x.u64", kMax).set<std::int64_t>("x.i64", -1);
  model.set("x.f64", std::numeric_limits<double>::infinity());
  for (std::uint32_t element = 0; element <= 12; ++element)
    model.set_raw("x.empty." + std::to_string(element), number(ValueType::Array),
                  array_value(element, 0, {}));
  check({"KV-22", model.bytes(), {}, {}, {}});
  const std::string odd("a\0b\x1b[2J\n%n\xff", 11);
  check({"KV-24", TinyModel().set("general.name", odd).bytes(), {}, {}, {}});
  const Bytes bytes = model.bytes();
  const gguf::File file = gguf::parse(bytes, "all.gguf");
  EXPECT_EQ(file.metadata.find_uint("x.u64", 0, kMax), kMax);
  EXPECT_EQ(file.metadata.find_string("x.string"), "");
}

}  // namespace
}  // namespace armature::test
