-- Flies straight on as long as there is a way out, and shoots whenever it can.
io.stdout:setvbuf("line")

local size = tonumber(arg[1] or 14) -- arg[2] is the rounds of a fight
local forwards, backwards, named = {}, {}, {}
local pairs_of = { "NS", "WE", "DU" }

local function letters(d)
  local text = ""
  for i = 1, 3 do
    if d[i] < 0 then text = text .. pairs_of[i]:sub(1, 1) end
    if d[i] > 0 then text = text .. pairs_of[i]:sub(2, 2) end
  end
  return text
end

for x = -1, 1 do for y = -1, 1 do for z = -1, 1 do
  if x ~= 0 or y ~= 0 or z ~= 0 then
    local d = { x, y, z }
    forwards[#forwards + 1] = d
    table.insert(backwards, 1, d)
    named[letters(d)] = d
  end
end end end

local function may_turn(a, b) -- they touch, and lie on one face of the cube that all directions make
  local touch, face = true, false
  for i = 1, 3 do
    touch = touch and math.abs(a[i] - b[i]) < 2
    face = face or (a[i] == b[i] and a[i] ~= 0)
  end
  return touch and face
end

-- The first turn after which a plane can fly so many rounds, this one counted.
local function way_out(at, heading, order, rounds)
  if rounds == 0 then return heading end
  for i = 0, #order do
    local d = order[i] or heading
    local to, inside = {}, true
    for j = 1, 3 do
      to[j] = at[j] + d[j]
      inside = inside and to[j] >= 0 and to[j] < size
    end
    if inside and may_turn(heading, d) and way_out(to, d, order, rounds - 1) then return d end
  end
end

for line in io.lines() do
  if line == "NEW TURN" then
    for no = 1, 4 do -- own planes first, then the enemy's
      local alive, x, y, z, name, cooldown = io.read("*l"):match("(%a+) (%d+) (%d+) (%d+) (%a+) (%d+)")
      if no <= 2 then
        -- The second plane tries turns the other way round, so that they part.
        local order = no == 1 and forwards or backwards
        local at = { tonumber(x), tonumber(y), tonumber(z) }
        local turn = alive == "alive" and way_out(at, named[name], order, 4)
        io.write(letters(turn or named[name]), " 1 ", 1 - tonumber(cooldown), "\n")
      end
    end
  end
end
