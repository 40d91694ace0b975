/* Goes deeper and deeper. */
static int deeper(int depth) {
    volatile char frame[4096];
    frame[0] = (char)depth;
    return deeper(depth + 1) + frame[0];
}
int main(void) { return deeper(0); }
