# Fails if an object of an ISA folder defines a weak symbol: an inline function compiled there with its flags can be
# the copy that the linker keeps for the whole program, which then dies on a lesser CPU.
#   cmake -DNM=nm -DOBJECTS=a.o|b.o -P weak_symbols_test.cmake
string(REPLACE "|" ";" objects "${OBJECTS}")
if(NOT objects)
  message(FATAL_ERROR "no objects to look at")
endif()
set(found "")
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} --defined-only --format=posix ${object}
    OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${NM} failed on ${object}")
  endif()
  # NAME TYPE VALUE SIZE, a line each; weak, weak object and unique are W, V, u.
  string(REGEX MATCHALL "[^ \n]+ [WwVvu] [^\n]*" weak "${symbols}")
  foreach(symbol IN LISTS weak)
    string(APPEND found "\n  ${object}: ${symbol}")
  endforeach()
endforeach()
if(found)
  message(FATAL_ERROR "weak symbols:${found}")
endif()
list(LENGTH objects count)
message(STATUS "no weak symbols in ${count} objects")
