using System;

namespace TOMDocumentationBot
{
    class Program
    {
        static void Main(string[] args)
        {
            Console.WriteLine("MazeSize");
            int size = int.Parse(Console.ReadLine());
            int x = size - 5, y = size - 1;

            var go = "UP";

            while (true)
            {
                Console.WriteLine("#PRINT go " + go);
                if (y == 2 && go == "UP")
                {
                    x -= 2;
                    y = 1;
                    go = "DOWN";
                }
                else if (y == size - 3 && go == "DOWN")
                {
                    x -= 2;
                    y = size - 2;
                    go = "UP";
                }
                else if (go == "DOWN")
                {
                    y++;
                }
                else if (go == "UP")
                {
                    y--;
                }

                if (x + y > 3 && (x != 2 || y != 2))
                    Console.WriteLine("PlaceObstacle {0} {1}", x, y);
                else
                    go = "NOWHERE";

                Console.WriteLine("#END");
            }
        }
    }
}
