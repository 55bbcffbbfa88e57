// Vocabularies with one fault through `armature tokenize`: one error that names the file and the key, or the
// ids that the good file gives. The names of the cases are those of the contract on malformed files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/support/vocabularies.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kPrefix = "tokenizer.ggml.";
constexpr std::size_t kTokens = 64;

using Change = std::function<void(TinyModel&)>;

template <class T>
Change set(const std::string& key, T value) {
  return [=](TinyModel& model) { model.set(kPrefix + key, value); };
}
Change erase(const std::string& key) {
  return [=](TinyModel& model) { model.erase_key(kPrefix + key); };
}

std::vector<std::int32_t> types() {
  std::vector<std::int32_t> types(kTokens, 1);
  types[0] = 2;
  types[1] = types[2] = 3;
  return types;
}

/// A type for one token, out of the way of the text.
Change set_type(std::int32_t type) {
  auto changed = types();
  changed[kTokens - 1] = type;
  return set("token_type", changed);
}

/// Text and type of the last token.
Change set_last(const std::string& text, std::int32_t type) {
  return [=](TinyModel& model) {
    std::vector<std::string> tokens = {"<unk>", "<s>", "</s>", "\u2581"};
    for (char c = 'a'; c <= 'z'; ++c) tokens.emplace_back(1, c);
    tokens.resize(kTokens - 1, "");
    tokens.push_back(text);
    for (std::size_t i = 30; i + 1 < kTokens; ++i) tokens[i] = "piece" + std::to_string(i);
    auto changed = types();
    changed.back() = type;
    model.set(kPrefix + "tokens", tokens).set(kPrefix + "token_type", changed);
  };
}

/// Turns the model into one of byte-level BPE.
TinyModel gpt2_model() {
  const TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  TinyModel model;
  model.set(kPrefix + "model", std::string("gpt2")).set(kPrefix + "pre", vocabulary.pre);
  model.set(kPrefix + "tokens", vocabulary.tokens).set(kPrefix + "token_type", vocabulary.types);
  model.set(kPrefix + "add_bos_token", false);
  return model.set(kPrefix + "merges", vocabulary.merges).erase_key(kPrefix + "scores");
}

Outcome tokenize(const TinyModel& model) {
  return ModelFile(model).command("tokenize", {"--ids", "-p", "hello"});
}

struct Refused {
  const char* id;
  Change change;
  std::vector<std::string> says;
};

void expect_refused(const TinyModel& good, const std::vector<Refused>& cases) {
  for (const Refused& c : cases) {
    TinyModel model = good;
    c.change(model);
    const ModelFile file(model);
    const Outcome outcome = file.command("tokenize", {"--ids", "-p", "hello"});
    EXPECT_EQ(outcome.status, 1) << c.id << " signal " << outcome.signal;
    EXPECT_EQ(outcome.out, "") << c.id;
    EXPECT_THAT(outcome.err, StartsWith("error: " + file.path() + ": ")) << c.id;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << c.id;
    for (const std::string& part : c.says) EXPECT_THAT(outcome.err, HasSubstr(part)) << c.id;
  }
}

TEST(TokenizeMalformed, Refused) {
  std::vector<float> nan(kTokens);
  nan[17] = std::numeric_limits<float>::quiet_NaN();
  expect_refused(
      TinyModel(),
      {
          {"VOC-01 none", erase("tokens"), {"tokenizer.ggml.tokens", "missing"}},
          {"VOC-01 empty", set("tokens", std::vector<std::string>()), {"tokenizer.ggml.tokens", "no tokens"}},
          {"VOC-01 u32",
           set("tokens", std::vector<std::uint32_t>(kTokens)),
           {"tokenizer.ggml.tokens", "u32"}},
          {"VOC-01 one", set("tokens", std::string("a")), {"tokenizer.ggml.tokens", "string"}},
          {"VOC-02 63", set("scores", std::vector<float>(63)), {"scores", "63", "64"}},
          {"VOC-02 1", set("scores", std::vector<float>(1)), {"scores", "1 elements", "64"}},
          {"VOC-02 65", set("scores", std::vector<float>(65)), {"scores", "65", "64"}},
          {"VOC-03 u8", set("scores", std::vector<std::uint8_t>(kTokens)), {"scores", "u8"}},
          {"VOC-03 strings", set("scores", std::vector<std::string>(kTokens)), {"scores", "string"}},
          {"VOC-03 one", set("scores", 1.0f), {"scores", "f32"}},
          {"VOC-04 8", set("token_type", std::vector<std::int32_t>(8, 1)), {"token_type", "8", "64"}},
          {"VOC-04 u8", set("token_type", std::vector<std::uint8_t>(kTokens, 1)), {"token_type", "u8"}},
          {"VOC-05", set("scores", nan), {"scores", "token 17"}},
          {"VOC-06 bos", set("bos_token_id", 64u), {"bos_token_id", "64"}},
          {"VOC-06 eos", set("eos_token_id", 1'000'000u), {"eos_token_id", "1000000"}},
          {"VOC-06 unk", set("unknown_token_id", 4294967294u), {"unknown_token_id", "4294967294"}},
          {"VOC-08 none", erase("model"), {"tokenizer.ggml.model", "missing"}},
          {"VOC-08 odd", set("model", std::string("nosuchtok")), {"'nosuchtok'", "'gpt2'", "'llama'"}},
          {"VOC-08 u32", set("model", 7u), {"tokenizer.ggml.model", "u32"}},
      });
  expect_refused(gpt2_model(),
                 {
                     {"VOC-09 none", erase("merges"), {"merges", "missing"}},
                     {"VOC-09 u32", set("merges", std::vector<std::uint32_t>(3)), {"merges", "u32"}},
                     {"VOC-09 one", set("merges", std::string("a b")), {"merges", "string"}},
                     {"VOC-12", set("pre", std::string("nosuchpre")), {"'nosuchpre'", "--override-kv"}},
                 });
}

