import Planes.*;
import java.util.ArrayList;
import java.util.List;

/** Does something else that ends it, or should, by the rounds of a fight. */
public class Deadly extends PlaneControl {
    private static final List<long[]> HELD = new ArrayList<>();

    private static final Object[] KEPT = new Object[1];

    private final int what;

    public Deadly(int arenaSize, int rounds) {
        super(arenaSize, rounds);
        what = rounds;
        if (what == 20) {
            throw new IllegalStateException("not today");
        }
        if (what == 21) {
            spin();
        }
        if (what == 22) {
            System.exit(4);
        }
    }

    @Override
    public Move[] act() {
        switch (what) {
            case 1: System.exit(7); break;
            case 2: Runtime.getRuntime().halt(3); break;
            case 3: spin(); break;
            case 4: new Thread(Deadly::spin).start(); break;
            case 5: Runtime.getRuntime().addShutdownHook(new Thread(Deadly::spin)); System.exit(0); break;
            case 6: for (;;) HELD.add(new long[1 << 17]);
            case 7: return deeper();
            case 8: for (int i = 0; i < 500; i++) new Thread(Deadly::spin).start(); break;
            case 9: closed(); break;
            case 10: guarded(); break;
            case 11: System.out.print("loud ".repeat(100_000)); break;
            case 12: sleep(); break;
            case 13: stop(Thread.currentThread()); break;
            case 14: crash(); break;
            case 15: started("/bin/sleep", "100"); break;
            case 16: for (Object[] last = null; ; last = new Object[] {last}) KEPT[0] = last;
            default: break;
        }
        return null;
    }

    private static void spin() {
        for (;;) {
            HELD.size();
        }
    }

    private static Move[] deeper() {
        return deeper();
    }

    private static void sleep() {
        try {
            Thread.sleep(100_000);
        } catch (InterruptedException why) {
            throw new RuntimeException(why);
        }
    }

    private static void closed() {
        try {
            new java.io.FileOutputStream(java.io.FileDescriptor.out).close();
        } catch (java.io.IOException why) {
            throw new RuntimeException(why);
        }
    }

    @SuppressWarnings({"deprecation", "removal"})
    private static void guarded() {
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkPermission(java.security.Permission it) {
                throw new SecurityException("nothing is allowed");
            }
        });
    }

    @SuppressWarnings({"deprecation", "removal"})
    private static void stop(Thread thread) {
        Thread stopper = new Thread(thread::stop);
        stopper.start();
        sleep();
    }

    private static void crash() {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            type.getMethod("putAddress", long.class, long.class).invoke(field.get(null), 1L, 1L);
        } catch (ReflectiveOperationException why) {
            throw new RuntimeException(why);
        }
    }

    private static void started(String... command) {
        try {
            new ProcessBuilder(command).start();
        } catch (java.io.IOException why) {
            throw new RuntimeException(why);
        }
    }
}
