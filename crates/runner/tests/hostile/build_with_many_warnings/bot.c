/* Correct enough, with ten thousand complaints. */
#define W(n) static void *w##n(void) { return n + 1; }
#define T(n) W(n##0) W(n##1) W(n##2) W(n##3) W(n##4) W(n##5) W(n##6) W(n##7) W(n##8) W(n##9)
#define H(n) T(n##0) T(n##1) T(n##2) T(n##3) T(n##4) T(n##5) T(n##6) T(n##7) T(n##8) T(n##9)
H(1) H(2) H(3) H(4) H(5) H(6) H(7) H(8) H(9)
int main(void) { return 0; }
