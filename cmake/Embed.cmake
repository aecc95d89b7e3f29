# SPDX-License-Identifier: MIT
#
# embed(TARGET SYMBOL FILE): the file becomes `const char SYMBOL[]`, with NUL behind it, in a source
# of the target. Who uses it declares it. Made when CMake runs, and again when the file changes.
function(embed target symbol file)
    get_filename_component(path ${file} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    # Lines that tools can bear.
    string(REGEX REPLACE "((0x..,){20})" "\\1\n" bytes "${bytes}")
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
    file(GENERATE OUTPUT ${source} CONTENT
        "extern const char ${symbol}[];\nconst char ${symbol}[] = {\n${bytes}0};\n")
    target_sources(${target} PRIVATE ${source})
endfunction()
