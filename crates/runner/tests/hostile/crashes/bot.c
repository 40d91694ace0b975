/* Writes where nothing is. */
int main(void) {
    *(volatile int *)8 = 1;
    return 0;
}
