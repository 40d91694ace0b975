// Flies straight on as long as there is a way out, and shoots whenever it can.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

var size = 14

// Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none.
func parts(d int) [3]int { return [3]int{d/9 - 1, d/3%3 - 1, d%3 - 1} }

func mayTurn(a, b int) bool { // they touch, and lie on one face of the cube of 27
	touch, face := b != 13, false
	p, q := parts(a), parts(b)
	for i := range p {
		touch = touch && p[i]-q[i] < 2 && q[i]-p[i] < 2
		face = face || p[i] == q[i] && p[i] != 0
	}
	return touch && face
}

// The first turn after which a plane can fly so many rounds, or -1.
func wayOut(at [3]int, heading int, reverse bool, rounds int) int {
	if rounds == 0 {
		return heading
	}
	for i := -1; i < 27; i++ {
		d := i
		if i < 0 {
			d = heading
		} else if reverse {
			d = 26 - i
		}
		to, inside := parts(d), true
		for j := range to {
			to[j] += at[j]
			inside = inside && to[j] >= 0 && to[j] < size
		}
		if inside && mayTurn(heading, d) && wayOut(to, d, reverse, rounds-1) >= 0 {
			return d
		}
	}
	return -1
}

func main() {
	if len(os.Args) > 1 {
		size, _ = strconv.Atoi(os.Args[1]) // os.Args[2] is the rounds of a fight
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if in.Text() != "NEW TURN" {
			continue
		}
		for no := 0; no < 4 && in.Scan(); no++ { // own planes first, then the enemy's
			var alive, letters, out string
			var at [3]int
			var cooldown int
			fmt.Sscan(in.Text(), &alive, &at[0], &at[1], &at[2], &letters, &cooldown)
			if no > 1 {
				continue
			}
			d := 13
			for _, it := range letters {
				d += map[rune]int{'N': -9, 'S': 9, 'W': -3, 'E': 3, 'D': -1, 'U': 1}[it]
			}
			// The second plane tries turns the other way round, so that they part.
			if alive == "alive" {
				if turn := wayOut(at, d, no == 1, 4); turn >= 0 {
					d = turn
				}
			}
			for i, it := range parts(d) {
				if it != 0 {
					out += string("NSWEDU"[2*i+(it+1)/2])
				}
			}
			fmt.Println(out, 1, 1-cooldown)
		}
	}
}
