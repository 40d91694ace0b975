#pragma GCC dependency "/etc/passwd"
#include "@file"
#include "-o"
int main(void) { return 0; }
