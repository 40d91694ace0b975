package Planes;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Writes down what an entry throws, whatever its own methods make of that. */
final class AgonLog {
    /** Failures of which all is written; of later ones there is a line. */
    private static final int WHOLE_MAX = 20;
    /** Failures of which there is a line; later ones are but counted. */
    private static final int LINES_MAX = 500;
    /** Lines of where it was when it failed. */
    private static final int FRAMES_MAX = 20;
    /** Causes of causes. */
    private static final int CAUSES_MAX = 5;
    /** Characters of what a failure says of itself. */
    private static final int MESSAGE_CHARS_MAX = 1000;

    /** Memory that is given back where the entry has used up all: enough to write down why. */
    private static final int RESERVE_BYTES = 1 << 20;

    private final PrintStream to;
    private byte[] reserve = new byte[RESERVE_BYTES];
    private int failures;

    AgonLog(PrintStream to) {
        this.to = to;
    }

    /** Standard error. Closing it closes nothing: nothing that is written later is lost. */
    static PrintStream stream() {
        return new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8) {
            @Override
            public void close() {
                flush();
            }
        };
    }

    /** Before anything else is made of a failure. */
    void makeRoom() {
        reserve = null;
    }

    void write(String what, Throwable why) {
        failures++;
        try {
            if (failures == LINES_MAX) {
                to.println("failures after these are not written down");
            } else if (failures < LINES_MAX) {
                to.println(what + ": " + described(why, failures <= WHOLE_MAX));
            }
        } catch (Throwable ignored) {
            // Memory or stack is at its end, or another thread ends this one.
            to.println(what);
        }
    }

    private static String described(Throwable why, boolean whole) {
        StringBuilder text = new StringBuilder(named(why));
        Throwable at = why;
        for (int no = 0; whole && at != null; no++) {
            frames(at, text);
            at = cause(at);
            if (at != null && no == CAUSES_MAX) {
                text.append("\n    ... and more causes");
                break;
            }
            if (at != null) {
                text.append("\ncaused by ").append(named(at));
            }
        }
        return text.toString();
    }

    /** Its class, and what it says. That is the entry's own method, and may fail as well. */
    private static String named(Throwable why) {
        String name = why.getClass().getName();
        String message;
        try {
            message = why.getLocalizedMessage();
        } catch (Throwable another) {
            return name + " (and what it says cannot be had: " + another.getClass().getName() + ")";
        }
        if (message == null) {
            return name;
        }
        if (message.length() > MESSAGE_CHARS_MAX) {
            message = message.substring(0, MESSAGE_CHARS_MAX) + "... (" + message.length() + " characters)";
        }
        return name + ": " + message;
    }

    private static void frames(Throwable why, StringBuilder text) {
        StackTraceElement[] frames;
        try {
            frames = why.getStackTrace().clone();
        } catch (Throwable another) {
            text.append("\n    where it failed cannot be had: ").append(another.getClass().getName());
            return;
        }
        for (int no = 0; no < Math.min(FRAMES_MAX, frames.length); no++) {
            text.append("\n    at ").append(frames[no]);
        }
        if (frames.length > FRAMES_MAX) {
            text.append("\n    ... ").append(frames.length - FRAMES_MAX).append(" more");
        }
    }

    private static Throwable cause(Throwable why) {
        try {
            Throwable cause = why.getCause();
            return cause == why ? null : cause;
        } catch (Throwable another) {
            return another;
        }
    }
}
