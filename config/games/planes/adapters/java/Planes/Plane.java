package Planes;

/** A plane: where it is, where it heads, and when it can shoot again. */
public class Plane {
    private final int arenaSize;
    private final Direction direction;
    private final Point3D position;
    private int coolDown;
    private boolean alive;

    public Plane(int arenaSize, int coolDown, Direction direction, int x, int y, int z) {
        this(arenaSize, coolDown, direction, new Point3D(x, y, z));
    }

    /** One that is outside of the arena is dead. */
    public Plane(int arenaSize, int coolDown, Direction direction, Point3D position) {
        this.arenaSize = arenaSize;
        this.coolDown = coolDown;
        this.direction = direction;
        this.position = position;
        this.alive = position.isInArena(arenaSize);
    }

    public Plane(int arenaSize, Direction direction, int x, int y, int z) {
        this(arenaSize, 0, direction, x, y, z);
    }

    public Plane(int arenaSize, Direction direction, Point3D position) {
        this(arenaSize, 0, direction, position);
    }

    /** From north to south; -1 where it is dead. */
    public int getX() {
        return alive ? position.x : -1;
    }

    /** From west to east; -1 where it is dead. */
    public int getY() {
        return alive ? position.y : -1;
    }

    /** Upwards; -1 where it is dead. */
    public int getZ() {
        return alive ? position.z : -1;
    }

    /** Where it is, or died. */
    public Point3D getPosition() {
        return position;
    }

    /** Cells between it and the wall of that letter; -1 where there is no such wall, or it is dead. */
    public int getDistanceFromWall(char wall) {
        if (!alive) {
            return -1;
        }
        switch (wall) {
            case 'N':
                return position.x;
            case 'S':
                return arenaSize - 1 - position.x;
            case 'W':
                return position.y;
            case 'E':
                return arenaSize - 1 - position.y;
            case 'D':
                return position.z;
            case 'U':
                return arenaSize - 1 - position.z;
            default:
                return -1;
        }
    }

    /** Where it heads. */
    public Direction getDirection() {
        return direction;
    }

    /** Where it can turn, straight on among them; nowhere where it is dead. */
    public Direction[] getPossibleDirections() {
        return alive ? direction.getPossibleDirections() : new Direction[0];
    }

    /** Rounds until it can shoot again; 0: in this one. */
    public int getCoolDown() {
        return coolDown;
    }

    public void setCoolDown(int coolDown) {
        this.coolDown = coolDown;
    }

    /** Whether it can shoot in this round. */
    public boolean canShoot() {
        return alive && coolDown == 0;
    }

    /** The cells ahead of it, up to the wall, the nearest first; null where it is dead. */
    public Point3D[] getShootRange() {
        if (!alive) {
            return null;
        }
        Point3D step = direction.getAsPoint3D();
        char[] walls = direction.getMainDirections();
        int cells = walls.length == 0 ? 0 : arenaSize;
        for (char wall : walls) {
            cells = Math.min(cells, getDistanceFromWall(wall));
        }
        Point3D[] range = new Point3D[cells];
        for (int no = 0; no < cells; no++) {
            range[no] = position.add(step.multiply(no + 1));
        }
        return range;
    }

    /** The cells it can move to, those outside of the arena too; null where it is dead. */
    public Point3D[] getRange() {
        if (!alive) {
            return null;
        }
        Direction[] possible = getPossibleDirections();
        Point3D[] range = new Point3D[possible.length];
        for (int no = 0; no < possible.length; no++) {
            range[no] = position.add(possible[no].getAsPoint3D());
        }
        return range;
    }

    /** This plane after a move, other planes left aside. Its cool-down stays: see {@link #updateCoolDown}. */
    public Plane simulateMove(Move move) {
        Direction heading = move.changeDirection ? move.direction : direction;
        return new Plane(arenaSize, coolDown, heading, position.add(move.direction.getAsPoint3D()));
    }

    /** What a round does to the cool-down, in which it shot or did not. */
    public void updateCoolDown(boolean shot) {
        if (shot && canShoot()) {
            coolDown = Controller.COOLDOWN;
        } else {
            coolDown = coolDown > 0 ? coolDown - 1 : 0;
        }
    }

    public boolean isAlive() {
        return alive;
    }

    public void setAlive(boolean alive) {
        this.alive = alive;
    }

    /** Another plane that is the same. */
    public Plane copy() {
        Plane copy = new Plane(arenaSize, coolDown, direction, new Point3D(position.x, position.y, position.z));
        copy.alive = alive;
        return copy;
    }

    /** In words. */
    public String getAsString() {
        if (!alive) {
            return "dead";
        }
        return "x: " + position.x + " y: " + position.y + " z: " + position.z
                + " direction: " + direction.getAsString() + " cool down: " + coolDown;
    }

    /** As the judge tells it to programs. */
    public String getDataString() {
        if (!alive) {
            return "dead 0 0 0 N 0";
        }
        return "alive " + position.x + " " + position.y + " " + position.z
                + " " + direction.getAsString() + " " + coolDown;
    }

    /** Whether it must hit a wall whatever it does; a dead plane has. */
    public boolean isSuicidal() {
        if (!alive) {
            return true;
        }
        char[] walls = direction.getMainDirections();
        int near = walls.length == 3 ? 2 : 1;
        for (char wall : walls) {
            if (getDistanceFromWall(wall) >= near) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return getAsString();
    }
}
