int main[-1u] = {1};
