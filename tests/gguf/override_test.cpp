#include "gguf/override.h"

#include <gtest/gtest.h>

#include "gguf/reader.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

using gguf::parse_override;

TEST(Override, ReplacesOrAddsAKey) {
  const Bytes file = TinyModel().bytes();
  gguf::File parsed = gguf::parse(file, "tiny.gguf");
  const std::size_t n_keys = parsed.metadata.keys().size();
  for (const char* text :
       {"llama.block_count=int:7", "general.name=str:a:b=c", "zz.new=bool:true", "aa.new=float:0.5"})
    parsed.metadata.replace(parse_override(text));
  const gguf::Metadata& original = parsed.metadata;
  const gguf::Metadata copy = original;
  for (const gguf::Metadata* m : {&original, &copy}) {
    EXPECT_EQ(m->keys().size(), n_keys + 2);
    EXPECT_EQ(m->require_uint("llama.block_count", 0, 100), 7u);
    EXPECT_EQ(m->require_string("general.name"), "a:b=c");
    EXPECT_EQ(m->find_bool("zz.new"), true);
    EXPECT_EQ(m->find_float("aa.new"), 0.5);
    EXPECT_EQ(m->require_string("general.architecture"), "llama");
  }
  // An error about such a key has no place in the file to name.
  EXPECT_STREQ(copy.error(ErrorCode::bad_value, "llama.block_count", "no").what(),
               "tiny.gguf: overridden key 'llama.block_count': no");
}

TEST(Override, TextsThatAreNoneAreRefused) {
  for (const char* text : {"", "a", "a=", "a=int", "=int:1", "a=int:", "a=int:1x", "a=int:1.5", "a=float:nan",
                           "a=bool:1", "a=u32:1", "a=int:99999999999999999999"}) {
    try {
      parse_override(text);
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_argument) << text;
    }
  }
}

}  // namespace
}  // namespace armature::test
