// Flies straight on as long as there is a way out, and shoots whenever it can.
import java.io.BufferedReader;
import java.io.InputStreamReader;

public class Beginner {
    static int size = 14;

    // Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none.
    static int part(int d, int axis) {
        return (axis == 0 ? d / 9 : axis == 1 ? d / 3 % 3 : d % 3) - 1;
    }

    static boolean mayTurn(int a, int b) { // they touch, and lie on one face of the cube of 27
        boolean touch = b != 13, face = false;
        for (int i = 0; i < 3; i++) {
            touch &= Math.abs(part(a, i) - part(b, i)) < 2;
            face |= part(a, i) == part(b, i) && part(a, i) != 0;
        }
        return touch && face;
    }

    // The first turn after which a plane can fly so many rounds, or -1.
    static int wayOut(int[] at, int heading, boolean reverse, int rounds) {
        if (rounds == 0) return heading;
        for (int i = -1; i < 27; i++) {
            int d = i < 0 ? heading : reverse ? 26 - i : i;
            int[] to = new int[3];
            boolean inside = true;
            for (int j = 0; j < 3; j++) {
                to[j] = at[j] + part(d, j);
                inside &= to[j] >= 0 && to[j] < size;
            }
            if (inside && mayTurn(heading, d) && wayOut(to, d, reverse, rounds - 1) >= 0) return d;
        }
        return -1;
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) size = Integer.parseInt(args[0]); // args[1] is the rounds of a fight
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.equals("NEW TURN")) continue;
            for (int no = 0; no < 4; no++) { // own planes first, then the enemy's
                String[] plane = in.readLine().split(" ");
                if (no > 1) continue;
                int d = 13;
                for (char it : plane[4].toCharArray())
                    d += it == 'N' ? -9 : it == 'S' ? 9 : it == 'W' ? -3 : it == 'E' ? 3 : it == 'D' ? -1 : 1;
                int[] at = new int[3];
                for (int i = 0; i < 3; i++) at[i] = Integer.parseInt(plane[i + 1]);
                // The second plane tries turns the other way round, so that they part.
                int turn = plane[0].equals("alive") ? wayOut(at, d, no == 1, 4) : -1;
                if (turn >= 0) d = turn;
                String letters = "";
                for (int i = 0; i < 3; i++)
                    if (part(d, i) != 0) letters += "NSWEDU".charAt(2 * i + (part(d, i) > 0 ? 1 : 0));
                System.out.println(letters + " 1 " + (1 - Integer.parseInt(plane[5])));
            }
            System.out.flush();
        }
    }
}
