# Layers, kept by the build.
#
#   postbus_module(formats/mime USES base LINKS ZLIB::ZLIB)
#
# makes the static library postbus_transports_http from the *.cpp files below the folder of the calling CMakeLists.txt.
# The order of add_subdirectory() in the root file is the layering: a module may use only modules that were defined
# before it. LINKS are private: a library that a module opens a door to is not passed on to those that use the module.

set_property(GLOBAL PROPERTY POSTBUS_MODULES "")

function(postbus_target_name module out)
  string(REPLACE "/" "_" name "postbus_${module}")
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# Resolves module names into targets, refusing what is not below.
function(postbus_resolve_uses module out)
  get_property(below GLOBAL PROPERTY POSTBUS_MODULES)
  set(targets "")
  foreach(used IN LISTS ARGN)
    if(NOT used IN_LIST below)
      message(FATAL_ERROR "${module} uses ${used}, which is not below it")
    endif()
    postbus_target_name(${used} target)
    list(APPEND targets ${target})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

function(postbus_module module)
  cmake_parse_arguments(ARG "" "" "USES;LINKS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "postbus_module(${module}): unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  postbus_resolve_uses(${module} used ${ARG_USES})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX /main\\.cpp$)  # a program's, which uses the module
  get_property(below GLOBAL PROPERTY POSTBUS_MODULES)
  foreach(inner IN LISTS below)
    string(FIND ${inner} ${module}/ at)
    if(at EQUAL 0)  # a folder below this one that is a module of its own
      list(FILTER sources EXCLUDE REGEX ^${CMAKE_SOURCE_DIR}/${inner}/)
    endif()
  endforeach()
  postbus_target_name(${module} target)
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC postbus_options ${used} PRIVATE ${ARG_LINKS})
    target_precompile_headers(${target} REUSE_FROM postbus_pch)
    target_link_libraries(${target} PRIVATE postbus_product_options postbus_pch_options)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE postbus_options ${used} ${ARG_LINKS})
  endif()
  set_property(GLOBAL APPEND PROPERTY POSTBUS_MODULES ${module})
endfunction()

# postbus_tests(unit/formats/xml LABEL unit USES formats/xml LINKS ...): one Boost.Test program from the *.cpp files of
# the calling folder, registered with ctest under its name and label. The target unit_tests builds all with label unit,
# and so on. APART names suites that are a test of their own for ctest, NAME/apart: so that what takes long runs side by
# side.
function(postbus_tests name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "USES;LINKS;SOURCES;APART" ${ARGN})
  postbus_resolve_uses(${name} used ${ARG_USES})
  if(ARG_SOURCES)
    set(sources ${ARG_SOURCES})
  else()
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  string(REPLACE "/" "_" target ${name})
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE postbus_test_main ${used} ${ARG_LINKS})
  target_precompile_headers(${target} REUSE_FROM postbus_test_main)
  # Headers are read once a program, so helpers of two files of a folder must not share a name. A header's rule, that
  # nothing of it may rest on an unnamed namespace, is not for these.
  if(POSTBUS_UNITY_TESTS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  if(NOT TARGET ${ARG_LABEL}_tests)
    add_custom_target(${ARG_LABEL}_tests)
  endif()
  add_dependencies(${ARG_LABEL}_tests ${target})
  set(tests ${name})
  set(run ${target} --log_level=test_suite --report_level=short)
  if(ARG_APART)
    list(JOIN ARG_APART "," apart)
    list(JOIN ARG_APART ":!" others)
    add_test(NAME ${name}/apart COMMAND ${run} --run_test=${apart})
    list(APPEND tests ${name}/apart)
    list(APPEND run --run_test=!${others})
  endif()
  add_test(NAME ${name} COMMAND ${run})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(POSTBUS_SANITIZE)
    math(EXPR ARG_TIMEOUT "3 * ${ARG_TIMEOUT}")
  endif()
  set_tests_properties(${tests} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
endfunction()

# postbus_fuzzer(http_head http_head_fuzz.cpp USES transports/http): a libFuzzer target, built by the fuzz preset only; postbus_fuzz builds all of
# them.
# Its seeds lie in tests/fuzz/corpus/NAME.
function(postbus_fuzzer name source)
  if(NOT POSTBUS_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "USES;LINKS" ${ARGN})
  postbus_resolve_uses(fuzz/${name} used ${ARG_USES})
  add_executable(fuzz_${name} ${source})
  target_link_libraries(fuzz_${name} PRIVATE ${used} ${ARG_LINKS} -fsanitize=fuzzer)
  if(NOT TARGET postbus_fuzz)
    add_custom_target(postbus_fuzz)
  endif()
  add_dependencies(postbus_fuzz fuzz_${name})
endfunction()
