# Keeps threads and processes busy, and says when they are.
def think = loop {}

Integer(ARGV[1]).times do
  fork { think }
  Thread.new { think }
end
$stdout.write("thinking\n")
$stdout.flush
think
