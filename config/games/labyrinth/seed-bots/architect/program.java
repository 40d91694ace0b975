import java.util.Scanner;

public class program
{
    public static void main(String args[])
    {
        Scanner input = new Scanner(System.in);

        System.out.println("MazeSize");
        int size = input.nextInt();
        int x=size-5, y=size-1;

        String go = "UP";

        while (true)
        {
            System.out.println("#PRINT go " + go);
            if (y==2 && "UP".equals(go))
            {
                x -= 2;
                y = 1;
                go = "DOWN";
            }
            else if (y==size-3 && "DOWN".equals(go))
            {
                x -= 2;
                y = size-2;
                go = "UP";
            }
            else if ("DOWN".equals(go))
            {
                y++;
            }
            else if ("UP".equals(go))
            {
                y--;
            }

            if (x+y>3 && (x != 2 || y != 2))
                System.out.println("PlaceObstacle " + x + " " + y);
            else
                go = "NOWHERE";

            System.out.println("#END");
        }
    }
}
