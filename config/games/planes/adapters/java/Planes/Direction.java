package Planes;

import java.util.ArrayList;
import java.util.List;

/** One of the 26 directions, or none at all: on each axis backwards (-1), forwards (1) or neither (0). */
public class Direction {
    /** The letters of the axes, in the order in which they are written. */
    private static final String[] AXES = {"NS", "WE", "DU"};

    private final int[] along = new int[AXES.length];

    /** Of each number only the sign counts. */
    public Direction(int NSDir, int WEDir, int DUDir) {
        along[0] = Integer.signum(NSDir);
        along[1] = Integer.signum(WEDir);
        along[2] = Integer.signum(DUDir);
    }

    /**
     * The direction that is written so. Other letters count for nothing; of two that contradict each
     * other, the first of N and S, of W and E, of D and U does.
     */
    public Direction(String direction) {
        for (int axis = 0; axis < AXES.length; axis++) {
            if (direction.indexOf(AXES[axis].charAt(0)) >= 0) {
                along[axis] = -1;
            } else if (direction.indexOf(AXES[axis].charAt(1)) >= 0) {
                along[axis] = 1;
            }
        }
    }

    /** Its letters, one for each axis that it goes along. */
    public String getAsString() {
        return letters();
    }

    /** -1: north, 1: south. */
    public int getNSDir() {
        return along[0];
    }

    /** -1: west, 1: east. */
    public int getWEDir() {
        return along[1];
    }

    /** -1: down, 1: up. */
    public int getDUDir() {
        return along[2];
    }

    /** The step that it is. */
    public Point3D getAsPoint3D() {
        return new Point3D(along[0], along[1], along[2]);
    }

    /** Its letters. */
    public char[] getMainDirections() {
        return letters().toCharArray();
    }

    /** For the judge, whatever an entry makes of the methods above. */
    final String letters() {
        StringBuilder letters = new StringBuilder();
        for (int axis = 0; axis < AXES.length; axis++) {
            if (along[axis] != 0) {
                letters.append(AXES[axis].charAt(along[axis] < 0 ? 0 : 1));
            }
        }
        return letters.toString();
    }

    /** Where a plane that flies so can turn, straight on among them. */
    public Direction[] getPossibleDirections() {
        List<Direction> possible = new ArrayList<>();
        for (int ns = -1; ns <= 1; ns++) {
            for (int we = -1; we <= 1; we++) {
                for (int du = -1; du <= 1; du++) {
                    Direction direction = new Direction(ns, we, du);
                    if (isValidDirection(direction)) {
                        possible.add(direction);
                    }
                }
            }
        }
        return possible.toArray(new Direction[0]);
    }

    /** Whether a plane that flies so can turn there: both touch, and lie on one face of the cube. */
    public boolean isValidDirection(Direction direction) {
        boolean onOneFace = false;
        for (int axis = 0; axis < AXES.length; axis++) {
            int from = along[axis];
            int to = direction.along[axis];
            if (Math.abs(from - to) > 1) {
                return false;
            }
            onOneFace |= from != 0 && from == to;
        }
        return onOneFace;
    }

    @Override
    public String toString() {
        return getAsString();
    }
}
