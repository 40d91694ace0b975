-- Uses too much of what it is told to.
local function deeper(depth) return deeper(depth + 1) + 1 end

local what = arg[#arg]
if what == "heap" then
  local all = {}
  while true do all[#all + 1] = ("x"):rep(65536) .. #all end
elseif what == "stack" then
  deeper(0)
else
  while true do end
end
