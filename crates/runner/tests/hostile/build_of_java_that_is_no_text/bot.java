public class Bot {
    // ÿþ café
    public static void main(String[] a) {
        System.out.println("#END");
    }
}
