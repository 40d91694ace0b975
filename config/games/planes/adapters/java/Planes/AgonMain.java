package Planes;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;

/**
 * Lets an entry that extends {@link PlaneControl} play by the judge's protocol. Lines come in on
 * standard input, moves go out on standard output; whatever the entry prints goes to its log.
 */
public class AgonMain {
    private static final int PLANES = 2;
    /** Straight on, without a shot: ahead of a plane that is dead lies the north. */
    private static final String NOWHERE = "N 0 0";

    private final BufferedReader from;
    private final PrintStream to;
    private final AgonLog log;
    private PlaneControl entry;
    private int arenaSize;
    private int roundsLeft;
    /** In words, for the log. */
    private String when = "before the first fight";

    private AgonMain(BufferedReader from, PrintStream to, AgonLog log) {
        this.from = from;
        this.to = to;
        this.log = log;
    }

    public static void main(String[] args) {
        // None of these is what the entry gets, which may close, exchange or lock its own.
        InputStreamReader from = new InputStreamReader(System.in, StandardCharsets.US_ASCII);
        PrintStream to = new PrintStream(new FileOutputStream(FileDescriptor.out));
        AgonLog log = new AgonLog(AgonLog.stream());
        System.setIn(InputStream.nullInputStream());
        System.setOut(AgonLog.stream());
        System.setErr(AgonLog.stream());
        int status = 1;
        try {
            new AgonMain(new BufferedReader(from), to, log).play();
            status = 0;
        } catch (Throwable why) {
            log.makeRoom();
            log.write("the entry is at its end", why);
        } finally {
            // Threads of the entry are not waited for.
            Runtime.getRuntime().halt(status);
        }
    }

    private void play() throws Throwable {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            String[] words = line.trim().split("\\s+");
            if (line.startsWith("NEW CONTEST ")) {
                arenaSize = number(words, 2);
                entry = begin(arenaSize, number(words, 3));
            } else if (line.startsWith("NEW OPPONENT ")) {
                tell("newOpponent", () -> entry.newOpponent(number(words, 2)));
            } else if (line.startsWith("NEW FIGHT ")) {
                when = "at the start of fight " + (number(words, 2) + 1);
                tell("newFight", () -> entry.newFight(number(words, 2), number(words, 3), number(words, 4)));
                when = "in fight " + (number(words, 2) + 1);
            } else if (line.startsWith("ROUNDS LEFT ")) {
                roundsLeft = number(words, 2);
            } else if (line.equals("NEW TURN")) {
                turn();
            } else {
                throw new IOException("the judge said something unknown: " + line);
            }
        }
    }

    private void turn() throws IOException {
        Plane[] own = planes();
        // The entry may do with its planes as it likes.
        entry.myPlanes = new Plane[] {own[0].copy(), own[1].copy()};
        entry.enemyPlanes = planes();
        entry.roundsLeft = roundsLeft;
        String[] lines = {straight(own[0]), straight(own[1])};
        tell("act", () -> {
            Move[] moves = entry.act();
            for (int no = 0; moves != null && no < Math.min(PLANES, moves.length); no++) {
                lines[no] = said(own[no], moves[no]);
            }
        });
        to.print(lines[0] + "\n" + lines[1] + "\n");
        to.flush();
    }

    /** A move as the protocol has it. Threads of the entry may change it meanwhile: each part is read once. */
    private static String said(Plane plane, Move move) {
        Direction direction = move == null ? null : move.direction;
        if (!plane.isAlive() || direction == null) {
            return straight(plane);
        }
        String letters = direction.letters();
        if (letters.isEmpty()) {
            // No direction is none that a plane can turn to: neither is the one it comes from.
            Direction heading = plane.getDirection();
            letters = new Direction(-heading.getNSDir(), -heading.getWEDir(), -heading.getDUDir()).letters();
        }
        return letters + (move.changeDirection ? " 1" : " 0") + (move.shoot ? " 1" : " 0");
    }

    private static String straight(Plane plane) {
        return plane.isAlive() ? plane.getDirection().letters() + " 0 0" : NOWHERE;
    }

    private Plane[] planes() throws IOException {
        Plane[] planes = new Plane[PLANES];
        for (int no = 0; no < PLANES; no++) {
            String line = from.readLine();
            if (line == null) {
                throw new IOException("the judge broke off in a turn");
            }
            String[] words = line.trim().split("\\s+");
            Point3D at = new Point3D(number(words, 1), number(words, 2), number(words, 3));
            planes[no] = new Plane(arenaSize, number(words, 5), new Direction(words[4]), at);
            planes[no].setAlive(words[0].equals("alive"));
        }
        return planes;
    }

    /** What goes wrong in an entry is its own affair: it is written down, and it misses that turn. */
    private void tell(String method, Runnable said) {
        try {
            said.run();
        } catch (OutOfMemoryError why) {
            log.makeRoom();
            log.write(method + " failed " + when, why);
        } catch (Throwable why) {
            String rounds = method.equals("act") ? " with " + roundsLeft + " rounds left" : "";
            log.write(method + " failed " + when + rounds, why);
        }
    }

    private static PlaneControl begin(int arenaSize, int rounds) throws Throwable {
        Class<?> found = Class.forName(AgonEntry.NAME);
        if (!PlaneControl.class.isAssignableFrom(found)) {
            throw new ClassCastException(found.getName() + " does not extend Planes.PlaneControl");
        }
        Constructor<?> constructor;
        try {
            constructor = found.getDeclaredConstructor(int.class, int.class);
        } catch (NoSuchMethodException why) {
            throw new NoSuchMethodException(found.getName() + " has no constructor (int arenaSize, int rounds)");
        }
        constructor.setAccessible(true);
        try {
            return (PlaneControl) constructor.newInstance(arenaSize, rounds);
        } catch (InvocationTargetException why) {
            throw why.getCause();
        }
    }

    private static int number(String[] words, int at) {
        return Integer.parseInt(words[at]);
    }
}
