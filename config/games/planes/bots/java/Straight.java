// Flies straight on and shoots whenever it can, until it meets the wall.
//
// An entry may be in the package Planes, as this one and those of 2014 are: then it needs no
// imports. It has no main either, since the judge speaks the protocol for it.
package Planes;

public class Straight extends PlaneControl {
    public Straight(int arenaSize, int rounds) {
        super(arenaSize, rounds);
    }

    @Override
    public Move[] act() {
        Move[] moves = new Move[2];
        for (int no = 0; no < 2; no++) {
            // A dead plane has a heading, too; nobody reads its move.
            moves[no] = new Move(myPlanes[no].getDirection(), true, myPlanes[no].canShoot());
        }
        return moves;
    }
}
