import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.Scanner;

public class program
{
    public static void main(String args[])
    {
        Scanner input = new Scanner(System.in);
        Random rand = new Random();

        int backward = -1;
        int continuation = -1;
        Boolean[] moves = {false, false, false, false};

        while (true)
        {
            ArrayList<ArrayList<String>> view = new ArrayList<ArrayList<String>>();
            System.out.println("FieldOfView");
            for (int y = 0; y < 5; y++)
                view.add(new ArrayList<String>(Arrays.asList(input.nextLine().split(" "))));
            System.out.println("#PRINT Pole widzenia to " + view);

            moves[0] = ! view.get(1).get(2).equals("O");
            moves[1] = ! view.get(2).get(3).equals("O");
            moves[2] = ! view.get(3).get(2).equals("O");
            moves[3] = ! view.get(2).get(1).equals("O");
            System.out.println("#PRINT Lista ruchow: " + Arrays.asList(moves));
            System.out.println("#PRINT Kierunek do kontynuacji: " + continuation);

            if (continuation >= 0 && moves[continuation])
            {
                System.out.println("MakeStep " + continuation);
                System.out.println("#END");
                continue;
            }

            ArrayList<Integer> possibleMoves = new ArrayList<Integer>();
            for (int i = 0; i <4; i++)
                if (moves[i])
                    possibleMoves.add(i);
            if (possibleMoves.size() > 0 && possibleMoves.contains(backward))
                possibleMoves.remove(new Integer(backward));
            System.out.println("#PRINT Losowy wybor z kierunkow " + possibleMoves);

            continuation = possibleMoves.get(rand.nextInt(possibleMoves.size()));
            backward = (continuation + 2) % 4;
            System.out.println("MakeStep " + continuation);
            System.out.println("#END");
        }
    }
}
