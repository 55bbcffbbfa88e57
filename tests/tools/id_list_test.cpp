#include "tools/cli/id_list.h"

#include <gtest/gtest.h>

#include "gguf/error.h"

namespace armature::tools {
namespace {

std::vector<int> parsed(std::string_view text) {
  std::vector<int> ids;
  for (const TokenId id : parse_id_list(text)) ids.push_back(static_cast<int>(id));
  return ids;
}

TEST(IdList, CommasBlanksAndBrackets) {
  const std::vector<int> ids = {1, 20, 3};
  for (const char* text : {"1,20,3", "1 20 3", " 1, 20 ,3\r\n", "[1, 20, 3]", "\t1\t20  3 ", "[ 1 20,3 ]"})
    EXPECT_EQ(parsed(text), ids) << text;
  EXPECT_EQ(parsed("2147483647"), std::vector<int>{2147483647});
  for (const char* none : {"", "  ", "[]", "[ ]\n"}) EXPECT_TRUE(parsed(none).empty()) << none;
}

TEST(IdList, RefusesWhatIsNoId) {
  for (const char* text :
       {"a", "1,a", "-1", "+1", "1.5", "0x1", "2147483648", "1,,2", ",1", "1,", "[1", "1]", "1;2"})
    EXPECT_THROW(parse_id_list(text), Error) << text;
}

}  // namespace
}  // namespace armature::tools
