#include "tools/cli/columns.h"

#include <gtest/gtest.h>

#include "tools/cli/plain.h"
#include "tools/cli/units.h"

namespace armature::tools {
namespace {

TEST(ColumnsText, CellsStandBelowEachOther) {
  Columns columns("lrl");
  EXPECT_TRUE(columns.empty());
  columns.add({"name", "size", "note"});
  columns.add({"a", "1 B"});
  columns.add({"longer", "100 MB", "x"});
  EXPECT_EQ(columns.text(2),
            "  name      size  note\n"
            "  a          1 B\n"
            "  longer  100 MB  x\n");
}

TEST(ColumnsText, ACharacterIsOnePlace) {
  Columns columns("ll");
  columns.add({"\u00e9\u4f60", "x"});
  columns.add({"abc", "y"});
  EXPECT_EQ(columns.text(), "\u00e9\u4f60   x\nabc  y\n");
}

TEST(ColumnsText, WideCellsMoveNothingElse) {
  Columns columns("lr");
  const std::string wide(Columns::kWidest + 1, 'w');
  columns.add({wide, "1"});
  columns.add({"a", "2"});
  EXPECT_EQ(columns.text(), wide + "  1\na  2\n");
}

TEST(Units, Sizes) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(999), "999 B");
  EXPECT_EQ(size_text(1000), "1.0 kB");
  EXPECT_EQ(size_text(98362432), "98.4 MB");
  EXPECT_EQ(size_text(4660000000), "4.7 GB");
  EXPECT_EQ(size_text(~std::uint64_t{0}), "18446744.1 TB");
  EXPECT_EQ(binary_size_text(512), "512 B");
  EXPECT_EQ(binary_size_text(48 << 10), "48 KiB");
  EXPECT_EQ(binary_size_text(3 << 19), "1.5 MiB");
  EXPECT_EQ(binary_size_text(std::uint64_t{1} << 30), "1 GiB");
}

TEST(Units, Counts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1280), "1.28 k");
  EXPECT_EQ(count_text(134515008), "134.5 M");
  EXPECT_EQ(count_text(8030261248), "8.03 B");
}

TEST(PlainText, QuotesWhereTheyAreNeeded) {
  EXPECT_EQ(plain("blk.0.attn_q.weight"), "blk.0.attn_q.weight");
  EXPECT_EQ(plain("caf\u00e9"), "caf\u00e9");
  EXPECT_EQ(plain(""), "''");
  EXPECT_EQ(plain("a b"), "'a b'");
  EXPECT_EQ(plain("it's"), "'it's'");
  EXPECT_EQ(plain("a\x1b"), "'a\\x1b'");
  EXPECT_EQ(plain(std::string(100, 'x')), "'" + std::string(80, 'x') + "...'");
}

}  // namespace
}  // namespace armature::tools
