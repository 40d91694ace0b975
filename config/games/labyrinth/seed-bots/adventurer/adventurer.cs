using System;
using System.Collections.Generic;

namespace TOMDocumentationBot
{
    class Program
    {
        static void Main(string[] args)
        {
            var rand = new Random();

            var backward = -1;
            var continuation = -1;
            var moves = new[] {false, false, false, false};

            while (true)
            {
                var view = new List<string[]>();
                Console.WriteLine("FieldOfView");
                for (var y = 0; y < 5; y++)
                    view.Add(Console.ReadLine().Split());

                Console.Write("#PRINT Pole widzenia to");
                foreach (var row in view)
                {
                    Console.Write(" [");
                    foreach (var s in row)
                        Console.Write(" " + s);
                    Console.Write(" ]");
                }
                Console.WriteLine();

                moves[0] = view[1][2] != "O";
                moves[1] = view[2][3] != "O";
                moves[2] = view[3][2] != "O";
                moves[3] = view[2][1] != "O";

                Console.Write("#PRINT Lista ruchow: [");
                foreach (var b in moves)
                    Console.Write(" " + b);
                Console.WriteLine(" ]");
                Console.WriteLine("#PRINT Kierunek do kontynuacji: " + continuation);

                if (continuation >= 0 && moves[continuation])
                {
                    Console.WriteLine("MakeStep " + continuation);
                    Console.WriteLine("#END");
                    continue;
                }

                var possibleMoves = new List<int>();
                for (int i = 0; i < 4; i++)
                    if (moves[i])
                        possibleMoves.Add(i);
                if (possibleMoves.Count > 0 && possibleMoves.Contains(backward))
                    possibleMoves.Remove(backward);

                Console.Write("#PRINT Losowy wybor z kierunkow [");
                foreach (var m in possibleMoves)
                    Console.Write(" " + m);
                Console.WriteLine(" ]");

                continuation = possibleMoves[rand.Next(possibleMoves.Count)];
                backward = (continuation + 2) % 4;
                Console.WriteLine("MakeStep " + continuation);
                Console.WriteLine("#END");
            }
        }
    }
}
