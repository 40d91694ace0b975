# Goes north or west whenever that is open.
while True:
    print("FieldOfView", flush=True)
    view = [input().split() for _ in range(5)]
    step = 0 if view[1][2] != "O" else 3
    print(f"MakeStep {step}\n#END", flush=True)
