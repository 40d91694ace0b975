// Keeps threads and processes busy, and says when they are.
import core.atomic : atomicOp;
import core.thread : Thread;
import std.conv : to;
import std.process : spawnProcess;
import std.stdio : stdout, writeln;

shared int n;

void think()
{
    while (true)
        n.atomicOp!"+="(1);
}

void main(string[] arguments)
{
    foreach (_; 0 .. arguments[2].to!int)
    {
        spawnProcess(["/bin/sh", "-c", "while :; do :; done"]);
        new Thread(&think).start();
    }
    writeln("thinking");
    stdout.flush();
    think();
}
