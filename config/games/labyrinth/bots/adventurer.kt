// An adventurer for Labyrinth: straight on until a hedge is in the way.
//
// Then it turns into a random open direction, and back only where nothing else
// is open. It plays with and without map, because it never looks at the map.
//
// A better adventurer would remember what it has seen, and head for the
// treasure in column 1 of row 1.

import kotlin.system.exitProcess

// The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
// For each of them: where it leads, counted from the middle of what we see.
val steps = listOf(0 to -1, 1 to 0, 0 to 1, -1 to 0)

// Returns the 5 by 5 fields around us: view[row][column], we are view[2][2].
fun askFieldOfView(): List<List<String>> {
    println("FieldOfView") // What is printed is sent at once.
    return List(5) {
        // Without a line the judge has gone: the match is over.
        val line = readLine() ?: exitProcess(0)
        line.trim().split(" ")
    }
}

// Returns where to go next. `direction` is where we went last, null at first.
fun choose(view: List<List<String>>, direction: Int?): Int {
    val open = steps.indices.filter { way ->
        val (dx, dy) = steps[way]
        view[2 + dy][2 + dx] != "O" // `O` is a hedge.
    }
    if (direction == null) return open.random()
    if (direction in open) return direction
    // Never empty: the architect must not wall us in.
    val back = (direction + 2) % 4
    return (if (open.size > 1) open - back else open).random()
}

fun main() {
    var direction: Int? = null
    while (true) {
        direction = choose(askFieldOfView(), direction)
        println("MakeStep $direction")
        println("#END")
    }
}
