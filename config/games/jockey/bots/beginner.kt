// Walks: one cell a step, on a shortest way to the goal as far as it can see.
fun numbers(): List<Int> = (readLine() ?: "").split(" ").filter { it.isNotEmpty() }.map { it.toInt() }

fun around(at: Pair<Int, Int>): List<Pair<Int, Int>> {
    val (c, r) = at
    return listOf(Pair(c, r + 1), Pair(c + 1, r), Pair(c - 1, r), Pair(c, r - 1))
}

fun main() {
    numbers(); numbers() // thinking time, step limit
    val (w, l) = numbers()
    numbers() // vision
    println(0)
    while (numbers().isNotEmpty()) { // the number of the step; nothing when the judge has gone
        numbers() // thinking time left
        val (x, y, vx, vy) = numbers()
        val (ox, oy) = numbers()
        val cell = List(l) { numbers().toMutableList() }
        if (oy in 0 until l) cell[oy][ox] = 1 // around the opponent, not through it
        // far: how many cells it is to the goal.
        val queue = ArrayList<Pair<Int, Int>>()
        val far = HashMap<Pair<Int, Int>, Int>()
        for (c in 0 until w) { queue.add(Pair(c, l)); far[Pair(c, l)] = 0 }
        var i = 0
        while (i < queue.size) {
            val at = queue[i++]
            for (to in around(at)) {
                val (c, r) = to
                if (c !in 0 until w || r !in 0 until l || cell[r][c] == 1 || to in far) continue
                far[to] = far[at]!! + 1
                queue.add(to)
            }
        }
        val own = far[Pair(x, y)] ?: 9999
        val better = around(Pair(x, y)).firstOrNull { (far[it] ?: 9999) < own }
        val (gx, gy) = if (y < 0) Pair(x, y + 1) else better ?: Pair(x, y)
        println("${(gx - x - vx).coerceIn(-1, 1)} ${(gy - y - vy).coerceIn(-1, 1)}")
    }
}
