package Planes;

/** What one plane is to do in a round. */
public class Move {
    /** Where it moves. */
    public Direction direction;
    /** Whether it heads there from then on; otherwise it changes the lane, and keeps its heading. */
    public boolean changeDirection;
    /** Whether it shoots after it has moved. */
    public boolean shoot;

    public Move(Direction direction, boolean changeDirection, boolean shoot) {
        this.direction = direction;
        this.changeDirection = changeDirection;
        this.shoot = shoot;
    }

    /** In words. */
    public String getAsString() {
        return "direction: " + direction.getAsString() + " change: " + changeDirection + " shoot: " + shoot;
    }

    @Override
    public String toString() {
        return getAsString();
    }
}
