# Flies straight on as long as there is a way out, and shoots whenever it can.
$stdout.sync = true

SIZE = (ARGV[0] || 14).to_i # ARGV[1] is the rounds of a fight
SIGNS = [-1, 0, 1]
DIRECTIONS = SIGNS.product(SIGNS, SIGNS) - [[0, 0, 0]]

def letters(d) = d.each_with_index.map { |it, i| it == 0 ? "" : "NSWEDU"[2 * i + (it + 1) / 2] }.join

def may_turn(a, b) # they touch, and lie on one face of the cube that all directions make
  a.zip(b).all? { |p, q| (p - q).abs < 2 } && a.zip(b).any? { |p, q| p == q && p != 0 }
end

# The first turn after which a plane can fly so many rounds, this one counted.
def way_out(at, heading, order, rounds)
  return heading if rounds == 0
  [heading, *order].find do |d|
    to = at.zip(d).map(&:sum)
    inside = to.all? { |c| (0...SIZE).cover?(c) }
    inside && may_turn(heading, d) && way_out(to, d, order, rounds - 1)
  end
end

NAMED = DIRECTIONS.to_h { |d| [letters(d), d] }
while (line = $stdin.gets)
  next if line.strip != "NEW TURN"
  4.times do |no| # own planes first, then the enemy's
    alive, x, y, z, name, cooldown = $stdin.gets.split
    next if no > 1
    # The second plane tries turns the other way round, so that they part.
    order = no == 1 ? DIRECTIONS.reverse : DIRECTIONS
    turn = alive == "alive" ? way_out([x, y, z].map(&:to_i), NAMED[name], order, 4) : nil
    puts "#{letters(turn || NAMED[name])} 1 #{1 - cooldown.to_i}"
  end
end
