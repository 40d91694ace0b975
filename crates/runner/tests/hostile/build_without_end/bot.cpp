// Templates that call for more of themselves.
template <int N, int M>
struct Grow {
    static constexpr unsigned long value = Grow<N - 1, M>::value + Grow<N - 1, M + 1>::value;
};
template <int M>
struct Grow<0, M> {
    static constexpr unsigned long value = M;
};
int main() { return Grow<800, 0>::value & 1; }
