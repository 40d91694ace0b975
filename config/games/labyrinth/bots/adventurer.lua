-- An adventurer for Labyrinth: straight on until a hedge is in the way.
--
-- Then it turns into a random open direction, and back only where nothing else
-- is open. It plays with and without map, because it never looks at the map.
--
-- A better adventurer would remember what it has seen, and head for the
-- treasure in column 1 of row 1.

-- Each line is sent at once. Otherwise Lua would keep it back until it has
-- collected some thousand bytes, and both sides would wait for each other.
io.stdout:setvbuf("line")
math.randomseed(os.time())

-- The judge's numbers: 0 north, 1 east, 2 south, 3 west. North is up.
-- For each of them: where it leads, counted from the middle of what we see.
local STEPS = { [0] = { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } }

-- Returns the 5 by 5 fields around us: view[row][column], we are view[3][3].
local function ask_field_of_view()
  print("FieldOfView")
  local view = {}
  for row = 1, 5 do
    local line = io.read()
    if not line then os.exit() end -- The judge has gone: the match is over.
    view[row] = {}
    for field in line:gmatch("%S") do table.insert(view[row], field) end
  end
  return view
end

-- Returns where to go next. `direction` is where we went last, nil at first.
local function choose(view, direction)
  local back = direction and (direction + 2) % 4
  local ways, can_go_back = {}, false
  for way = 0, 3 do
    local dx, dy = STEPS[way][1], STEPS[way][2]
    if view[3 + dy][3 + dx] ~= "O" then -- `O` is a hedge.
      if way == direction then return direction end
      if way == back then can_go_back = true else table.insert(ways, way) end
    end
  end
  -- Where nothing is open, the architect has walled us in, which it must not.
  if #ways == 0 and can_go_back then return back end
  return ways[math.random(#ways)]
end

local direction
while true do
  direction = choose(ask_field_of_view(), direction)
  print("MakeStep " .. direction)
  print("#END")
end
