// Uses too much of what it is told to.
class Trial {
    static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    public static void main(String[] arguments) {
        switch (arguments[arguments.length - 1]) {
            case "heap" -> {
                var all = new java.util.ArrayList<long[]>();
                for (;;) all.add(new long[1 << 16]);
            }
            case "stack" -> deeper(0);
            default -> {
                for (;;) {}
            }
        }
    }
}
