// Keeps threads and processes busy, and says when they are.
class Bot {
    static volatile long n;

    static void think() {
        for (;;) n++;
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            new ProcessBuilder("/bin/sh", "-c", "while :; do :; done").start();
            Thread thread = new Thread(Bot::think);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("thinking");
        think();
    }
}
