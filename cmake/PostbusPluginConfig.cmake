# The package that find_package(PostbusPlugin) finds: headers and rules, nothing to link.
get_filename_component(POSTBUS_SDK_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../../../include ABSOLUTE)
set(POSTBUS_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/plugin.map)
include(${CMAKE_CURRENT_LIST_DIR}/PostbusPlugin.cmake)
