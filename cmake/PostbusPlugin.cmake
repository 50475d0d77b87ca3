# Plugins for Postbus, in its own tree and outside of it.
#
#   find_package(PostbusPlugin REQUIRED)      # where the SDK is installed; in a clone: include(cmake/PostbusPlugin.cmake)
#   postbus_add_plugin(hello SOURCES hello.cpp LINKS ... [DEFINES NAME=value ...] [BUNDLED] [OUTPUT_DIRECTORY dir]
#                      [OUTPUT_NAME name])
#
# makes the module hello.so, which exports its entry and nothing else: no symbol of it can stand in for one of the bus or
# of another plugin, nor the other way round. BUNDLED puts it where the daemon of this build looks for its own.

# The installed package says where they are there.
if(NOT POSTBUS_SDK_INCLUDE)
  set(POSTBUS_SDK_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../sdk)
  set(POSTBUS_PLUGIN_MAP ${POSTBUS_SDK_INCLUDE}/plugin.map)
endif()

function(postbus_add_plugin name)
  cmake_parse_arguments(ARG "BUNDLED" "OUTPUT_DIRECTORY;OUTPUT_NAME" "SOURCES;LINKS;DEFINES" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "postbus_add_plugin(${name}): unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_OUTPUT_NAME)
    set(ARG_OUTPUT_NAME ${name})
  endif()
  if(ARG_BUNDLED)
    set(ARG_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/postbus/plugins)
  elseif(NOT ARG_OUTPUT_DIRECTORY)
    set(ARG_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()

  set(target plugin_${name})
  add_library(${target} MODULE ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${ARG_OUTPUT_NAME}
    LIBRARY_OUTPUT_DIRECTORY ${ARG_OUTPUT_DIRECTORY} CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_definitions(${target} PRIVATE POSTBUS_PLUGIN_BUILD ${ARG_DEFINES})
  target_include_directories(${target} PRIVATE ${POSTBUS_SDK_INCLUDE})
  # A unique symbol is shared by all that define it, across dlopen's own walls, and pins the first of them in memory.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  target_link_options(${target} PRIVATE -Wl,--version-script=${POSTBUS_PLUGIN_MAP}
                      -Wl,--exclude-libs,ALL -Wl,-z,now)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${POSTBUS_PLUGIN_MAP})
  # clang leaves its sanitizers' run-time to the program, so there a plugin has symbols that nothing defines.
  if(NOT (POSTBUS_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang))
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  if(TARGET postbus_options)
    target_link_libraries(${target} PRIVATE $<IF:$<BOOL:${ARG_BUNDLED}>,postbus_product_options,postbus_options>)
  endif()
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
endfunction()
