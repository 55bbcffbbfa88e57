#include "engine/chat/named_templates.h"

#include <algorithm>

namespace armature::chat {
namespace {

// A BOS token stands in front where the publisher's template writes it. `</s>` stands for an eos_token that
// the vocabulary does not name.

constexpr std::string_view kExaone = R"({%- for message in messages -%}
{%- if message.role == 'user' -%}
{{- '[|user|]' + message.content | trim + '\n' -}}
{%- else -%}
{{- '[|' + message.role + '|]' + message.content | trim + '[|endofturn|]\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '[|assistant|]' -}}{%- endif -%}
)";

constexpr std::string_view kGranite = R"({%- for message in messages -%}
{{- '<|start_of_role|>' + message.role + '<|end_of_role|>' + message.content + '<|end_of_text|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|start_of_role|>assistant<|end_of_role|>' -}}{%- endif -%}
)";

constexpr NamedTemplate kTemplates[] = {
    {"chatglm3", R"({{- '[gMASK]sop' -}}
{%- for message in messages -%}
{{- '<|' + message.role + '|>\n ' + message.content -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>' -}}{%- endif -%}
)"},
    {"chatglm4", R"({{- '[gMASK]<sop>' -}}
{%- for message in messages -%}
{{- '<|' + message.role + '|>\n' + message.content -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\n' -}}{%- endif -%}
)"},
    {"chatml", R"({%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\n' -}}{%- endif -%}
)"},
    {"command-r", R"({{- bos_token -}}
{%- set names = {'system': 'SYSTEM', 'user': 'USER', 'assistant': 'CHATBOT'} -%}
{%- for message in messages if message.role in names -%}
{{- '<|START_OF_TURN_TOKEN|><|' + names[message.role] + '_TOKEN|>' -}}
{{- message.content if message.role == 'system' else message.content | trim -}}
{{- '<|END_OF_TURN_TOKEN|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' -}}{%- endif -%}
)"},
    {"deepseek", R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{{- message.content -}}
{%- elif message.role == 'user' -%}
{{- '### Instruction:\n' + message.content + '\n' -}}
{%- elif message.role == 'assistant' -%}
{{- '### Response:\n' + message.content + '\n<|EOT|>\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '### Response:\n' -}}{%- endif -%}
)"},
    {"deepseek2", R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{{- message.content + '\n\n' -}}
{%- elif message.role == 'user' -%}
{{- 'User: ' + message.content + '\n\n' -}}
{%- elif message.role == 'assistant' -%}
{{- 'Assistant: ' + message.content + '<｜end▁of▁sentence｜>' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'Assistant:' -}}{%- endif -%}
)"},
    {"deepseek3", R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{{- message.content + '\n\n' -}}
{%- elif message.role == 'user' -%}
{{- '<｜User｜>' + message.content -}}
{%- elif message.role == 'assistant' -%}
{{- '<｜Assistant｜>' + message.content + '<｜end▁of▁sentence｜>' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<｜Assistant｜>' -}}{%- endif -%}
)"},
    {"exaone3", kExaone},
    {"exaone4", kExaone},
    {"falcon3", R"({%- for message in messages -%}
{{- '<|' + message.role + '|>\n' + message.content + '\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\n' -}}{%- endif -%}
)"},
    {"gemma", R"({{- bos_token -}}
{%- set system = namespace(text='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set system.text = system.text + message.content + '\n\n' -%}
{%- else -%}
{{- '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\n' -}}
{%- if message.role != 'assistant' -%}
{{- system.text -}}
{%- set system.text = '' -%}
{%- endif -%}
{{- message.content | trim + '<end_of_turn>\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<start_of_turn>model\n' -}}{%- endif -%}
)"},
    {"gigachat", R"({{- bos_token | default('<s>') -}}
{%- for message in messages -%}
{%- if message.role == 'system' and loop.first -%}
{{- message.content + '<|message_sep|>' -}}
{%- elif message.role == 'user' -%}
{{- 'user<|role_sep|>' + message.content + '<|message_sep|>' -}}
{{- 'available functions<|role_sep|>[]<|message_sep|>' -}}
{%- elif message.role == 'assistant' -%}
{{- 'assistant<|role_sep|>' + message.content + '<|message_sep|>' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'assistant<|role_sep|>' -}}{%- endif -%}
)"},
    {"glmedge", R"({%- for message in messages -%}
{{- '<|' + message.role + '|>\n' + message.content -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>' -}}{%- endif -%}
)"},
    {"granite", kGranite},
    {"granite-4.0", kGranite},
    {"granite-4.1", kGranite},
    {"llama2", R"({{- bos_token -}}
{%- set turn = namespace(is_open=false) -%}
{%- for message in messages -%}
{%- if not turn.is_open -%}{{- '[INST] ' -}}{%- endif -%}
{%- set turn.is_open = message.role != 'assistant' -%}
{%- if message.role == 'system' -%}
{{- message.content + '\n' -}}
{%- elif message.role == 'user' -%}
{{- message.content + ' [/INST]' -}}
{%- else -%}
{{- message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"llama2-sys", R"({{- bos_token -}}
{%- set turn = namespace(is_open=false) -%}
{%- for message in messages -%}
{%- if not turn.is_open -%}{{- '[INST] ' -}}{%- endif -%}
{%- set turn.is_open = message.role != 'assistant' -%}
{%- if message.role == 'system' -%}
{{- '<<SYS>>\n' + message.content + '\n<</SYS>>\n\n' -}}
{%- elif message.role == 'user' -%}
{{- message.content + ' [/INST]' -}}
{%- else -%}
{{- message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"llama2-sys-bos", R"({{- bos_token -}}
{%- set turn = namespace(is_open=false) -%}
{%- for message in messages -%}
{%- if not turn.is_open -%}
{{- ('' if loop.first else bos_token | default('<s>')) + '[INST] ' -}}
{%- endif -%}
{%- set turn.is_open = message.role != 'assistant' -%}
{%- if message.role == 'system' -%}
{{- '<<SYS>>\n' + message.content + '\n<</SYS>>\n\n' -}}
{%- elif message.role == 'user' -%}
{{- message.content + ' [/INST]' -}}
{%- else -%}
{{- message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"llama2-sys-strip", R"({%- set system = namespace(text='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set system.text = '<<SYS>>\n' + message.content + '\n<</SYS>>\n\n' -%}
{%- elif message.role == 'user' -%}
{{- bos_token -}}
{{- '[INST] ' + (system.text + message.content) | trim + ' [/INST]' -}}
{%- set system.text = '' -%}
{%- else -%}
{{- ' ' + message.content | trim + ' ' + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"llama3", R"({{- bos_token -}}
{%- for message in messages -%}
{{- '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' + message.content | trim -}}
{{- '<|eot_id|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' -}}{%- endif -%}
)"},
    {"llama4", R"({{- bos_token -}}
{%- for message in messages -%}
{{- '<|header_start|>' + message.role + '<|header_end|>\n\n' + message.content | trim + '<|eot|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|header_start|>assistant<|header_end|>\n\n' -}}{%- endif -%}
)"},
    {"megrez", R"({%- for message in messages -%}
{{- '<|role_start|>' + message.role + '<|role_end|>' + message.content + '<|turn_end|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|role_start|>assistant<|role_end|>' -}}{%- endif -%}
)"},
    {"minicpm", R"({%- for message in messages -%}
{%- if message.role == 'user' -%}
{{- '<用户>' + message.content | trim + '<AI>' -}}
{%- else -%}
{{- message.content | trim -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"mistral-v1", R"({{- bos_token -}}
{%- set turn = namespace(is_open=false) -%}
{%- for message in messages -%}
{%- if not turn.is_open -%}{{- ' [INST] ' -}}{%- endif -%}
{%- set turn.is_open = message.role != 'assistant' -%}
{%- if message.role == 'system' -%}
{{- message.content + '\n\n' -}}
{%- elif message.role == 'user' -%}
{{- message.content + ' [/INST]' -}}
{%- else -%}
{{- ' ' + message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"mistral-v3", R"({{- bos_token -}}
{%- set system = messages | selectattr('role', 'equalto', 'system') | map(attribute='content') | list -%}
{%- set n_users = messages | selectattr('role', 'equalto', 'user') | list | length -%}
{%- set seen = namespace(users=0) -%}
{%- for message in messages if message.role != 'system' -%}
{%- if message.role == 'user' -%}
{%- set seen.users = seen.users + 1 -%}
{{- '[INST] ' -}}
{%- if system and seen.users == n_users -%}{{- system | join('\n\n') + '\n\n' -}}{%- endif -%}
{{- message.content + '[/INST]' -}}
{%- else -%}
{{- ' ' + message.content | trim + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"mistral-v3-tekken", R"({{- bos_token -}}
{%- set system = messages | selectattr('role', 'equalto', 'system') | map(attribute='content') | list -%}
{%- set n_users = messages | selectattr('role', 'equalto', 'user') | list | length -%}
{%- set seen = namespace(users=0) -%}
{%- for message in messages if message.role != 'system' -%}
{%- if message.role == 'user' -%}
{%- set seen.users = seen.users + 1 -%}
{{- '[INST]' -}}
{%- if system and seen.users == n_users -%}{{- system | join('\n\n') + '\n\n' -}}{%- endif -%}
{{- message.content + '[/INST]' -}}
{%- else -%}
{{- message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"mistral-v7", R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{{- '[SYSTEM_PROMPT] ' + message.content + '[/SYSTEM_PROMPT]' -}}
{%- elif message.role == 'user' -%}
{{- '[INST] ' + message.content + '[/INST]' -}}
{%- else -%}
{{- ' ' + message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"mistral-v7-tekken", R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{{- '[SYSTEM_PROMPT]' + message.content + '[/SYSTEM_PROMPT]' -}}
{%- elif message.role == 'user' -%}
{{- '[INST]' + message.content + '[/INST]' -}}
{%- else -%}
{{- message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"monarch", R"({%- for message in messages -%}
{%- if loop.first -%}{{- bos_token -}}{%- else -%}{{- bos_token | default('<s>') -}}{%- endif -%}
{{- message.role + '\n' + message.content + eos_token | default('</s>') + '\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- bos_token | default('<s>') + 'assistant\n' -}}{%- endif -%}
)"},
    {"openchat", R"({{- bos_token -}}
{%- for message in messages -%}
{%- if message.role != 'system' -%}{{- 'GPT4 Correct ' + message.role | capitalize + ': ' -}}{%- endif -%}
{{- message.content + '<|end_of_turn|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'GPT4 Correct Assistant:' -}}{%- endif -%}
)"},
    {"orion", R"({{- bos_token -}}
{%- set system = namespace(text='') -%}
{%- for message in messages -%}
{%- if message.role == 'system' -%}
{%- set system.text = system.text + message.content -%}
{%- elif message.role == 'user' -%}
{{- 'Human: ' -}}
{%- if system.text -%}{{- system.text + '\n\n' -}}{%- endif -%}
{%- set system.text = '' -%}
{{- message.content + '\n\nAssistant: ' + eos_token | default('</s>') -}}
{%- else -%}
{{- message.content + eos_token | default('</s>') -}}
{%- endif -%}
{%- endfor -%}
)"},
    {"phi3", R"({%- for message in messages -%}
{{- '<|' + message.role + '|>\n' + message.content + '<|end|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\n' -}}{%- endif -%}
)"},
    {"phi4", R"({%- for message in messages -%}
{{- '<|im_start|>' + message.role + '<|im_sep|>' + message.content + '<|im_end|>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant<|im_sep|>' -}}{%- endif -%}
)"},
    {"seed_oss", R"({%- for message in messages -%}
{{- '<seed:bos>' + message.role + '\n' -}}
{{- message.content | trim if message.role == 'assistant' else message.content -}}
{{- '<seed:eos>' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<seed:bos>assistant\n' -}}{%- endif -%}
)"},
    {"vicuna", R"({%- for message in messages -%}
{%- if message.role == 'system' -%}
{{- message.content + '\n\n' -}}
{%- elif message.role == 'user' -%}
{{- 'USER: ' + message.content + '\n' -}}
{%- elif message.role == 'assistant' -%}
{{- 'ASSISTANT: ' + message.content + eos_token | default('</s>') + '\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'ASSISTANT:' -}}{%- endif -%}
)"},
    {"vicuna-orca", R"({%- for message in messages -%}
{%- if message.role == 'system' -%}
{{- 'SYSTEM: ' + message.content + '\n' -}}
{%- elif message.role == 'user' -%}
{{- 'USER: ' + message.content + '\n' -}}
{%- elif message.role == 'assistant' -%}
{{- 'ASSISTANT: ' + message.content + eos_token | default('</s>') + '\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'ASSISTANT:' -}}{%- endif -%}
)"},
    {"yandex", R"({%- for message in messages -%}
{%- if message.role == 'user' -%}
{{- ' Пользователь: ' + message.content + '\n\n' -}}
{%- elif message.role == 'assistant' -%}
{{- ' Ассистент: ' + message.content + '\n\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- ' Ассистент:[SEP]' -}}{%- endif -%}
)"},
    {"zephyr", R"({%- for message in messages -%}
{{- '<|' + message.role + '|>\n' + message.content + eos_token | default('<|endoftext|>') + '\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|assistant|>\n' -}}{%- endif -%}
)"},
};

}  // namespace

std::span<const NamedTemplate> named_templates() { return kTemplates; }

const NamedTemplate* find_named_template(std::string_view name) {
  const auto found = std::find_if(std::begin(kTemplates), std::end(kTemplates),
                                  [name](const NamedTemplate& known) { return known.name == name; });
  return found == std::end(kTemplates) ? nullptr : &*found;
}

}  // namespace armature::chat
