# Speaks, but not the protocol.
n = 0
while True:
    n += 1
    print("nonsense", n, flush=True)
