#include "kernels/core_names.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "gguf/compose.h"

namespace armature::cpu {
namespace {

struct CoreName {
  std::uint32_t implementer, part;
  std::string_view name;
};

// Part numbers: the field PartNum of MIDR_EL1 in the technical reference manual of each core; of other
// implementers as Linux has them in arch/arm64/include/asm/cputype.h.
constexpr CoreName kCores[] = {
    {0x41, 0xd02, "Cortex-A34"},
    {0x41, 0xd03, "Cortex-A53"},
    {0x41, 0xd04, "Cortex-A35"},
    {0x41, 0xd05, "Cortex-A55"},
    {0x41, 0xd06, "Cortex-A65"},
    {0x41, 0xd07, "Cortex-A57"},
    {0x41, 0xd08, "Cortex-A72"},
    {0x41, 0xd09, "Cortex-A73"},
    {0x41, 0xd0a, "Cortex-A75"},
    {0x41, 0xd0b, "Cortex-A76"},
    {0x41, 0xd0c, "Neoverse-N1"},
    {0x41, 0xd0d, "Cortex-A77"},
    {0x41, 0xd0e, "Cortex-A76AE"},
    {0x41, 0xd40, "Neoverse-V1"},
    {0x41, 0xd41, "Cortex-A78"},
    {0x41, 0xd42, "Cortex-A78AE"},
    {0x41, 0xd43, "Cortex-A65AE"},
    {0x41, 0xd44, "Cortex-X1"},
    {0x41, 0xd46, "Cortex-A510"},
    {0x41, 0xd47, "Cortex-A710"},
    {0x41, 0xd48, "Cortex-X2"},
    {0x41, 0xd49, "Neoverse-N2"},
    {0x41, 0xd4a, "Neoverse-E1"},
    {0x41, 0xd4b, "Cortex-A78C"},
    {0x41, 0xd4c, "Cortex-X1C"},
    {0x41, 0xd4d, "Cortex-A715"},
    {0x41, 0xd4e, "Cortex-X3"},
    {0x41, 0xd4f, "Neoverse-V2"},
    {0x41, 0xd80, "Cortex-A520"},
    {0x41, 0xd81, "Cortex-A720"},
    {0x41, 0xd82, "Cortex-X4"},
    {0x41, 0xd83, "Neoverse-V3AE"},
    {0x41, 0xd84, "Neoverse-V3"},
    {0x41, 0xd85, "Cortex-X925"},
    {0x41, 0xd87, "Cortex-A725"},
    {0x41, 0xd88, "Cortex-A520AE"},
    {0x41, 0xd89, "Cortex-A720AE"},
    {0x41, 0xd8a, "C1-Nano"},
    {0x41, 0xd8b, "C1-Pro"},
    {0x41, 0xd8c, "C1-Ultra"},
    {0x41, 0xd8e, "Neoverse-N3"},
    {0x41, 0xd8f, "Cortex-A320"},
    {0x41, 0xd90, "C1-Premium"},
    {0x42, 0x516, "Vulcan"},
    {0x43, 0x0a1, "ThunderX"},
    {0x43, 0x0a2, "ThunderX 81XX"},
    {0x43, 0x0a3, "ThunderX 83XX"},
    {0x43, 0x0af, "ThunderX2"},
    {0x46, 0x001, "A64FX"},
    {0x46, 0x003, "MONAKA"},
    {0x48, 0xd01, "TaiShan v110"},
    {0x48, 0xd02, "TaiShan v120"},
    {0x4e, 0x003, "Denver 2"},
    {0x4e, 0x004, "Carmel"},
    {0x4e, 0x010, "Olympus"},
    {0x50, 0x000, "X-Gene"},
    {0x51, 0x001, "Oryon"},
    {0x51, 0x200, "Kryo"},
    {0x51, 0x800, "Kryo 2xx Gold"},
    {0x51, 0x801, "Kryo 2xx Silver"},
    {0x51, 0x802, "Kryo 3xx Gold"},
    {0x51, 0x803, "Kryo 3xx Silver"},
    {0x51, 0x804, "Kryo 4xx Gold"},
    {0x51, 0x805, "Kryo 4xx Silver"},
    {0x51, 0xc00, "Falkor"},
    {0x61, 0x022, "Apple Icestorm (M1)"},
    {0x61, 0x023, "Apple Firestorm (M1)"},
    {0x61, 0x024, "Apple Icestorm (M1 Pro)"},
    {0x61, 0x025, "Apple Firestorm (M1 Pro)"},
    {0x61, 0x028, "Apple Icestorm (M1 Max)"},
    {0x61, 0x029, "Apple Firestorm (M1 Max)"},
    {0x61, 0x032, "Apple Blizzard (M2)"},
    {0x61, 0x033, "Apple Avalanche (M2)"},
    {0x61, 0x034, "Apple Blizzard (M2 Pro)"},
    {0x61, 0x035, "Apple Avalanche (M2 Pro)"},
    {0x61, 0x038, "Apple Blizzard (M2 Max)"},
    {0x61, 0x039, "Apple Avalanche (M2 Max)"},
    {0x6d, 0xd49, "Azure Cobalt 100"},
    {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1a"},
};

}  // namespace

std::string arm_core_name(std::uint32_t midr) {
  const std::uint32_t implementer = midr >> 24, variant = midr >> 20 & 0xf;
  const std::uint32_t part = midr >> 4 & 0xfff, revision = midr & 0xf;
  const auto core = std::find_if(std::begin(kCores), std::end(kCores), [&](const CoreName& c) {
    return c.implementer == implementer && c.part == part;
  });
  const std::string name = core != std::end(kCores)
                               ? std::string(core->name)
                               : compose("implementer {}, part {},", hex(implementer), hex(part));
  return compose("{} r{}p{}", name, variant, revision);
}

}  // namespace armature::cpu
