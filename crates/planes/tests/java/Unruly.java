import Planes.*;
import java.util.concurrent.CountDownLatch;

/** Does something else that it should not in each fight, by the number of fights before. */
@SuppressWarnings({"serial", "unused"})
public class Unruly extends PlaneControl {
    private int fought;
    private final Move kept = new Move(new Direction("SU"), true, true);

    public Unruly(int arenaSize, int rounds) {
        super(arenaSize, rounds);
    }

    @Override
    public void newOpponent(int fights) {
        throw new IllegalStateException("no opponents");
    }

    @Override
    public void newFight(int fightsFought, int myScore, int enemyScore) {
        fought = fightsFought;
        if (fought == 26) {
            throw new IllegalStateException("no fight");
        }
    }

    @Override
    public Move[] act() {
        Move up = new Move(new Direction("SU"), true, true), side = new Move(new Direction("EU"), false, false);
        switch (fought) {
            case 0: return null;
            case 1: return new Move[0];
            case 2: return new Move[] {up};
            case 3: return new Move[] {up, side, up, null, side};
            case 4: return new Move[] {null, new Move(null, true, true)};
            case 5: return new Move[] {new Move(new Direction(""), true, true), side};
            case 6: return new Move[] {new Move(new Direction("NWU"), true, false), side};
            case 7: return new Move[] {new Move(new Liar(), true, false), new Move(new Liar(), false, false)};
            case 8: throw new RuntimeException("no");
            case 9: throw new Silent();
            case 10: throw new RuntimeException("x".repeat(10_000_000));
            case 11: throw new RuntimeException("outer", new Circle());
            case 12: return deeper(0);
            case 13: // and once more
            case 14: return Broken.moves();
            case 15: System.out.println("said"); System.out.close(); System.err.close(); throw new RuntimeException("closed");
            case 16: lock(); throw new RuntimeException("locked");
            case 17: return listen();
            case 18: System.setOut(null); System.setErr(null); throw new RuntimeException("set");
            case 19: myPlanes[0].setAlive(false); myPlanes[1] = null; myPlanes = null; enemyPlanes = new Plane[0]; return null;
            case 20: return myPlanes[0].isAlive() && enemyPlanes[1].isAlive() ? new Move[] {up, side} : null;
            case 21: change(); return new Move[] {kept, kept};
            case 22: Thread.currentThread().interrupt(); return new Move[] {up, side};
            case 23: long[][] all = new long[1000][]; for (int i = 0; i < 1000; i++) all[i] = new long[10_000_000]; return null;
            case 24: Object[] moves = new Move[2]; moves[0] = "no move"; return (Move[]) moves;
            case 25: return Thrower.<RuntimeException>any(new Exception("sneaked"));
            case 26: return new Move[] {up, side};
            default: throw new RuntimeException("again");
        }
    }

    private static Move[] deeper(int n) {
        return deeper(n + 1);
    }

    private static Move[] listen() {
        try {
            int heard = System.in.read();
            throw new RuntimeException("heard " + heard);
        } catch (java.io.IOException why) {
            throw new RuntimeException("deaf");
        }
    }

    /** A thread that never ends holds what it was given to write to. */
    private static void lock() {
        CountDownLatch held = new CountDownLatch(1);
        new Thread(() -> {
            synchronized (System.err) {
                held.countDown();
                for (;;) {
                    try {
                        Thread.sleep(1000);
                    } catch (InterruptedException why) {
                        return;
                    }
                }
            }
        }).start();
        try {
            held.await();
        } catch (InterruptedException why) {
            throw new RuntimeException(why);
        }
    }

    private void change() {
        Direction one = kept.direction;
        Thread thread = new Thread(() -> {
            for (;;) {
                kept.direction = kept.direction == null ? one : null;
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    static class Liar extends Direction {
        Liar() {
            super("S");
        }

        @Override
        public String getAsString() {
            return "U 1 1\nD 1 1\nN";
        }

        @Override
        public char[] getMainDirections() {
            throw new RuntimeException("no letters");
        }

        @Override
        public int getNSDir() {
            return 7;
        }
    }

    static class Silent extends RuntimeException {
        @Override
        public String getMessage() {
            throw new Silent();
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return null;
        }

        @Override
        public String toString() {
            throw new Silent();
        }

        @Override
        public void printStackTrace() {
            throw new Silent();
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException();
        }
    }

    static class Circle extends RuntimeException {
        @Override
        public synchronized Throwable getCause() {
            return new Circle();
        }
    }

    static class Broken {
        static final Move[] MOVES = {new Move(new Direction(((String) null)), true, true)};

        static Move[] moves() {
            return MOVES;
        }
    }

    static class Thrower {
        @SuppressWarnings("unchecked")
        static <E extends Exception> Move[] any(Exception why) throws E {
            throw (E) why;
        }
    }
}
