package Planes;

/** What entries may ask of whoever runs the contest. */
public class Controller {
    /** Rounds after a shot in which a plane cannot shoot. */
    public static final int COOLDOWN = 1;

    private Controller() {}
}
