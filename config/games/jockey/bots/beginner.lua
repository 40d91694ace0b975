-- Walks: one cell a step, on a shortest way to the goal as far as it can see.
io.stdout:setvbuf("line")

local function numbers()
  local found = {}
  for it in (io.read("*l") or ""):gmatch("%S+") do found[#found + 1] = tonumber(it) end
  return found
end
local function clamp(it) return math.max(-1, math.min(1, it)) end
local ways = { { 0, 1 }, { 1, 0 }, { -1, 0 }, { 0, -1 } }

numbers() numbers() -- thinking time, step limit
local size = numbers()
local width, length = size[1], size[2]
numbers() -- vision
io.write("0\n")
while #numbers() > 0 do -- the number of the step; nothing when the judge has gone
  numbers() -- thinking time left
  local me, other = numbers(), numbers()
  local x, y, ox, oy = me[1], me[2], other[1], other[2]
  local cell, far, queue = {}, {}, {}
  for r = 0, length - 1 do cell[r], far[r] = numbers(), {} end -- columns from 1 on
  if cell[oy] then cell[oy][ox + 1] = 1 end -- around the opponent, not through it
  -- far: how many cells it is to the goal.
  far[length] = {}
  for c = 0, width - 1 do far[length][c] = 0 queue[#queue + 1] = { c, length } end
  local i = 1
  while queue[i] do
    local at = queue[i]
    for _, d in ipairs(ways) do
      local c, r = at[1] + d[1], at[2] + d[2]
      if cell[r] and cell[r][c + 1] and cell[r][c + 1] ~= 1 and not far[r][c] then
        far[r][c] = far[at[2]][at[1]] + 1
        queue[#queue + 1] = { c, r }
      end
    end
    i = i + 1
  end
  local go = { 0, y < 0 and 1 or 0 } -- from before the start: straight on
  for _, d in ipairs(y < 0 and {} or ways) do
    local c, r = x + d[1], y + d[2]
    if far[r] and (far[r][c] or 9999) < (far[y][x] or 9999) then go = d break end
  end
  io.write(string.format("%d %d\n", clamp(go[1] - me[3]), clamp(go[2] - me[4])))
end
