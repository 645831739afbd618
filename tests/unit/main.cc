// Runs the unit tests. Catch2's own main is asked for differently in version 2 and version 3; a
// session of our own is the same in both.
#define CATCH_CONFIG_RUNNER
#include "support/catch.h"

int main(int argc, char* argv[]) {
    return Catch::Session().run(argc, argv);
}