struct Accepted {
  const char* id;
  Change change;
  std::string warns;  // empty: nothing on standard error
};

void expect_accepted(const TinyModel& good, const std::string& ids, const std::vector<Accepted>& cases) {
  for (const Accepted& c : cases) {
    TinyModel model = good;
    c.change(model);
    const Outcome outcome = tokenize(model);
    EXPECT_EQ(outcome.status, 0) << c.id << ": " << outcome.err << " signal " << outcome.signal;
    EXPECT_EQ(outcome.out, ids) << c.id;
    EXPECT_EQ(outcome.err.empty(), c.warns.empty()) << c.id << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(c.warns)) << c.id;
  }
}

TEST(TokenizeMalformed, Accepted) {
  const std::string ids = tokenize(TinyModel()).out;
  ASSERT_THAT(ids, StartsWith("[1, "));
  expect_accepted(TinyModel(), ids,
                  {
                      {"VOC-04 99", set_type(99), "99"},
                      {"VOC-07", set("padding_token_id", 64u), "padding_token_id"},
                      {"VOC-20", [](TinyModel& model) { model.tensors.clear(); }, ""},
                  });
  // Of these the text takes single letters.
  const std::string letters = tokenize([] {
                                TinyModel model;
                                set_last("x", 5)(model);
                                return model;
                              }())
                                  .out;
  ASSERT_THAT(letters, StartsWith("[1, "));
  std::vector<Accepted> cases = {
      {"VOC-14", set_last("h", 1), ""},
      {"VOC-16 not UTF-8", set_last("\xFF\xFE", 1), ""},
      {"VOC-16 long", set_last(std::string(300'000, 'h'), 1), ""},
      {"VOC-16 long control", set_last(std::string(300'000, 'h'), 3), ""},
  };
  for (const std::int32_t type : {1, 3, 4}) cases.push_back({"VOC-15", set_last("", type), ""});
  for (const char* text : {"<0xZZ>", "<0x-1>", "<0x", ""})
    cases.push_back({"VOC-17", set_last(text, 6), "of type byte"});
  expect_accepted(TinyModel(), letters, cases);
}

TEST(TokenizeMalformed, AcceptedForBpe) {
  expect_accepted(
      gpt2_model(), "[265]\n",
      {
          {"VOC-02 none", [](TinyModel&) {}, ""},
          {"VOC-10",
           set("merges",
               std::vector<std::string>{"h e", "", " ", "nospace", "a b c", "l l", "he ll", "hell o"}),
           "merge 1 ''"},
          {"VOC-11", set("merges", std::vector<std::string>{"x y", "xy z", "h e", "l l", "he ll", "hell o"}),
           ""},
      });
}

TEST(TokenizeMalformed, BytesWithoutTokens) {
  const Outcome unknown = ModelFile(TinyModel()).command("tokenize", {"--ids", "--no-bos", "-p", "\u00E9"});
  EXPECT_EQ(unknown.status, 0);
  EXPECT_THAT(unknown.out, HasSubstr(" 0, 0]")) << "VOC-18, RUN-06";
  EXPECT_THAT(unknown.err, HasSubstr("the unknown token stands for 2 bytes"));
  TinyModel none;
  none.erase_key(kPrefix + "unknown_token_id")
      .set(kPrefix + "token_type", std::vector<std::int32_t>(kTokens, 1));
  const Outcome refused = tokenize(none);
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("has no token and there is no unknown token"));
}

}  // namespace
}  // namespace armature::test
