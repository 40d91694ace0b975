# Uses too much of what it is told to.
def deeper(depth) = deeper(depth + 1) + 1

case ARGV.last
when "heap"
  all = []
  loop { all << "x" * 65_536 }
when "stack" then deeper(0)
else loop {}
end
