# Walks: one cell a step, on a shortest way to the goal as far as it can see.
$stdout.sync = true

def numbers = (gets || "").split.map(&:to_i)
def around(c, r) = [[c, r + 1], [c + 1, r], [c - 1, r], [c, r - 1]]

_think, _limit, (width, length), _vision = numbers, numbers, numbers, numbers
puts 0
until numbers.empty? # the number of the step; nothing when the judge has gone
  _left, (x, y, vx, vy), (ox, oy) = numbers, numbers, numbers
  cell = Array.new(length) { numbers }
  cell[oy][ox] = 1 if (0...length).cover?(oy) # around the opponent, not through it
  # far: how many cells it is to the goal.
  queue = (0...width).map { |c| [c, length] }
  far = queue.to_h { |at| [at, 0] }
  queue.each do |at| # it grows meanwhile
    around(*at).each do |c, r|
      next unless (0...width).cover?(c) && (0...length).cover?(r) && cell[r][c] != 1
      next if far.key?([c, r])
      far[[c, r]] = far[at] + 1
      queue << [c, r]
    end
  end
  own = far.fetch([x, y], 9999)
  better = around(x, y).find { |at| far.fetch(at, 9999) < own }
  gx, gy = y < 0 ? [x, y + 1] : better || [x, y]
  puts "#{(gx - x - vx).clamp(-1, 1)} #{(gy - y - vy).clamp(-1, 1)}"
end
