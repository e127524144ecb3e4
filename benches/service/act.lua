-- Requests the act map of a new seed each time.
local seed = 0
request = function()
  seed = seed + 1
  return wrk.format("GET", "/v1/act?seed=" .. seed)
end
