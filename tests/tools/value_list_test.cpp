// Flags that take several values.
#include "tools/cli/value_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace armature::tools {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(ValueList, NumbersAndRanges) {
  EXPECT_THAT(parse_integers("512"), Optional(ElementsAre(512)));
  EXPECT_THAT(parse_integers("3,1,2"), Optional(ElementsAre(3, 1, 2)));
  EXPECT_THAT(parse_integers("1-4"), Optional(ElementsAre(1, 2, 3, 4)));
  EXPECT_THAT(parse_integers("5-5"), Optional(ElementsAre(5)));
  EXPECT_THAT(parse_integers("10-100+40"), Optional(ElementsAre(10, 50, 90)));
  EXPECT_THAT(parse_integers("16-128*2"), Optional(ElementsAre(16, 32, 64, 128)));
  EXPECT_THAT(parse_integers("1,8-32*2,7"), Optional(ElementsAre(1, 8, 16, 32, 7)));
  EXPECT_THAT(parse_integers("-1,0"), Optional(ElementsAre(-1, 0)));
  EXPECT_THAT(parse_integers("-1-1"), Optional(ElementsAre(-1, 0, 1)));
}

TEST(ValueList, WhatIsNoList) {
  for (const std::string_view text :
       {"",      ",",     "1,",           ",1",    "1,,2",
        "x",     "1 ",    "1-",           "-",     "1-2-3",
        "1-2+",  "1-2+x", "4-2",          "1-4+0", "1-4*1",
        "0-4*2", "1-4/2", "1-2147483647", "1.5",   "9223372036854775807-9223372036854775808"})
    EXPECT_EQ(parse_integers(text), std::nullopt) << text;
}

TEST(ValueList, AsLongAsTheyMayBe) {
  EXPECT_THAT(parse_integers("1-10000"), Optional(testing::SizeIs(kMostListed)));
  EXPECT_EQ(parse_integers("0-10000"), std::nullopt);
  EXPECT_THAT(parse_integers("1-9223372036854775807*9223372036854775807"), std::nullopt);
}

TEST(ValueList, SplittingKeepsEmptyPieces) {
  EXPECT_THAT(split_at_commas("a,,b,"), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split_at_commas(""), ElementsAre(""));
}

}  // namespace
}  // namespace armature::tools
