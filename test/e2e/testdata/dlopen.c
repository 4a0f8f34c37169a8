/* Loads a library late, as a JVM does, and looks for the symbols named: `dlopen LIBRARY SYMBOL…`.
 * For TestLibraryOnMusl. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **args) {
    void *library = count < 2 ? NULL : dlopen(args[1], RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "dlopen: %s\n", dlerror());
        return 1;
    }
    for (int i = 2; i < count; i++) {
        if (dlsym(library, args[i]) == NULL) {
            fprintf(stderr, "dlsym: %s\n", dlerror());
            return 1;
        }
    }
    /* A native that runs before the agent is started; it asks musl for nothing but must return
     * "off". */
    unsigned char (*sampling)(void *, void *) = (unsigned char (*)(void *, void *))dlsym(library, "Java_io_planflame_agent_NativeAgent_sampling");
    printf("loaded, sampling %d\n", sampling == NULL ? -1 : sampling(NULL, NULL));
    return 0;
}
