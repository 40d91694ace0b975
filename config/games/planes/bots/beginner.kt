// Flies straight on as long as there is a way out, and shoots whenever it can.
val directions = (0..26).filter { it != 13 }.map { listOf(it / 9 - 1, it / 3 % 3 - 1, it % 3 - 1) }
var size = 14

fun letters(d: List<Int>) =
    (0..2).filter { d[it] != 0 }.map { "NSWEDU"[2 * it + (d[it] + 1) / 2] }.joinToString("")

// They touch, and lie on one face of the cube that all directions make.
fun mayTurn(a: List<Int>, b: List<Int>) =
    a.zip(b).all { (p, q) -> p - q in -1..1 } && a.zip(b).any { (p, q) -> p == q && p != 0 }

// The first turn after which a plane can fly so many rounds, this one counted.
fun wayOut(at: List<Int>, heading: List<Int>, order: List<List<Int>>, rounds: Int): List<Int>? {
    if (rounds == 0) return heading
    return (listOf(heading) + order).firstOrNull { d ->
        val to = at.zip(d) { p, q -> p + q }
        to.all { it in 0 until size } && mayTurn(heading, d) && wayOut(to, d, order, rounds - 1) != null
    }
}

fun main(args: Array<String>) {
    if (args.isNotEmpty()) size = args[0].toInt() // args[1] is the rounds of a fight
    while (true) {
        val line = readLine() ?: break // nothing comes when the judge has gone
        if (line != "NEW TURN") continue
        for (no in 0..3) { // own planes first, then the enemy's
            val plane = readLine()!!.split(" ")
            if (no > 1) continue
            val heading = directions.first { letters(it) == plane[4] }
            // The second plane tries turns the other way round, so that they part.
            val order = if (no == 1) directions.reversed() else directions
            val at = plane.subList(1, 4).map { it.toInt() }
            val turn = if (plane[0] == "alive") wayOut(at, heading, order, 4) else null
            println("${letters(turn ?: heading)} 1 ${1 - plane[5].toInt()}")
        }
    }
}
