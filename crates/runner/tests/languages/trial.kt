// Uses too much of what it is told to.
fun deeper(depth: Int): Int = deeper(depth + 1) + 1

fun main(arguments: Array<String>) {
    when (arguments.last()) {
        "heap" -> {
            val all = mutableListOf<LongArray>()
            while (true) all.add(LongArray(1 shl 16))
        }
        "stack" -> deeper(0)
        else -> while (true) {}
    }
}
