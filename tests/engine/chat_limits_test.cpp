// Templates that are wrong, hostile or refuse to work.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "chat_support.h"

namespace armature::chat {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string repeated(std::string_view part, std::size_t n) {
  std::string text;
  text.reserve(part.size() * n);
  for (std::size_t i = 0; i < n; ++i) text += part;
  return text;
}

/// Checks that an error comes, and in time.
std::string quick_error_of(std::string_view source) {
  const auto start = std::chrono::steady_clock::now();
  const std::string error = error_of(source);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << source.substr(0, 100);
  return error;
}

TEST(ChatLimits, NestingEndsAt64) {
  constexpr std::size_t kMany = 20000;
  const std::string parentheses = "{{ " + repeated("(", kMany) + "1" + repeated(")", kMany) + " }}";
  EXPECT_THAT(error_of(parentheses), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of(repeated("{% if 1 %}", kMany) + repeated("{% endif %}", kMany)),
              HasSubstr("nested deeper than 64"));
  for (const std::string name : {"filter trim", "with", "call f()"}) {
    const std::string end = "{% end" + name.substr(0, name.find(' ')) + " %}";
    EXPECT_THAT(error_of(repeated("{% " + name + " %}", kMany) + repeated(end, kMany)),
                HasSubstr("nested deeper than 64"));
  }
  EXPECT_THAT(error_of("{{ " + repeated("not ", kMany) + "1 }}"), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of("{{ " + repeated("- ", kMany) + "1 }}"), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of("{{ " + repeated("[", kMany)), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of("{{ " + repeated("{'a': ", kMany)), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of("{{ " + repeated("a[", kMany)), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of("{{ " + repeated("range(", kMany)), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of("{{ " + repeated("1 if 1 else ", kMany) + "1 }}"), HasSubstr("nested deeper than 64"));
}

TEST(ChatLimits, WhatIsLongButNotNestedIsAllowed) {
  constexpr std::size_t kMany = 20000;
  EXPECT_EQ(render("{{ " + repeated("1 + ", kMany) + "1 }}"), "20001");
  EXPECT_EQ(render("{{ '' " + repeated("~ 'a' ", 100) + "}}"), repeated("a", 100));
  EXPECT_EQ(render("{{ 'a'" + repeated(" | trim", kMany) + " }}"), "a");
  EXPECT_EQ(render("{{ " + repeated("false or ", kMany) + "7 }}"), "7");
  EXPECT_EQ(render("{% if false %}" + repeated("{% elif false %}", kMany) + "{% else %}x{% endif %}"), "x");
}

TEST(ChatLimits, RecursionOfMacrosEnds) {
  EXPECT_THAT(error_of("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
              HasSubstr("nested deeper than 64"));
  EXPECT_THAT(error_of("{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{% endmacro %}{{ f() }}"),
              HasSubstr("nested deeper than 64"));
  // Much nesting in each call: the stack is bounded as a whole.
  const std::string nested = repeated("{% if true %}", 50) + "{{ " + repeated("(", 5) + "f()" +
                             repeated(")", 5) + " }}" + repeated("{% endif %}", 50);
  EXPECT_THAT(error_of("{% macro f() %}" + nested + "{% endmacro %}{{ f() }}"), HasSubstr("nested deeper"));
}

TEST(ChatLimits, WorkEndsWithinASecond) {
  const auto ends = AnyOf(HasSubstr("steps"), HasSubstr("longer than 4 MiB"));
  EXPECT_THAT(quick_error_of("{% for i in range(1000000000) %}{% endfor %}"), ends);
  EXPECT_THAT(quick_error_of("{{ 'a' * 1000000000 }}"), ends);
  EXPECT_THAT(quick_error_of("{{ ([0] * 1000000000) | length }}"), ends);
  EXPECT_THAT(quick_error_of("{{ '' * 1000000000 }}{{ [] * 1000000000 }}x{{ 'a' * 5000000 }}"), ends);
  const std::string loops = "{% for i in range(1000) %}{% for j in range(1000) %}{% for k in range(1000) %}";
  EXPECT_THAT(quick_error_of(loops + repeated("{% endfor %}", 3)), ends);
  EXPECT_THAT(quick_error_of("{% set ns = namespace(s='a') %}{% for i in range(1000) %}"
                             "{% set ns.s = ns.s + ns.s %}{% endfor %}"),
              ends);
  EXPECT_THAT(quick_error_of("{% set ns = namespace(s='a' * 4000000) %}{% for i in range(100000) %}"
                             "{% set ns.s = ns.s | upper | lower %}{% endfor %}"),
              ends);
  EXPECT_THAT(quick_error_of("{% set s = 'a' * 2000000 %}{% for i in range(100000) %}"
                             "{% if s == 'a' * 2000000 %}{% endif %}{% endfor %}"),
              ends);
  EXPECT_THAT(quick_error_of("{% for c in 'a' * 4000000 %}{% endfor %}"), ends);
  EXPECT_THAT(
      quick_error_of("{% for i in range(100000) %}{{ 'abcdefghijklmnopqrstuvwxyz' * 1000 }}{% endfor %}"),
      ends);
}

TEST(ChatLimits, SearchingIsNotQuadratic) {
  const std::string source =
      "{% set text = 'a' * 2000000 %}{% set part = 'a' * 1000000 + 'b' %}"
      "{{ part in text }}{{ text.split(part) | length }}{{ text.replace(part, '') == text }}";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(render(source), "False1True");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_THAT(quick_error_of("{{ ('a' * 2000000).rsplit('a' * 1000000 + 'ba', 5) }}"), HasSubstr("steps"));
}

TEST(ChatLimits, ValuesThatShareTheirPartsAreBounded) {
  // 2^60 leaves when walked as a tree.
  const std::string source =
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
  EXPECT_THAT(quick_error_of(source + "{{ ns.x }}"), AnyOf(HasSubstr("steps"), HasSubstr("4 MiB")));
  EXPECT_THAT(quick_error_of(source + "{{ ns.x | tojson }}"), AnyOf(HasSubstr("steps"), HasSubstr("4 MiB")));
  EXPECT_THAT(quick_error_of(source + "{% set y = [ns.x] %}{{ y == [ns.x] }}"), HasSubstr("steps"));
  EXPECT_THAT(
      error_of(
          "{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}"),
      HasSubstr("nested deeper than 64"));
}

TEST(ChatLimits, ObjectsThatHoldEachOtherAreFreed) {
  EXPECT_EQ(render("{% set a = namespace() %}{% set a.a = a %}{% for i in range(3) %}{% set a.loop = loop %}"
                   "{% endfor %}{% macro m() %}{% endmacro %}{% set a.m = m %}{{ a.loop.index0 }}"),
            "2");
  EXPECT_EQ(render("{% set a = namespace(last=none) %}{% for i in range(20000) %}"
                   "{% set a.last = namespace(last=a.last) %}{% endfor %}x"),
            "x");
}

TEST(ChatLimits, ListsDoNotGrow) {
  EXPECT_THAT(error_of("{% set x = [1] %}{% for i in x %}{{ x.append(i) }}{% endfor %}"),
              HasSubstr("no method 'append'"));
}

TEST(ChatErrors, NameLineAndColumn) {
  EXPECT_EQ(error_of("a\n{{ b\n"),
            "chat template: line 2, column 1: a tag that is not closed: '}}' is missing");
  EXPECT_EQ(error_of("\xc3\xa9{% if x %}"),
            "chat template: line 1, column 5: 'if' is not closed: 'endif' is missing");
  EXPECT_EQ(error_of("a\nbc\xff"), "chat template: line 2, column 3: bytes that are not UTF-8");
  EXPECT_THAT(error_of("{% for m in messages %}{{ m.content }"),
              StartsWith("chat template: line 1, column 37: "));
  EXPECT_THAT(error_of("{# never closed"), StartsWith("chat template: line 1, column 1: "));
  EXPECT_THAT(error_of("{% raw %}{% endfor %}"), StartsWith("chat template: line 1, column 1: "));
  EXPECT_THAT(error_of("{{ 'abc }}"), StartsWith("chat template: line 1, column 4: "));
  EXPECT_THAT(
      error_of("\n\n   {{ 1 + 'a' }}"),
      StartsWith("chat template: line 3, column 9: '+' is not possible between an integer and a string"));
}

TEST(ChatErrors, RejectWhatIsNotInTheLanguage) {
  for (const char* source : {"{% include 'a' %}",
                             "{% import 'os' as os %}",
                             "{% from 'a' import b %}",
                             "{% extends 'a' %}",
                             "{% endif %}",
                             "{% else %}",
                             "{% break %}",
                             "{{ }}",
                             "{{ a b }}",
                             "{{ (1 }}",
                             "{{ 1) }}",
                             "{% set %}",
                             "{% for in x %}{% endfor %}",
                             "{% if x %}{% endfor %}",
                             "{{ a. }}",
                             "{{ a[] }}",
                             "{{ a | }}",
                             "{{ ! }}",
                             "{{ 99999999999999999999 }}",
                             "{{ '\\ud800' }}",
                             "{{ f(a=1, 2) }}",
                             "{% macro m( %}{% endmacro %}",
                             "{{ 'a' | nosuchfilter }}",
                             "{{ 'a' is nosuchtest }}",
                             "{{ nosuchfunction() }}"}) {
    EXPECT_THAT(error_of(source), StartsWith("chat template: line 1, column ")) << source;
  }
}

TEST(ChatErrors, NothingButTheInputsCanBeReached) {
  EXPECT_EQ(render("{{ messages.__class__ }}{{ ''.__class__ }}{{ range.__globals__ }}"), "");
  EXPECT_THAT(error_of("{{ ''.__class__.__mro__ }}"), HasSubstr("'__class__' of a string is undefined"));
  EXPECT_THAT(error_of("{{ ''.__class__() }}"), HasSubstr("no method '__class__'"));
  EXPECT_THAT(error_of("{{ open('/etc/passwd') }}"), HasSubstr("'open' (undefined) cannot be called"));
}

TEST(ChatErrors, ShowTheTextOfAnException) {
  EXPECT_THAT(error_of("{{ raise_exception('no system') }}"), HasSubstr("'no system'"));
  EXPECT_THAT(error_of("{{ raise_exception('\x1b[2J') }}"), HasSubstr("'\\x1b[2J'"));
  EXPECT_THAT(error_of("{{ raise_exception('" + repeated("long ", 60) + "end') }}"), HasSubstr("long end'"));
}

TEST(ChatErrors, ATemplateMayRefuseOnlySomeMessages) {
  const std::string_view source =
      "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}ok";
  EXPECT_EQ(Rendering(source).message("user", "a").text(), "ok");
  EXPECT_THAT(Rendering(source).message("system", "a").error(), HasSubstr("no system"));
}

TEST(ChatErrors, LookingIntoUndefined) {
  EXPECT_THAT(error_of("{{ a.b }}"), HasSubstr("'a' is undefined, so it has no 'b'"));
  EXPECT_THAT(error_of("{{ a[0] }}"), HasSubstr("'a' is undefined"));
  EXPECT_THAT(error_of("{{ 'x' + a }}"), HasSubstr("'a' (undefined)"));
  EXPECT_THAT(error_of("{{ a | tojson }}"), HasSubstr("'a' (undefined)"));
}

TEST(ChatErrors, ALargeTemplateTakesTimeInItsLength) {
  constexpr std::size_t kMiB = 1 << 20;
  const auto start = std::chrono::steady_clock::now();
  for (const char* part : {"{{ 1 }}", "  {% if a %}\n{% endif %}", "{# a #}\n", "{", "\n", "   ",
                           "{% set a = 'b' %}", "{{ '", "{% raw %}{% x", "{{ a.b|c", "\\"}) {
    const std::string source = repeated(part, kMiB / std::string_view(part).size());
    try {
      Template::parse(source);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_template);
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace armature::chat
