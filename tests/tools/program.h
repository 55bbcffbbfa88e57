#pragma once

#include "tests/support/program.h"
