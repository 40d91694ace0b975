// Uses too much of what it is told to.
int deeper(int depth)
{
    return deeper(deeper(depth + 1)) + 1;
}

int main(string[] arguments)
{
    ubyte[][] all;
    switch (arguments[$ - 1])
    {
    case "heap":
        while (true)
        {
            all ~= new ubyte[65_536];
            all[$ - 1][] = 1;
        }
    case "stack":
        return deeper(0);
    default:
        while (true)
        {
        }
    }
}
