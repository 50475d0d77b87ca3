# Flags that every target of ours shares, the sanitizers, ccache and the precompiled headers.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# -fPIC for all alike, programs too: a precompiled header is good for one setting only.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
add_compile_options(-fPIC)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header carries a time stamp; ccache has to be told that we know.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

add_library(postbus_options INTERFACE)
target_include_directories(postbus_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/sdk)
target_compile_options(postbus_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
find_package(Threads REQUIRED)
target_link_libraries(postbus_options INTERFACE Threads::Threads)

set(POSTBUS_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
# What a sanitizer watches for all alike, and what only in the product: UBSan's checks of a test's own code find nothing
# that matters and cost 40 % of its compilation.
add_library(postbus_product_options INTERFACE)
target_link_libraries(postbus_product_options INTERFACE postbus_options)
if(POSTBUS_SANITIZE)
  string(REPLACE "," ";" sanitizers ${POSTBUS_SANITIZE})
  list(REMOVE_ITEM sanitizers undefined)
  list(JOIN sanitizers "," for_all)
  target_compile_options(postbus_options INTERFACE -fsanitize=${for_all} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_compile_options(postbus_product_options INTERFACE -fsanitize=${POSTBUS_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(postbus_options INTERFACE -fsanitize=${POSTBUS_SANITIZE})
  # GCC and clang have different ways to say so.
  if(address IN_LIST sanitizers)
    target_compile_definitions(postbus_options INTERFACE POSTBUS_ASAN)
  elseif(thread IN_LIST sanitizers)
    target_compile_definitions(postbus_options INTERFACE POSTBUS_TSAN)
  endif()
endif()

find_program(LLD ld.lld)
if(LLD)
  add_link_options(-fuse-ld=lld)
endif()

# The standard headers that nearly every file of ours reads. Only std: a library's headers belong behind its door.
file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp.in "// holds the precompiled header\n")
configure_file(${CMAKE_BINARY_DIR}/pch.cpp.in ${CMAKE_BINARY_DIR}/pch.cpp COPYONLY)
add_library(postbus_pch_options INTERFACE)
target_compile_options(postbus_pch_options INTERFACE -Winvalid-pch)
add_library(postbus_pch STATIC ${CMAKE_BINARY_DIR}/pch.cpp)
target_link_libraries(postbus_pch PUBLIC postbus_options PRIVATE postbus_product_options postbus_pch_options)
target_precompile_headers(postbus_pch PRIVATE <algorithm> <array> <atomic> <chrono> <cstdint> <cstring> <functional>
                          <map> <memory> <mutex> <optional> <span> <string> <string_view> <thread> <tuple>
                          <unordered_map> <utility> <variant> <vector>)
