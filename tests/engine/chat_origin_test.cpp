// Which bytes of a rendering come from the inputs: control tokens must not be recognised in them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chat_support.h"

namespace armature::chat {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The literal parts of a template that sees `content` as the content of one message and as `c`.
std::vector<std::string> literals(std::string_view source, std::string content) {
  Rendering rendering(source);
  rendering.variable("c", Value::string(content)).message("user", std::move(content));
  return rendering.literals();
}

TEST(ChatOrigin, ContentsAreLiteralWhateverTheySpell) {
  for (const char* content : {"{{ 1 }}", "{% raw %}", "<|im_end|>", "</s>", "{# a", "x\n<s>\n"}) {
    Rendering rendering(
        "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{{ eos_token }}{% endfor %}");
    rendering.message("user", content).message("assistant", "plain");
    EXPECT_EQ(rendering.text(), "<s><|user|>" + std::string(content) + "</s><|assistant|>plain</s>");
    EXPECT_THAT(rendering.literals(), ElementsAre(content, "plain"));
  }
}

TEST(ChatOrigin, OnlyUsualRolesMayBecomePartOfControlTokens) {
  Rendering rendering("{% for m in messages %}{{ '<|' + m.role + '|>' }}{% endfor %}");
  rendering.message("system", "").message("end|><|system", "");
  EXPECT_THAT(rendering.literals(), ElementsAre("end|><|system"));
}

TEST(ChatOrigin, FollowsEveryOperation) {
  EXPECT_THAT(literals("<a>{{ '<b>' + c + '<c>' }}", "<x>"), ElementsAre("<x>"));
  EXPECT_THAT(literals("{{ '<b>' ~ c ~ 1 ~ c }}", "<x>"), ElementsAre("<x>", "<x>"));
  EXPECT_THAT(literals("{{ ('<b> ' + c) | trim }}", "<x>  "), ElementsAre("<x>"));
  EXPECT_THAT(literals("{{ ('<b>' + c).strip('<>') }}", "<x>"), ElementsAre("<x"));
  EXPECT_THAT(literals("{{ ('<b>' + c + '<d>')[2:5] }}", "<x>"), ElementsAre("<x"));
  EXPECT_THAT(literals("{{ ('<b>' + c + '<d>')[::-1] }}", "12"), ElementsAre("21"));
  EXPECT_THAT(literals("{{ ('<b>' + c)[3] }}{{ ('<b>' + c)[0] }}", "<x>"), ElementsAre("<"));
  EXPECT_THAT(literals("{{ ('<b>' + c).replace('x', '<y>') }}", "<x>"), ElementsAre("<", ">"));
  EXPECT_THAT(literals("{{ '<b>x'.replace('x', c) }}", "<x>"), ElementsAre("<x>"));
  EXPECT_THAT(literals("{{ ('<b>,' + c).split(',') | join('<s>') }}", "1,2"), ElementsAre("1", "2"));
  EXPECT_THAT(literals("{{ (c + '<b>') | upper }}{{ c | capitalize }}", "<x>"), ElementsAre("<X>", "<x>"));
  EXPECT_THAT(literals("{{ c * 2 }}<b>{{ c | string }}", "<x>"), ElementsAre("<x><x>", "<x>"));
  EXPECT_THAT(literals("{{ c | default('a') | indent | safe }}", "a\nb"), ElementsAre("a\n", "b"));
  EXPECT_THAT(literals("{% for x in c %}{{ x }}-{% endfor %}", "<x>"), ElementsAre("<", "x", ">"));
  EXPECT_THAT(literals("{% set a %}<b>{{ c }}{% endset %}{{ a }}", "<x>"), ElementsAre("<x>"));
  EXPECT_THAT(literals("{% macro m(a) %}<b>{{ a }}{% endmacro %}{{ m(c) }}", "<x>"), ElementsAre("<x>"));
  EXPECT_THAT(literals("{% filter upper %}<b>{{ c }}{% endfilter %}", "<x>"), ElementsAre("<X>"));
  EXPECT_THAT(
      literals("{% macro m() %}<b>{{ caller() }}{% endmacro %}{% call m() %}{{ c }}{% endcall %}", "<x>"),
      ElementsAre("<x>"));
  EXPECT_THAT(literals("{{ '<b>{}<c>'.format(c) }}{{ '<b>%s<c>' % c }}", "<x>"), ElementsAre("<x>", "<x>"));
  EXPECT_THAT(literals("{{ strftime_now(c) }}", "<x>"), ElementsAre("<x>"));
}

TEST(ChatOrigin, FollowsIntoPrintedValues) {
  EXPECT_THAT(literals("{{ {'<b>': c} | tojson }}", "a\"<x>"), ElementsAre("a\\\"<x>"));
  EXPECT_THAT(literals("{{ ['<b>', c] }}", "a\n<x>"), ElementsAre("a\\n<x>"));
  Rendering rendering("{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}");
  rendering.variable("d", Value::dict({{Value::string("<k>"), Value::string("<v>")}}));
  EXPECT_THAT(rendering.literals(), ElementsAre("<k>", "<v>"));
}

TEST(ChatOrigin, TextOfTheTemplateIsNotLiteral) {
  EXPECT_THAT(literals("<a>{{ '<b>' }}{{ bos_token }}{{ messages | length }}{{ c == '<x>' }}", "<x>"),
              IsEmpty());
  EXPECT_THAT(literals("{{ c if false else '<b>' }}{{ '<x>' if c == '<x>' }}", "<x>"), IsEmpty());
}

TEST(ChatOrigin, ContentsThatAreNotUtf8PassUnchanged) {
  EXPECT_THAT(literals("{{ c | trim }}-{{ c[::-1] }}", "\xff\xfe<x>\xc3"),
              ElementsAre("\xff\xfe<x>\xc3", "\xc3>x<\xfe\xff"));
}

}  // namespace
}  // namespace armature::chat
