// Flies straight on as long as there is a way out, and shoots whenever it can.
//
// An entry may be in no package at all, as this one is: then it imports what it uses.
import Planes.*;

public class WallAvoider extends PlaneControl {
    public WallAvoider(int arenaSize, int rounds) {
        super(arenaSize, rounds);
    }

    @Override
    public Move[] act() {
        Move[] moves = new Move[2];
        for (int no = 0; no < 2; no++) {
            // The second plane tries turns the other way round, so that they part.
            Direction turn = wayOut(myPlanes[no], no == 1, 4);
            moves[no] = new Move(turn != null ? turn : myPlanes[no].getDirection(), true, myPlanes[no].canShoot());
        }
        return moves;
    }

    // The first turn after which a plane can fly so many rounds, this one counted; null if none.
    private static Direction wayOut(Plane plane, boolean reverse, int rounds) {
        if (rounds == 0) {
            return plane.getDirection();
        }
        Direction[] turns = plane.getPossibleDirections(); // none where it is dead
        for (int i = -1; i < turns.length; i++) {
            Direction turn = i < 0 ? plane.getDirection() : turns[reverse ? turns.length - 1 - i : i];
            Plane after = plane.simulateMove(new Move(turn, true, false));
            if (plane.isAlive() && after.isAlive() && wayOut(after, reverse, rounds - 1) != null) {
                return turn;
            }
        }
        return null;
    }
}
