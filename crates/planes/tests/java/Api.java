import Planes.Controller;
import Planes.Direction;
import Planes.Move;
import Planes.Plane;
import Planes.PlaneControl;
import Planes.Point3D;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Writes down, as JSON, what the library for Java entries says, asked by every constructor and method it has. */
public class Api extends PlaneControl {
    private static final int SIZE = 14;

    public Api(int arenaSize, int rounds) {
        super(arenaSize, rounds);
    }

    @Override
    public Move[] act() {
        return new Move[0];
    }

    /** Arguments: the arenas' sizes, then what is to be read as a direction, a comma after each. */
    public static void main(String[] args) {
        StringJoiner all = new StringJoiner(",", "{", "}");
        all.add(key("directions") + directions());
        all.add(key("parse") + parsed(args[1]));
        all.add(key("int_ctor") + quoted(new Direction(-7, 5, 9).getAsString()));
        all.add(key("suicidal") + suicidal(args[0]));
        all.add(key("shoot_range_len") + ranges());
        all.add(key("wall_distance_size14_at_3_5_9") + walls());
        all.add(key("dead") + dead());
        all.add(key("strings") + strings());
        all.add(key("empty_direction_valid_from") + empty());
        all.add(key("checks") + quoted(checks()));
        System.out.println(all);
    }

    private static List<Direction> all() {
        List<Direction> all = new ArrayList<>();
        for (int x = -1; x <= 1; x++) {
            for (int y = -1; y <= 1; y++) {
                for (int z = -1; z <= 1; z++) {
                    if (x != 0 || y != 0 || z != 0) {
                        all.add(new Direction(x, y, z));
                    }
                }
            }
        }
        return all;
    }

    private static String directions() {
        StringJoiner all = new StringJoiner(",", "{", "}");
        for (Direction it : all()) {
            StringJoiner possible = new StringJoiner(",", "[", "]");
            for (Direction to : it.getPossibleDirections()) {
                possible.add(quoted(to.getAsString()));
            }
            String v = "[" + it.getNSDir() + "," + it.getWEDir() + "," + it.getDUDir() + "]";
            all.add(key(it.getAsString()) + "{" + key("v") + v + "," + key("possible") + possible + "}");
        }
        return all.toString();
    }

    private static String parsed(String texts) {
        StringJoiner all = new StringJoiner(",", "{", "}");
        for (String text : texts.substring(0, texts.length() - 1).split(",", -1)) {
            all.add(key(text) + quoted(new Direction(text).getAsString()));
        }
        return all.toString();
    }

    private static String suicidal(String sizes) {
        StringJoiner all = new StringJoiner(",", "{", "}");
        for (String size : sizes.split(",")) {
            int edge = Integer.parseInt(size);
            StringJoiner table = new StringJoiner(",", "{", "}");
            for (Direction it : all()) {
                StringBuilder cells = new StringBuilder();
                for (int at = 0; at < edge * edge * edge; at++) {
                    Plane plane = new Plane(edge, it, at / edge / edge, at / edge % edge, at % edge);
                    cells.append(plane.isSuicidal() ? '1' : '0');
                }
                table.add(key(it.getAsString()) + quoted(cells.toString()));
            }
            all.add(key(size) + table);
        }
        return all.toString();
    }

    private static String ranges() {
        StringJoiner all = new StringJoiner(",", "{", "}");
        for (Direction it : all()) {
            StringBuilder cells = new StringBuilder();
            for (int at = 0; at < SIZE * SIZE * SIZE; at++) {
                Point3D from = new Point3D(at / SIZE / SIZE, at / SIZE % SIZE, at % SIZE);
                Point3D[] range = new Plane(SIZE, it, from).getShootRange();
                for (int no = 0; no < range.length; no++) {
                    need(range[no].equals(from.add(it.getAsPoint3D().multiply(no + 1))), "a cell of a range");
                    need(range[no].isInArena(SIZE), "a range ends at the wall");
                }
                cells.append((char) ('a' + range.length));
            }
            all.add(key(it.getAsString()) + quoted(cells.toString()));
        }
        return all.toString();
    }

    private static String walls() {
        StringJoiner all = new StringJoiner(",", "{", "}");
        Plane plane = new Plane(SIZE, 0, new Direction("N"), 3, 5, 9);
        for (char wall : "NSWEDUnX ".toCharArray()) {
            all.add(key(String.valueOf(wall)) + plane.getDistanceFromWall(wall));
        }
        return all.toString();
    }

