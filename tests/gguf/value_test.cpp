#include "gguf/value.h"

#include <gtest/gtest.h>

#include "gguf/reader.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

using gguf::Elements;
using gguf::Scalar;
using gguf::Value;
using gguf::ValueType;

/// A file with one key more, read back.
class ValueTest : public testing::Test {
 protected:
  Value value_of(TinyModel model) {
    bytes_ = model.bytes();
    file_ = gguf::parse(bytes_, "tiny.gguf");
    return Value::of(*file_.metadata.find("x.y"));
  }
  template <class T>
  Scalar scalar_of(T value) {
    return value_of(TinyModel().set("x.y", value)).scalar();
  }

  Bytes bytes_;
  gguf::File file_;
};

TEST_F(ValueTest, Scalars) {
  EXPECT_EQ(scalar_of(std::uint8_t{200}), Scalar(std::uint64_t{200}));
  EXPECT_EQ(scalar_of(std::int8_t{-7}), Scalar(std::int64_t{-7}));
  EXPECT_EQ(scalar_of(std::uint16_t{65535}), Scalar(std::uint64_t{65535}));
  EXPECT_EQ(scalar_of(std::int16_t{-1}), Scalar(std::int64_t{-1}));
  EXPECT_EQ(scalar_of(std::uint32_t{4000000000}), Scalar(std::uint64_t{4000000000}));
  EXPECT_EQ(scalar_of(std::int32_t{-5}), Scalar(std::int64_t{-5}));
  EXPECT_EQ(scalar_of(~std::uint64_t{0}), Scalar(~std::uint64_t{0}));
  EXPECT_EQ(scalar_of(std::int64_t{-9}), Scalar(std::int64_t{-9}));
  EXPECT_EQ(scalar_of(1e-5f), Scalar(1e-5f));
  EXPECT_EQ(scalar_of(1e-5), Scalar(1e-5));
  EXPECT_EQ(scalar_of(true), Scalar(true));
  EXPECT_EQ(scalar_of(std::string("a\0b", 3)), Scalar(std::string_view("a\0b", 3)));
}

TEST_F(ValueTest, ArraysOfNumbersAndStrings) {
  const Value numbers = value_of(TinyModel().set("x.y", std::vector<std::int16_t>{3, -2}));
  EXPECT_EQ(numbers.count, 2u);
  Elements each(numbers);
  EXPECT_EQ(each.next().scalar(), Scalar(std::int64_t{3}));
  EXPECT_EQ(each.next().scalar(), Scalar(std::int64_t{-2}));
  EXPECT_TRUE(each.at_end());

  Elements texts(value_of(TinyModel().set("x.y", std::vector<std::string>{"", "ab"})));
  EXPECT_EQ(texts.next().scalar(), Scalar(std::string_view("")));
  EXPECT_EQ(texts.next().scalar(), Scalar(std::string_view("ab")));
  EXPECT_TRUE(texts.at_end());
  EXPECT_TRUE(Elements(value_of(TinyModel().set("x.y", std::vector<std::string>{}))).at_end());
}

TEST_F(ValueTest, ArraysOfArrays) {
  const Bytes numbers = array_value(number(ValueType::U8), 2, to_bytes<std::uint16_t>(0x0201));
  const Bytes texts = array_value(number(ValueType::String), 1, string_value("ab"));
  Bytes both = array_value(number(ValueType::Array), 2, {});
  append(both, array_value(number(ValueType::Array), 1, numbers));
  append(both, texts);
  Elements outer(value_of(TinyModel().set_raw("x.y", number(ValueType::Array), both)));
  Elements nested(outer.next());
  Elements inner(nested.next());
  EXPECT_EQ(inner.next().scalar(), Scalar(std::uint64_t{1}));
  EXPECT_EQ(inner.next().scalar(), Scalar(std::uint64_t{2}));
  EXPECT_TRUE(inner.at_end() && nested.at_end());
  EXPECT_EQ(Elements(outer.next()).next().scalar(), Scalar(std::string_view("ab")));
  EXPECT_TRUE(outer.at_end());
}

}  // namespace
}  // namespace armature::test
