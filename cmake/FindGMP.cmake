# SPDX-License-Identifier: MIT
#
# The GNU multiple precision library as GMP::GMP: by its pkg-config file, else
# where compilers look. Installed beside the package of this project, which
# needs it for the static library. Sets GMP_FOUND and GMP_BY_PKG_CONFIG.

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(GMP_PC QUIET gmp)
endif()
find_path(GMP_INCLUDE_DIR gmp.h HINTS ${GMP_PC_INCLUDE_DIRS})
find_library(GMP_LIBRARY gmp HINTS ${GMP_PC_LIBRARY_DIRS})
set(GMP_BY_PKG_CONFIG "${GMP_PC_FOUND}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GMP REQUIRED_VARS GMP_LIBRARY GMP_INCLUDE_DIR
    VERSION_VAR GMP_PC_VERSION)
mark_as_advanced(GMP_INCLUDE_DIR GMP_LIBRARY)

if(GMP_FOUND AND NOT TARGET GMP::GMP)
    add_library(GMP::GMP UNKNOWN IMPORTED GLOBAL)
    set_target_properties(GMP::GMP PROPERTIES
        IMPORTED_LOCATION "${GMP_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${GMP_INCLUDE_DIR}")
endif()
