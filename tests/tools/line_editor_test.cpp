#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "tests/support/temp_dir.h"
#include "tools/line_editor/history.h"
#include "tools/line_editor/key_decoder.h"
#include "tools/line_editor/layout.h"
#include "tools/line_editor/line_buffer.h"

namespace armature::tools {
namespace {

using testing::ElementsAre;
using Keys = std::vector<std::pair<Key, std::string>>;

/// What is decoded of bytes that come in pieces of `size`. Texts that follow each other are joined.
Keys decode(std::string_view bytes, std::size_t size) {
  KeyDecoder decoder;
  Keys keys;
  while (!bytes.empty()) {
    decoder.push(bytes.substr(0, size));
    bytes.remove_prefix(std::min(size, bytes.size()));
    while (auto key = decoder.next()) {
      if (key->key == Key::Text && !keys.empty() && keys.back().first == Key::Text) {
        keys.back().second += key->text;
      } else {
        keys.emplace_back(key->key, key->text);
      }
    }
  }
  return keys;
}

TEST(KeyDecoder, MakesKeysOfBytesHoweverTheyAreCut) {
  const std::string bytes =
      "ab\u00e4\u4f60\x1b[A\x1bOB\x1b[1;5C\x1b[3~\x1b"
      "b\x01\r\x1b\r\x1b[200~x\r\ny\rz\n\x07\tä\x1b[201~c\x1b[99~\x7f";
  const Keys expected = {{Key::Text, "ab\u00e4\u4f60"},
                         {Key::Up, ""},
                         {Key::Down, ""},
                         {Key::WordRight, ""},
                         {Key::Delete, ""},
                         {Key::WordLeft, ""},
                         {Key::Home, ""},
                         {Key::Enter, ""},
                         {Key::NewLine, ""},
                         {Key::Text, "x\ny\nz\n\täc"},
                         {Key::None, ""},
                         {Key::Backspace, ""}};
  for (const std::size_t size : {1u, 2u, 3u, 5u, 7u, 1000u}) EXPECT_EQ(decode(bytes, size), expected) << size;
}

TEST(KeyDecoder, BytesThatAreNotUtf8) {
  EXPECT_EQ(decode("a\xFF"
                   "b\r",
                   1),
            (Keys{{Key::Text, "a\uFFFDb"}, {Key::Enter, ""}}));
  EXPECT_EQ(decode("\x1b[200~\xC3\x1b[201~", 100), (Keys{{Key::Text, "\uFFFD"}}));
}

TEST(KeyDecoder, ALoneEscapeIsDropped) {
  KeyDecoder decoder;
  decoder.push("\x1b");
  EXPECT_FALSE(decoder.next());
  EXPECT_TRUE(decoder.is_in_escape());
  decoder.drop_escape();
  decoder.push("b");
  EXPECT_EQ(decoder.next()->text, "b");
}

TEST(LineBuffer, MovesByCharactersWordsAndLines) {
  LineBuffer line;
  line.set("one two\nth\u00e9e\u0301 four\n\nfive");
  line.move_to(line.previous());
  EXPECT_EQ(line.cursor(), line.text().size() - 1);
  line.move_to(line.word_start());
  EXPECT_EQ(line.text().substr(line.cursor()), "five");
  EXPECT_EQ(line.text().substr(*line.above()), "\nfive");
  line.move_to(*line.above());
  line.move_to(line.previous());
  line.move_to(line.word_start());
  line.move_to(line.previous());
  line.move_to(line.previous());
  EXPECT_EQ(line.text().substr(line.cursor(), 3), "e\u0301") << "a letter and its accent are one";
  EXPECT_EQ(line.cursor() - line.line_start(), 4u);
  EXPECT_EQ(*line.above(), 3u) << "three characters from the start of the line";
  line.move_to(*line.above());
  EXPECT_FALSE(line.above());
  line.move_to(*line.below());
  EXPECT_EQ(line.text().substr(line.cursor(), 3), "e\u0301");
  EXPECT_EQ(line.text()[line.line_end()], '\n');
}

TEST(LineBuffer, ErasesAndYanks) {
  LineBuffer line;
  line.set("one two three");
  line.kill_to(line.word_start());
  EXPECT_EQ(line.text(), "one two ");
  line.move_to(line.line_start());
  line.yank();
  EXPECT_EQ(line.text(), "threeone two ");
  EXPECT_EQ(line.cursor(), 5u);
  line.erase_to(line.next());
  line.erase_to(line.previous());
  EXPECT_EQ(line.text(), "threne two ");
  line.move_to(0);
  line.erase_to(line.previous());
  EXPECT_EQ(line.text(), "threne two ");
}

std::vector<std::string> row_texts(const Layout& layout) {
  std::vector<std::string> texts;
  for (const Layout::Row& row : layout.rows) texts.push_back(row.text);
  return texts;
}

TEST(Layout, BreaksRowsAndPlacesTheCursor) {
  const std::string text = "abcdefgh\nij\tk\u4f60\u597d";
  Layout layout = lay_out(text, 0, 2, 6);
  EXPECT_THAT(row_texts(layout), ElementsAre("abcd", "efgh", "ij    ", "k\u4f60\u597d"));
  EXPECT_EQ(layout.cursor_row, 0u);
  EXPECT_EQ(layout.cursor_column, 2u);
  layout = lay_out(text, 4, 2, 6);
  EXPECT_EQ(layout.cursor_row, 1u) << "behind a full row is the next";
  EXPECT_EQ(layout.cursor_column, 0u);
  layout = lay_out(text, text.size(), 2, 6);
  EXPECT_EQ(layout.cursor_row, 3u);
  EXPECT_EQ(layout.cursor_column, 5u);
  layout = lay_out("abcd", 4, 2, 6);
  EXPECT_THAT(row_texts(layout), ElementsAre("abcd", ""));
  EXPECT_EQ(layout.cursor_row, 1u);
  EXPECT_THAT(row_texts(lay_out("a\u4f60", 0, 0, 2)), ElementsAre("a", "\u4f60", ""));
  EXPECT_THAT(row_texts(lay_out("abc", 0, 5, 1)), ElementsAre("", "a", "b", "c", ""))
      << "no room is no fault";
}

TEST(History, IsKeptInItsFile) {
  const test::TempDir folder;
  {
    History history(folder.path(""), "a/b/history");
    EXPECT_EQ(history.size(), 0u);
    for (const char* entry : {"one", "two\nlines", "back\\slash\\n", "back\\slash\\n", ""})
      history.add(entry);
  }
  History history(folder.path(""), "a/b/history");
  ASSERT_EQ(history.size(), 3u) << "neither repeated nor empty ones";
  EXPECT_EQ(history[0], "one");
  EXPECT_EQ(history[1], "two\nlines");
  EXPECT_EQ(history[2], "back\\slash\\n");
}

TEST(History, ForgetsTheOldest) {
  const test::TempDir folder;
  std::string text;
  for (std::size_t i = 0; i < 3 * History::kMaxEntries; ++i) text += std::to_string(i) + "\n";
  const std::string path = folder.write("history", text);
  const History history(folder.path(""), "history");
  EXPECT_EQ(history.size(), History::kMaxEntries);
  EXPECT_EQ(history[0], std::to_string(2 * History::kMaxEntries));
  std::ifstream file(path);
  const std::string cut{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(cut, text.substr(text.find("\n2000\n") + 1)) << "the file too";
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

}  // namespace
}  // namespace armature::tools