    private static String dead() {
        Plane plane = new Plane(SIZE, 0, new Direction("N"), new Point3D(3, 5, 9));
        plane.setAlive(false);
        need(plane.getY() == -1 && plane.getZ() == -1, "a dead plane is nowhere");
        return "{" + key("getX") + plane.getX()
                + "," + key("position_x") + plane.getPosition().x
                + "," + key("wall") + plane.getDistanceFromWall('N')
                + "," + key("possible") + plane.getPossibleDirections().length
                + "," + key("shootRangeNull") + (plane.getShootRange() == null)
                + "," + key("rangeNull") + (plane.getRange() == null)
                + "," + key("canShoot") + plane.canShoot()
                + "," + key("suicidal") + plane.isSuicidal()
                + "," + key("string") + quoted(plane.getAsString())
                + "," + key("data") + quoted(plane.getDataString()) + "}";
    }

    private static String strings() {
        Plane plane = new Plane(SIZE, 1, new Direction("SWU"), 13, 0, 2);
        Plane outside = new Plane(SIZE, new Direction("N"), -1, 0, 0);
        return "{" + key("getAsString") + quoted(plane.getAsString())
                + "," + key("getDataString") + quoted(plane.getDataString())
                + "," + key("move") + quoted(new Move(new Direction("NWU"), true, false).getAsString())
                + "," + key("ctor_outside_alive") + outside.isAlive()
                + "," + key("range_outside_kept") + plane.getRange().length + "}";
    }

    private static String empty() {
        StringJoiner all = new StringJoiner(",", "[", "]");
        for (Direction it : all()) {
            if (it.isValidDirection(new Direction(""))) {
                all.add(quoted(it.getAsString()));
            }
        }
        return all.toString();
    }

    /** What the tables do not hold. */
    private static String checks() {
        Plane plane = new Plane(SIZE, 0, new Direction("N"), 5, 5, 5);
        need(plane.getX() == 5 && plane.getY() == 5 && plane.getZ() == 5, "where it is");
        need(plane.canShoot() && plane.getCoolDown() == 0, "it can shoot");
        plane.updateCoolDown(true);
        need(plane.getCoolDown() == Controller.COOLDOWN && !plane.canShoot(), "it has shot");
        plane.updateCoolDown(true);
        need(plane.getCoolDown() == 0, "a shot that is none does not count");
        plane.setCoolDown(3);
        plane.updateCoolDown(false);
        need(plane.getCoolDown() == 2, "it cools down");
        Plane copy = plane.copy();
        copy.setAlive(false);
        copy.setCoolDown(0);
        need(plane.isAlive() && plane.getCoolDown() == 2, "a copy is another one");
        Plane turned = plane.simulateMove(new Move(new Direction("NE"), true, true));
        need(turned.getDirection().getAsString().equals("NE") && turned.getCoolDown() == 2, "it turns");
        need(turned.getPosition().equals(new Point3D(4, 6, 5)), "it moves");
        Plane changed = plane.simulateMove(new Move(new Direction("NE"), false, false));
        need(changed.getDirection().getAsString().equals("N") && changed.getY() == 6, "it changes the lane");
        Plane edge = new Plane(SIZE, new Direction("N"), new Point3D(0, 0, 0));
        need(!edge.simulateMove(new Move(new Direction("N"), true, false)).isAlive(), "a wall is deadly");
        need(new String(new Direction("UWN").getMainDirections()).equals("NWU"), "letters");
        need(!new Point3D(0, 0, SIZE).isInArena(SIZE) && new Point3D(0, 0, 0).isInArena(1), "the arena");
        Api entry = new Api(SIZE, 100);
        need(entry.arenaSize == SIZE && entry.roundsLeft == 100, "what an entry knows at first");
        need(entry.myPlanes.length == 2 && entry.enemyPlanes.length == 2, "its planes, and the others");
        entry.newFight(1, 2, 3);
        entry.newOpponent(4);
        Move move = new Move(new Direction("U"), false, true);
        need(!move.changeDirection && move.shoot && move.direction.getDUDir() == 1, "a move");
        return "held";
    }

    private static void need(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static String key(String name) {
        return quoted(name) + ":";
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
