/* Holds more and more, as if the machine were its own. */
public class Bot {
    public static void main(String[] arguments) {
        if (Runtime.getRuntime().maxMemory() > (300L << 20)) System.exit(9);
        if (Runtime.getRuntime().availableProcessors() != 1) System.exit(8);
        java.util.List<long[]> all = new java.util.ArrayList<>();
        for (;;) all.add(new long[1 << 20]);
    }
}
