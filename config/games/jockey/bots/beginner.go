// Walks: one cell a step, on a shortest way to the goal as far as it can see.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var in = bufio.NewReader(os.Stdin)

func number() (it int) { fmt.Fscan(in, &it); return }

func clamp(it int) int {
	if it < -1 {
		return -1
	} else if it > 1 {
		return 1
	}
	return it
}

func main() {
	dirs := [][2]int{{0, 1}, {1, 0}, {-1, 0}, {0, -1}}
	number() // thinking time
	number() // step limit
	w, l := number(), number()
	number() // vision
	fmt.Println(0)
	for step := 0; ; step++ {
		if _, err := fmt.Fscan(in, new(int)); err != nil {
			return // the judge has gone
		}
		number() // thinking time left
		x, y, vx, vy := number(), number(), number(), number()
		ox, oy, _, _ := number(), number(), number(), number()
		cell, far := make([][]int, l+1), make([][]int, l+1) // far: cells to the goal, 0 not known yet
		for r := range cell {
			cell[r], far[r] = make([]int, w), make([]int, w)
			for c := 0; c < w && r < l; c++ {
				cell[r][c] = number()
			}
		}
		if oy >= 0 && oy < l {
			cell[oy][ox] = 1 // around the opponent, not through it
		}
		queue := [][2]int{}
		for c := 0; c < w; c++ {
			far[l][c] = 1
			queue = append(queue, [2]int{c, l})
		}
		for i := 0; i < len(queue); i++ {
			for _, d := range dirs {
				c, r := queue[i][0]+d[0], queue[i][1]+d[1]
				if r >= 0 && r < l && c >= 0 && c < w && cell[r][c] != 1 && far[r][c] == 0 {
					far[r][c] = far[queue[i][1]][queue[i][0]] + 1
					queue = append(queue, [2]int{c, r})
				}
			}
		}
		way := [2]int{0, 0}
		for _, d := range dirs {
			c, r := x+d[0], y+d[1]
			if y < 0 || r >= 0 && c >= 0 && c < w && far[r][c] > 0 && (far[y][x] == 0 || far[r][c] < far[y][x]) {
				way = d
				break
			}
		}
		fmt.Println(clamp(way[0]-vx), clamp(way[1]-vy))
	}
}
