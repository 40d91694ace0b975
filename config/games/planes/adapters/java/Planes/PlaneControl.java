package Planes;

/**
 * What an entry extends: it is told of the four planes, and says what its own two are to do. One
 * instance flies all fights of a match.
 */
public abstract class PlaneControl {
    /** Its own planes. Whatever is changed in them changes nothing in the arena. */
    protected Plane[] myPlanes = new Plane[2];
    /** The enemy's planes. */
    protected Plane[] enemyPlanes = new Plane[2];
    /** Cells along an edge of the arena. */
    protected int arenaSize;
    /** Rounds of this fight that come after this one. */
    protected int roundsLeft;

    public PlaneControl(int arenaSize, int rounds) {
        this.arenaSize = arenaSize;
        this.roundsLeft = rounds;
    }

    /** A fight begins: so many were fought before, and won by either side. */
    public void newFight(int fightsFought, int myScore, int enemyScore) {}

    /** Another enemy comes, for so many fights. */
    public void newOpponent(int fights) {}

    /** What the two planes do in this round. What is missing is straight on, without a shot. */
    public abstract Move[] act();
}
