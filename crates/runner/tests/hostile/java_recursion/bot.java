/* Goes deeper and deeper. */
public class Bot {
    static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    public static void main(String[] arguments) {
        System.exit(deeper(0));
    }
}
