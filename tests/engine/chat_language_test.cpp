// The template language, one rule at a time. Expected texts are those of the reference implementation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chat_support.h"

namespace armature::chat {
namespace {

struct Example {
  const char* source;
  const char* text;
};

void check(std::initializer_list<Example> examples) {
  for (const Example& example : examples) {
    try {
      EXPECT_EQ(render(example.source), example.text) << example.source;
    } catch (const Error& error) {
      ADD_FAILURE() << example.source << ": " << error.what();
    }
  }
}

TEST(ChatLanguage, WhiteSpaceControl) {
  check({
      {"a\n", "a"},
      {"a\n\n", "a\n"},
      {"a\r\nb\rc", "a\nb\nc"},
      {"  {% if true %}\n  x\n  {% endif %}\ny", "  x\ny"},
      {"a {% if true %}\nb{% endif %}", "a b"},
      {"a  {%- if true -%}  \n b {%- endif +%}\n", "ab"},
      {"a\n  {%+ if true %}b{% endif %}", "a\n  b"},
      {"{{ 1 }}\n{{ 2 }}\n", "1\n2"},
      {"a \n {{- 1 -}} \n b", "a1b"},
      {"  {{ 1 }}", "  1"},
      {"  {# c #}\nx", "x"},
      {"a {#- c -#} b", "ab"},
      {"a\n{% if true %}\n  {% if true %}\n b{% endif %}{% endif %}", "a\n b"},
      {"{% raw %}{{ x }}{% y %}{% endraw %}z", "{{ x }}{% y %}z"},
      {"a {%- raw -%}  {{ x  {%- endraw -%}  b", "a{{ xb"},
      {"{{ '}}' }}{{ {'a': {'b': 1}}.a.b }}", "}}1"},
      {"\xe2\x80\x83{%- if true %}x{% endif %}", "x"},
  });
}

TEST(ChatLanguage, Precedence) {
  check({
      {"{{ 'x' + ' y ' | trim + 'z' }}", "xyz"},
      {"{{ not x is defined }}", "True"},
      {"{{ 1 + 2 * 3 - 4 // 2 }}", "5"},
      {"{{ 2 * 3 % 4 }}", "2"},
      {"{{ 1 ~ 2 * 3 }}", "16"},
      {"{{ 7 // 2 ** 2 }}", "1"},
      {"{{ -1 | abs }}", "1"},
      {"{{ -2 ** 2 }}", "4"},
      {"{{ 1 if false else 2 if false else 3 }}", "3"},
      {"{{ 'a' if false }}", ""},
      {"{{ 1 < 2 < 3 and 3 > 2 >= 2 }}", "True"},
      {"{{ 1 < 3 < 2 }}", "False"},
      {"{{ 1 in [1, 2] and 3 not in [1, 2] }}", "True"},
      {"{{ 'a' == 'a' and not 'a' == 'b' }}", "True"},
      {"{{ '' or 'b' }}{{ 'a' and 0 }}{{ none or [] }}", "b0[]"},
      {"{{ 'a' 'b' }}", "ab"},
      {"{{ 'a' is string and 1 is not string }}", "True"},
      {"{{ 6 is divisibleby 3 }}{{ 7 is divisibleby(3) }}", "TrueFalse"},
  });
}

TEST(ChatLanguage, Equality) {
  check({
      {"{{ '' != false }}{{ 0 == false }}{{ 1 == true }}{{ 1 == 1.0 }}", "TrueTrueTrueTrue"},
      {"{{ x == none }}{{ x == y }}{{ none == none }}", "FalseTrueTrue"},
      {"{{ [1, 'a'] == [1, 'a'] }}{{ {'a': 1} == {'a': 2} }}", "TrueFalse"},
      {"{{ '1' == 1 }}{{ [] == '' }}", "FalseFalse"},
      {"{{ true is true }}{{ 1 is true }}{{ false is false }}{{ 0 is false }}", "TrueFalseTrueFalse"},
  });
}

TEST(ChatLanguage, Numbers) {
  check({
      {"{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }}", "3 -4 1 2 -2"},
      {"{{ 7 / 2 }} {{ 4 / 2 }} {{ 2 ** 10 }} {{ 2 ** -1 }}", "3.5 2.0 1024 0.5"},
      {"{{ 1e3 }} {{ 1.5 }} {{ 1e16 }} {{ 0.00001 }} {{ 0.1 + 0.2 }}",
       "1000.0 1.5 1e+16 1e-05 0.30000000000000004"},
      {"{{ 1_000 }} {{ true + 1 }} {{ -5.5 % 2 }} {{ 5.5 // 2 }}", "1000 2 0.5 2.0"},
      {"{{ '12' | int + 1 }} {{ 'x' | int }} {{ 'x' | int(7) }} {{ '1.5' | float }} {{ 2.9 | int }}",
       "13 0 7 1.5 2"},
  });
  EXPECT_THAT(error_of("{{ 9223372036854775807 + 1 }}"), testing::HasSubstr("too large"));
  EXPECT_THAT(error_of("{{ (-9223372036854775807 - 1) // -1 }}"), testing::HasSubstr("too large"));
  EXPECT_THAT(error_of("{{ 1 % 0 }}"), testing::HasSubstr("division by zero"));
}

TEST(ChatLanguage, Undefined) {
  check({
      {"[{{ x }}]{{ x is defined }}{{ x is none }}{{ x | length }}", "[]FalseFalse0"},
      {"{% for i in x %}a{% else %}b{% endfor %}{{ 'a' in x }}", "bFalse"},
      {"{{ {}.a is undefined }}{{ {}['a'] is undefined }}{{ 'a'.b is undefined }}{{ [][0] is undefined }}",
       "TrueTrueTrueTrue"},
      {"{{ x | default('d') }}{{ '' | default('d') }}{{ '' | default('d', true) }}", "dd"},
      {"{{ none }}{{ none.a }}", "None"},
      {"{{ tools is none }}{{ documents is none }}{{ enable_thinking is defined }}", "TrueTrueFalse"},
  });
}

TEST(ChatLanguage, Scopes) {
  check({
      {"{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}", "12131"},
      {"{% if true %}{% set x = 1 %}{% endif %}{{ x }}", "1"},
      {"{% set n = namespace(x=1) %}{% for i in [1, 2] %}{% set n.x = n.x + i %}{% endfor %}{{ n.x }}", "4"},
      {"{% for i in [1] %}{% endfor %}{{ i is defined }}{{ loop is defined }}", "FalseFalse"},
      {"{% set a, b = 1, 2 %}{{ b }}{{ a }}", "21"},
      {"{% set x %}a{{ 1 }}{% endset %}{{ x }}{{ x }}", "a1a1"},
      {"{% generation %}{% set x = 1 %}a{% endgeneration %}{{ x }}", "a1"},
      {"{% set x = 1 %}{% macro m(a, b=a + 1) %}{{ a }}{{ b }}{{ x }}{{ c }}{% endmacro %}{% set x = 5 %}"
       "{{ m(1) }} {{ m(1, b=7) }}",
       "125 175"},
  });
}

TEST(ChatLanguage, Loops) {
  check({
      {"{% for i in [5, 6, 7] %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}"
       "{{ loop.first }}{{ loop.last }}{{ loop.length }} {% endfor %}",
       "1032TrueFalse3 2121FalseFalse3 3210FalseTrue3 "},
      {"{% for i in [5, 6] %}[{{ loop.previtem }},{{ loop.nextitem }}]{% endfor %}", "[,6][5,]"},
      {"{% for i in range(5) if i % 2 == 0 %}{{ i }}{{ loop.last }}{% endfor %}", "0False2False4True"},
      {"{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif "
       "%}{{ i }}"
       "{% endfor %}",
       "013"},
      {"{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}{{ v }}{% endfor %}", "a1b2"},
      {"{% for k in {'a': 1} %}{{ k }}{% endfor %}{% for c in 'h\xc3\xa9' %}[{{ c }}]{% endfor %}",
       "a[h][\xc3\xa9]"},
      {"{% for i in [1, 2] %}{% for j in [1, 2] %}{{ loop.depth }}{{ loop.index }}{% endfor %}{{ loop.index "
       "}} "
       "{% endfor %}",
       "11121 11122 "},
      {"{{ range(3) | list }}{{ range(1, 3) | list }}{{ range(3, 0, -2) | list }}", "[0, 1, 2][1, 2][3, 1]"},
  });
}

TEST(ChatLanguage, ItemsAndSlices) {
  check({
      {"{{ 'h\xc3\xa9llo'[1] }}{{ 'hello'[-1] }}{{ 'h\xc3\xa9llo'[1:3] }}{{ 'hello'[::-1] }}{{ 'hello'[:-1] "
       "}}",
       "\xc3\xa9o\xc3\xa9lollehhell"},
      {"{{ [1, 2, 3][1:] }}{{ [1, 2, 3][::-1] }}{{ [1, 2, 3][-2:] }}{{ [1, 2, 3][5:] }}{{ [1, 2, 3][::2] }}",
       "[2, 3][3, 2, 1][2, 3][][1, 3]"},
      {"{{ 'abc'[-99:99] }}{{ 'abc'[2:1] }}{{ 'abcd'[-2:0:-1] }}", "abccb"},
      {"{{ {'a': {'b': [7]}}.a['b'].0 }}{{ {'a': 1, 'a': 2} }}", "7{'a': 2}"},
  });
}

TEST(ChatLanguage, StringsAndMethods) {
  check({
      {"{{ 'a\\nb\\t\\\\\\'\\x41\\u00e9\\q' }}", "a\nb\t\\'A\xc3\xa9\\q"},
      {"{{ '  a '.strip() }}|{{ '  a '.lstrip() }}|{{ '  a '.rstrip() }}|{{ 'xxaxy'.strip('xy') }}",
       "a|a |  a|a"},
      {"{{ '\\u3000\\u00a0a\\u2028'.strip() }}{{ '\xc3\xa9''a\xc3\xa9'.strip('\xc3\xa9') }}", "aa"},
      {"{{ 'a,b,,c'.split(',') }}{{ ' a  b '.split() }}{{ 'a,b,c'.split(',', 1) }}{{ ''.split(',') }}{{ "
       "''.split() }}",
       "['a', 'b', '', 'c']['a', 'b']['a', 'b,c'][''][]"},
      {"{{ 'a,b,c'.rsplit(',', 1) }}{{ 'a b  c '.split(none, 1) }}", "['a,b', 'c']['a', 'b  c ']"},
      {"{{ 'abcabc'.replace('b', 'X') }}{{ 'abcabc'.replace('b', '', 1) }}{{ 'ab'.replace('', '-') }}",
       "aXcaXcacabc-a-b-"},
      {"{{ 'abc'.startswith('ab') }}{{ 'abc'.endswith(('x', 'c')) }}{{ 'abc'.find('c') }}{{ 'aXa'.count('a') "
       "}}",
       "TrueTrue22"},
      {"{{ 'aBc d'.upper() }}{{ 'aBc d'.lower() }}{{ 'aBc d'.capitalize() }}{{ 'aBc d' | title }}",
       "ABC Dabc dAbc dAbc D"},
      {"{{ \"it's a-b\".title() }}{{ \"it's a-b\" | title }}{{ 1[1:] is defined }}", "It'S A-BIt's A-BFalse"},
      {"{{ ', '.join(['a', 'b']) }}{{ 'a\\nb\\r\\nc'.splitlines() }}", "a, b['a', 'b', 'c']"},
      {"{{ {'a': 1}.get('a') }}{{ {}.get('b') }}{{ {}.get('b', 2) }}{{ {'a': 1}.keys() | list }}",
       "1None2['a']"},
  });
}

TEST(ChatLanguage, Filters) {
  check({
      {"{{ {'a': [1, none, true, 1.5], '\xc3\xa9': '\"\\n<'} | tojson }}",
       "{\"a\": [1, null, true, 1.5], \"\xc3\xa9\": \"\\\"\\n<\"}"},
      {"{{ {'a': [1, {}], 'b': []} | tojson(indent=2) }}",
       "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}"},
      {"{{ [3, 1, 2] | sort }}{{ ['b', 'A'] | sort }}{{ [1, 2] | reverse | list }}{{ 'ab' | reverse }}",
       "[1, 2, 3]['A', 'b'][2, 1]ba"},
      {"{{ [1, 2, 1] | unique | list }}{{ [1, 3, 2] | max }}{{ [1, 2] | first }}{{ [1, 2] | last }}",
       "[1, 2]312"},
      {"{{ [{'r': 'a'}, {'r': 'b'}] | selectattr('r', 'equalto', 'b') | list }}", "[{'r': 'b'}]"},
      {"{{ [{'r': 1}, {}] | rejectattr('r') | list | length }}{{ [1, 2, 3] | reject('odd') | list }}",
       "1[2]"},
      {"{{ [{'r': 'a'}, {'r': 'b'}] | map(attribute='r') | join('-') }}{{ ['a'] | map('upper') | list }}",
       "a-b['A']"},
      {"{{ 'a\\nb' | indent }}|{{ 'a\\n\\nb' | indent(2, true) }}", "a\n    b|  a\n\n  b"},
      {"{{ 1 | string + 'a' }}{% for k, v in {'b': 1, 'a': 2} | dictsort %}{{ k }}{{ v }}{% endfor %}",
       "1aa2b1"},
      {"{% for k, v in {'a': 1} | items %}{{ k }}{{ v }}{% endfor %}", "a1"},
      {"{{ 'a' | replace('a', 'b') }}{{ 'abc' | length }}{{ [1, 2] | join(', ') }}{{ 'x' | safe }}",
       "b31, 2x"},
      {"{{ ['it\\'s', 'a\"\\n'] }}", "[\"it's\", 'a\"\\n']"},
  });
}

TEST(ChatLanguage, BlocksOfFiltersAndVariables) {
  check({
      {"{% filter trim | replace('a', 'b') %} {{ 'a' }}X {% endfilter %}|", "bX|"},
      {"{% set x = 1 %}{% filter upper %}{% set x = 'a' %}{{ x }}{% endfilter %}{{ x }}", "A1"},
      {"{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}", "12"},
      {"{% set a = 5 %}{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}", "155"},
      {"{% with %}{% set z = 3 %}{{ z }}{% endwith %}{{ z }}", "3"},
      {"{% for i in [1, 2, 3] %}{% with j = i %}{% if j == 2 %}{% continue %}{% endif %}{{ j }}{% endwith %}"
       "{% endfor %}",
       "13"},
  });
}

TEST(ChatLanguage, CallBlocks) {
  check({
      {"{% macro m(x) %}[{{ x }}:{{ caller() }}]{% endmacro %}{% call m(1) %}body{% endcall %}", "[1:body]"},
      {"{% macro m() %}{{ caller(3, 4) }}{% endmacro %}{% call(a, b) m() %}{{ a + b }}{% endcall %}", "7"},
      {"{% macro m() %}{{ caller(y=2) }}{% endmacro %}{% set q = 7 %}"
       "{% call(x=1, y=0) m() %}{{ x }}{{ y }}{{ q }}{% endcall %}",
       "127"},
      {"{% set ns = namespace() %}{% macro m() %}<{{ caller() }}>{% endmacro %}{% set ns.m = m %}"
       "{% call ns.m() %}z{% endcall %}",
       "<z>"},
  });
  EXPECT_THAT(error_of("{% call 1 %}{% endcall %}"), testing::HasSubstr("column 9: 'call' wants a call"));
}

TEST(ChatLanguage, KeysOfDictsMayBeNumbers) {
  check({
      {"{{ {1: 'a', 2: 'b'}[2] }}{{ {1: 'a'}[true] }}{{ {true: 'x'}[1] }}", "bax"},
      {"{{ 1 in {1: 2} }}{{ 3 in {1: 2} }}{{ {1: 2}.get(1) }}{{ {1: 2}.get(5, 'n') }}", "TrueFalse2n"},
      {"{{ {1: 2, 'a': 3} }}{{ {1: 2, 1: 3} }}{{ {1: 2} == {true: 2} }}", "{1: 2, 'a': 3}{1: 3}True"},
      {"{{ {1: 2, true: 3, false: 4} | tojson }}", "{\"1\": 3, \"false\": 4}"},
      {"{% for k, v in {3: 'c', 1: 'a'} | dictsort %}{{ k }}{{ v }}{% endfor %}", "1a3c"},
      {"{% for k, v in {'b': 1, 'A': 2, 'c': 0} | dictsort(by='value') %}{{ k }}{% endfor %}", "cbA"},
  });
  EXPECT_THAT(error_of("{{ {1.5: 2} }}"), testing::HasSubstr("the key of a dict"));
}

TEST(ChatLanguage, JsonWithArguments) {
  check({
      {"{{ {'b': 1, 'a': [1, {'z': 2, 'c': 3}]} | tojson(sort_keys=true) }}",
       "{\"a\": [1, {\"c\": 3, \"z\": 2}], \"b\": 1}"},
      {"{{ {'b': 1, 'a': [1, 2]} | tojson(separators=(',', ':')) }}", "{\"b\":1,\"a\":[1,2]}"},
      {"{{ {'a': [1], 'e': {}} | tojson(indent=2) }}", "{\n  \"a\": [\n    1\n  ],\n  \"e\": {}\n}"},
      {"{{ '\xc3\xa9\xf0\x9f\x98\x80\x7f' | tojson(ensure_ascii=true) }}",
       "\"\\u00e9\\ud83d\\ude00\\u007f\""},
      {"{{ '\xc3\xa9\x7f' | tojson }}", "\"\xc3\xa9\x7f\""},
  });
}

TEST(ChatLanguage, Formats) {
  check({
      {"{{ '{}-{}'.format(1, 'b') }}{{ '{1}{0}'.format('a', 'b') }}{{ '{x}{{}}'.format(x=[1]) }}",
       "1-bba[1]{}"},
      {"{{ '%s, %d%%' | format('a', 5) }}{{ '%(x)s' | format(x=3) }}", "a, 5%3"},
      {"{{ '%s' % 'a' }}{{ '%s-%d' % ('a', 3) }}{{ '%s' % [1, 2] }}{{ '%(k)s' % {'k': 'v'} }}",
       "aa-3[1, 2]v"},
  });
  for (const char* source : {"{{ '{}'.format() }}", "{{ '{:>5}'.format(1) }}", "{{ '{'.format(1) }}",
                             "{{ '}'.format(1) }}", "{{ '%s' % () }}", "{{ '%s' % (1, 2) }}",
                             "{{ '%5d' % 1 }}", "{{ '%d' % 'a' }}", "{{ '%' % 1 }}", "{{ '%(a' % {} }}"}) {
    EXPECT_THAT(error_of(source), testing::StartsWith("chat template: line 1, column ")) << source;
  }
}

TEST(ChatLanguage, TuplesAreNoLists) {
  check({
      {"{{ (1,) }}{{ (1, 2) }}{{ () }}{{ [(1, 2)] }}", "(1,)(1, 2)()[(1, 2)]"},
      {"{{ (1, 2) == [1, 2] }}{{ (1, 2) == (1, 2) }}{{ 2 in (1, 2) }}", "FalseTrueTrue"},
      {"{{ {'a': 1}.items() | list }}{{ (1, 2, 3)[1:] }}{{ (1, 2) | list }}{{ (1, 2) | tojson }}",
       "[('a', 1)](2, 3)[1, 2][1, 2]"},
  });
}

TEST(ChatLanguage, WhatSelectsTakesNoneForEmpty) {
  check({
      {"{{ none | selectattr('a') | list }}{{ none | map('upper') | list }}{{ '' | select | list }}",
       "[][][]"},
      {"{{ [1, 2, 3] | select('odd') | list }}{{ [1, 2] | reject('in', [1]) | list }}", "[1, 3][2]"},
  });
}

TEST(ChatLanguage, VariablesAndClock) {
  Rendering rendering("{{ a.b[0] }} {{ strftime_now('%d %b %Y, %H:%M, %-d %A %j %I%p') }}");
  std::tm time{};
  time.tm_year = 126;
  time.tm_mon = 2;
  time.tm_mday = 5;
  time.tm_hour = 15;
  time.tm_min = 4;
  time.tm_wday = 4;
  time.tm_yday = 63;
  rendering.inputs().now = time;
  rendering.variable("a", Value::dict({{Value::string("b"), Value::list({Value(std::int64_t{7})})}}));
  EXPECT_EQ(rendering.text(), "7 05 Mar 2026, 15:04, 5 Thursday 064 03PM");
}

TEST(ChatLanguage, AnswersForOneUserMessage) {
  const std::string_view source =
      "{{ bos_token }}{% for m in messages %}<im>{{ m.role }}\n{{ m.content }}<eot>\n{% endfor %}"
      "{% if add_generation_prompt %}<im>assistant\n{% endif %}";
  Rendering rendering(source);
  rendering.message("user", "hello").inputs().add_generation_prompt = true;
  EXPECT_EQ(rendering.text(), "<s><im>user\nhello<eot>\n<im>assistant\n");
}

}  // namespace
}  // namespace armature::chat
