#include "tools/cli/flag_table.h"

/// What a chat template is told of how the model is to think.
namespace armature::tools {
namespace {

constexpr Flag kFlags[] = {
    {.option = Option::TemplateVariables,
     .group = Group::Input,
     .commands = kAnswering,
     .names = "--chat-template-kwargs",
     .value = ValueKind::Text,
     .shown = "JSON",
     .help = "variables of the chat template, as an object, e.g. {\"enable_thinking\": false}",
     .env = "LLAMA_ARG_CHAT_TEMPLATE_KWARGS LLAMA_CHAT_TEMPLATE_KWARGS",
     .llama = kLlamaCli},
    {.option = Option::Thinking,
     .group = Group::Input,
     .commands = kAnswering,
     .names = "-rea --reasoning",
     .value = ValueKind::Word,
     .shown = "on|off|auto",
     .initial = "auto",
     .sets = "thinking",
     .words = "on off auto",
     .help = "the template's variable enable_thinking; auto: not set",
     .env = "LLAMA_ARG_REASONING",
     .llama = kLlamaCli2026},
    {.option = Option::ThinkingEffort,
     .group = Group::Input,
     .commands = kAnswering,
     .names = "--reasoning-effort",
     .value = ValueKind::Text,
     .shown = "LEVEL",
     .initial = "default",
     .help = "the template's variable reasoning_effort, e.g. low, medium or high; default: not set",
     .env = "LLAMA_ARG_REASONING_EFFORT",
     .llama = kLlamaCli2026},
    {.option = Option::ThinkingBudget,
     .group = Group::Input,
     .commands = kAnswering,
     .names = "--reasoning-budget",
     .value = ValueKind::Word,
     .shown = "N",
     .initial = "-1",
     .sets = "thinking",
     .words = "-1 0",
     .help = "0: as -rea off; -1: no limit",
     .limits = "thoughts are not cut short after so many tokens",
     .env = "LLAMA_ARG_THINK_BUDGET",
     .llama = kLlamaCli},
};

}  // namespace

std::span<const Flag> thinking_flags() { return kFlags; }

}  // namespace armature::tools
