#include "why.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

bool pf_because(struct pf_why *why, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    for (char *c = why->text; *c; c++) {
        if (*c == '\n' || *c == '\r') *c = ' ';
    }
    return false;
}
