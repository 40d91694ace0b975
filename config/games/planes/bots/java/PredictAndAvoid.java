// Predicts and avoids: looks at all that the enemy may do next, and does what fares best.
//
// Every cell gets a danger: how many of the enemy's possible moves would put a bullet or a plane
// there. Every own move gets a chance: in how many of them an enemy would be on its line. The best
// difference wins; coming nearer counts a little. What leads into a wall within four rounds is left
// out, and so is shooting when the partner is in the way. Among moves that are as good it takes
// another one in every fight, so that an enemy who learns has something to do.
//
// An upload may hold several classes, as this one does. The one that plays is found by what it
// extends.
package predict;

import Planes.Direction;
import Planes.Move;
import Planes.Plane;
import Planes.PlaneControl;
import Planes.Point3D;
import java.util.ArrayList;
import java.util.List;

public class PredictAndAvoid extends PlaneControl {
    private static final int DANGER = 8, CHANCE = 3; // what they count for

    private int fought;

    public PredictAndAvoid(int arenaSize, int rounds) {
        super(arenaSize, rounds);
    }

    @Override
    public void newFight(int fightsFought, int myScore, int enemyScore) {
        fought = fightsFought;
    }

    @Override
    public Move[] act() {
        Forecast forecast = new Forecast(arenaSize, enemyPlanes);
        Move[] moves = new Move[2];
        // The first plane decides, and the second one minds it; before that it is to fly on.
        Point3D partner = null;
        if (myPlanes[1].isAlive()) {
            partner = myPlanes[1].getPosition().add(myPlanes[1].getDirection().getAsPoint3D());
        }
        for (int no = 0; no < 2; no++) {
            moves[no] = best(myPlanes[no], partner, forecast);
            partner = moves[no] == null ? null : myPlanes[no].simulateMove(moves[no]).getPosition();
        }
        return moves;
    }

    private Move best(Plane me, Point3D partner, Forecast forecast) {
        if (!me.isAlive()) {
            return null;
        }
        Move best = null;
        double bestScore = 0;
        List<Option> options = Option.of(me);
        for (int no = 0; no < options.size(); no++) {
            // In each fight from another one on, so that no fight is like the one before.
            Option option = options.get((no + fought) % options.size());
            Point3D to = option.after.getPosition();
            if (to.equals(partner)) {
                continue;
            }
            double chance = 0;
            boolean free = true;
            for (Point3D cell : option.after.getShootRange()) {
                chance += forecast.places.at(cell);
                free &= !cell.equals(partner);
            }
            boolean shoots = me.canShoot() && chance > 0 && free;
            double score = (shoots ? CHANCE * chance : 0) - DANGER * forecast.danger.at(to) - near(to) / 20.0;
            if (best == null || score > bestScore) {
                bestScore = score;
                best = new Move(option.move.direction, option.move.changeDirection, shoots);
            }
        }
        return best != null ? best : new Move(me.getDirection(), true, me.canShoot());
    }

    // Steps to the nearest enemy.
    private int near(Point3D to) {
        int near = Integer.MAX_VALUE;
        for (Plane enemy : enemyPlanes) {
            if (enemy.isAlive()) {
                Point3D at = enemy.getPosition();
                near = Math.min(near, Math.abs(to.x - at.x) + Math.abs(to.y - at.y) + Math.abs(to.z - at.z));
            }
        }
        return near == Integer.MAX_VALUE ? 0 : near;
    }
}

/** How often enemies would be in each cell, and how often one should not be there. */
class Forecast {
    final Cells places, danger;

    Forecast(int size, Plane[] enemies) {
        places = new Cells(size);
        danger = new Cells(size);
        for (Plane enemy : enemies) {
            if (!enemy.isAlive()) {
                continue;
            }
            List<Option> options = Option.of(enemy);
            double part = 1.0 / Math.max(options.size(), 1);
            for (Option option : options) {
                places.add(option.after.getPosition(), part);
                danger.add(option.after.getPosition(), part);
                if (enemy.canShoot()) {
                    for (Point3D cell : option.after.getShootRange()) {
                        danger.add(cell, part);
                    }
                }
            }
        }
    }
}

/** A number for each cell. */
class Cells {
    private final int size;
    private final double[] numbers;

    Cells(int size) {
        this.size = size;
        numbers = new double[size * size * size];
    }

    double at(Point3D cell) {
        return numbers[(cell.x * size + cell.y) * size + cell.z];
    }

    void add(Point3D cell, double number) {
        numbers[(cell.x * size + cell.y) * size + cell.z] += number;
    }
}

/** What a plane may do, and the plane after it. */
class Option {
    final Move move;
    final Plane after;

    private Option(Plane plane, Direction turn, boolean changes) {
        move = new Move(turn, changes, false);
        after = plane.simulateMove(move);
    }

    /** All but suicide: straight on, and then the turns and the steps aside. */
    static List<Option> of(Plane plane) {
        List<Option> options = new ArrayList<>();
        String heading = plane.getDirection().getAsString();
        options.add(new Option(plane, plane.getDirection(), true));
        for (Direction turn : plane.getPossibleDirections()) {
            if (!turn.getAsString().equals(heading)) {
                options.add(new Option(plane, turn, true));
                options.add(new Option(plane, turn, false));
            }
        }
        options.removeIf(it -> !leadsOut(it.after, 4));
        return options;
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
}
