#pragma once

#include "engine/chat/ast.h"
#include "engine/chat/source.h"

namespace armature::chat {

/// The tree of a template. It refers to the text of `source`, which must outlive it. Throws Error
/// bad_template.
ast::Block parse_template(const Source& source);

}  // namespace armature::chat
