// Keeps threads and processes busy, and says when they are.
using System;
using System.Diagnostics;
using System.Threading;

class Bot {
    static volatile int n;

    static void Think() {
        for (;;) n++;
    }

    static void Main(string[] arguments) {
        for (int i = 0; i < int.Parse(arguments[1]); i++) {
            var start = new ProcessStartInfo("/bin/sh", "-c \"while :; do :; done\"");
            start.UseShellExecute = false;
            Process.Start(start);
            var thread = new Thread(Think);
            thread.IsBackground = true;
            thread.Start();
        }
        Console.Out.WriteLine("thinking");
        Console.Out.Flush();
        Think();
    }
}
