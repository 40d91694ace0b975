__asm__(".rept 100000000\nnop\n.endr");
int main(void) { return 0; }
