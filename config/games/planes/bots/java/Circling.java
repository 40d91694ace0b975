// Flies to the middle height and circles there, each plane on a side of its own.
//
// A circle is eight rounds long: in each the plane turns by 45 degrees. The two planes turn in
// opposite senses, so that they part. Whatever comes across their guns is shot at: once they
// circle, they shoot as often as they can, unless their partner is in the way.
//
// An entry may be in a package of its own, as this one is: then it imports what it uses.
package circling;

import Planes.Direction;
import Planes.Move;
import Planes.Plane;
import Planes.PlaneControl;
import Planes.Point3D;

public class Circling extends PlaneControl {
    // The level directions in the order of a circle.
    private static final String[] RING = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};

    public Circling(int arenaSize, int rounds) {
        super(arenaSize, rounds);
    }

    @Override
    public Move[] act() {
        Move[] moves = new Move[2];
        for (int no = 0; no < 2; no++) {
            Plane me = myPlanes[no], partner = myPlanes[1 - no];
            if (!me.isAlive()) {
                continue; // a move that is missing is none
            }
            Direction turn = turn(me, no == 0 ? 1 : -1);
            boolean circles = me.getZ() == arenaSize / 2 && me.getDirection().getDUDir() == 0;
            Plane after = me.simulateMove(new Move(turn, true, false));
            boolean free = !partner.isAlive() || !isAhead(after, partner.getPosition());
            moves[no] = new Move(turn, true, circles && me.canShoot() && free);
        }
        return moves;
    }

    // What it would like best, if it can, or else the first turn that leads into no wall.
    private Direction turn(Plane me, int sense) {
        Direction heading = me.getDirection(), wish = wanted(me, sense);
        if (heading.isValidDirection(wish) && isSafe(me, wish)) {
            return wish;
        }
        if (isSafe(me, heading)) {
            return heading;
        }
        for (Direction turn : me.getPossibleDirections()) {
            if (isSafe(me, turn)) {
                return turn;
            }
        }
        return heading;
    }

    // Where the plane would like to turn to, wall or not.
    private Direction wanted(Plane me, int sense) {
        Direction heading = me.getDirection();
        int x = heading.getNSDir(), y = heading.getWEDir();
        int climb = arenaSize / 2 - me.getZ(); // of each number only the sign counts
        if (climb != 0 || x == 0 && y == 0) {
            return new Direction(x, y, climb);
        }
        if (heading.getDUDir() != 0) {
            return new Direction(x, y, 0); // level off first
        }
        int at = 0;
        while (!RING[at].equals(heading.getAsString())) {
            at++;
        }
        return new Direction(RING[(at + sense + RING.length) % RING.length]);
    }

    private static boolean isSafe(Plane me, Direction turn) {
        return leadsOut(me.simulateMove(new Move(turn, true, false)), 4);
    }

    // Whether a plane is alive, and can fly so many rounds more.
    private static boolean leadsOut(Plane plane, int rounds) {
        if (!plane.isAlive() || rounds == 0) {
            return plane.isAlive();
        }
        for (Direction turn : plane.getPossibleDirections()) {
            if (leadsOut(plane.simulateMove(new Move(turn, true, false)), rounds - 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAhead(Plane plane, Point3D cell) {
        Point3D[] ahead = plane.getShootRange(); // null where it is dead
        for (int no = 0; ahead != null && no < ahead.length; no++) {
            if (ahead[no].equals(cell)) {
                return true;
            }
        }
        return false;
    }
}
