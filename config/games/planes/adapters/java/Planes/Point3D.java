package Planes;

/** A cell of the arena, or a step from one cell to another. x grows to the south, y to the east, z upwards. */
public class Point3D {
    public int x, y, z;

    public Point3D(int x, int y, int z) {
        this.x = x;
        this.y = y;
        this.z = z;
    }

    /** The sum of both; neither changes. */
    public Point3D add(Point3D point3D) {
        return new Point3D(x + point3D.x, y + point3D.y, z + point3D.z);
    }

    /** This, so many times over. */
    public Point3D multiply(int factor) {
        return new Point3D(x * factor, y * factor, z * factor);
    }

    /** Whether both are the same cell. */
    public boolean equals(Point3D point3D) {
        return point3D != null && x == point3D.x && y == point3D.y && z == point3D.z;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Point3D && equals((Point3D) other);
    }

    @Override
    public int hashCode() {
        return (x * 31 + y) * 31 + z;
    }

    /** Whether it lies in an arena of that many cells an edge, counted from 0. */
    public boolean isInArena(int size) {
        return isWithin(x, size) && isWithin(y, size) && isWithin(z, size);
    }

    @Override
    public String toString() {
        return "(" + x + ", " + y + ", " + z + ")";
    }

    private static boolean isWithin(int at, int size) {
        return at >= 0 && at < size;
    }
}
