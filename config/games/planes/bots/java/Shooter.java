// Hunts: of all that a plane may do it takes what points its gun at an enemy.
//
// Where an enemy will be is guessed by letting it fly straight on. If no turn points at one, the
// plane comes nearer to the nearest. It never does what leads into a wall within four rounds, and
// does not shoot when its partner is in the way. Among moves that are as good it takes another one
// in every fight, so that an enemy who learns has something to do.
import Planes.Direction;
import Planes.Move;
import Planes.Plane;
import Planes.PlaneControl;
import Planes.Point3D;
import java.util.ArrayList;
import java.util.List;

public class Shooter extends PlaneControl {
    private int fought;

    public Shooter(int arenaSize, int rounds) {
        super(arenaSize, rounds);
    }

    @Override
    public void newFight(int fightsFought, int myScore, int enemyScore) {
        fought = fightsFought;
    }

    @Override
    public Move[] act() {
        List<Point3D> enemies = new ArrayList<>();
        for (Plane enemy : enemyPlanes) {
            if (enemy.isAlive() && ahead(enemy).isInArena(arenaSize)) {
                enemies.add(ahead(enemy));
            }
        }
        Move[] moves = new Move[2];
        Point3D partner = myPlanes[1].isAlive() ? ahead(myPlanes[1]) : null;
        for (int no = 0; no < 2; no++) {
            moves[no] = best(myPlanes[no], partner, enemies);
            // The second plane minds what the first one does.
            partner = moves[no] == null ? null : myPlanes[no].simulateMove(moves[no]).getPosition();
        }
        return moves;
    }

    private Move best(Plane me, Point3D partner, List<Point3D> enemies) {
        if (!me.isAlive()) {
            return null;
        }
        Move best = null;
        int bestScore = Integer.MIN_VALUE;
        for (Direction turn : turns(me)) {
            for (boolean changes : new boolean[] {true, false}) {
                Move move = new Move(turn, changes, false);
                Plane after = me.simulateMove(move);
                Point3D to = after.getPosition();
                if (to.equals(partner) || enemies.contains(to) || !leadsOut(after, 4)) {
                    continue;
                }
                boolean aims = false;
                int near = enemies.isEmpty() ? 0 : Integer.MAX_VALUE;
                for (Point3D enemy : enemies) {
                    aims |= isAhead(after, enemy);
                    near = Math.min(near, distance(to, enemy));
                }
                aims &= partner == null || !isAhead(after, partner);
                move.shoot = aims && me.canShoot();
                int score = (aims ? 1000 : 0) - near;
                if (score > bestScore) {
                    bestScore = score;
                    best = move;
                }
            }
        }
        return best != null ? best : new Move(me.getDirection(), true, me.canShoot());
    }

    // Straight on and the other turns, in each fight from another one on, so that no fight is like
    // the one before.
    private List<Direction> turns(Plane me) {
        List<Direction> turns = new ArrayList<>();
        turns.add(me.getDirection());
        for (Direction turn : me.getPossibleDirections()) {
            if (!turn.getAsString().equals(me.getDirection().getAsString())) {
                turns.add(turn);
            }
        }
        List<Direction> rotated = new ArrayList<>();
        for (int no = 0; no < turns.size(); no++) {
            rotated.add(turns.get((fought + no) % turns.size()));
        }
        return rotated;
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

    // Where it will be if it flies straight on.
    private static Point3D ahead(Plane plane) {
        return plane.getPosition().add(plane.getDirection().getAsPoint3D());
    }

    private static int distance(Point3D a, Point3D b) {
        return Math.max(Math.abs(a.x - b.x), Math.max(Math.abs(a.y - b.y), Math.abs(a.z - b.z)));
    }

    private static boolean isAhead(Plane plane, Point3D cell) {
        Point3D step = plane.getDirection().getAsPoint3D();
        int far = distance(plane.getPosition(), cell);
        return far > 0 && plane.getPosition().add(step.multiply(far)).equals(cell);
    }
}
