constexpr unsigned long long deep(unsigned long long n) { return n < 2 ? n : deep(n - 1) + deep(n - 2); }
static_assert(deep(200) > 0, "");
int main() {}
