# SPDX-License-Identifier: MIT
#
# What every target of the project is compiled with. The rules themselves are
# in docs/decisions/0002-c17-and-determinism.md.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)
# Nothing of ours needs a search path of its own; an empty one would mean the current folder.
set(CMAKE_SKIP_RPATH ON)

add_library(compile_options INTERFACE)
target_compile_definitions(compile_options INTERFACE _XOPEN_SOURCE=700)
target_compile_options(compile_options INTERFACE
    -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    # The same inputs give the same bytes: no contraction to fused operations.
    -ffp-contract=off)
if(OMEGAPAC_WERROR)
    target_compile_options(compile_options INTERFACE -Werror)
endif()

if(OMEGAPAC_SANITIZE)
    set(sanitize -fsanitize=${OMEGAPAC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(compile_options INTERFACE ${sanitize})
    target_link_options(compile_options INTERFACE ${sanitize})
endif()
if(OMEGAPAC_COVERAGE)
    target_compile_options(compile_options INTERFACE --coverage)
    target_link_options(compile_options INTERFACE --coverage)
endif()
if(OMEGAPAC_FUZZ)
    # Coverage feedback in the library; the fuzz targets link the fuzzer's main.
    target_compile_options(compile_options INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(compile_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
