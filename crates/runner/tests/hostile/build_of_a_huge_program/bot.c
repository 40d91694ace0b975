/* A program of two gigabytes. */
int numbers[500000000] = {1};
int main(void) { return numbers[1]; }
