/* A system call as a program of another architecture makes it. */
int main(void) {
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result)::"memory");
    return 0;
}
