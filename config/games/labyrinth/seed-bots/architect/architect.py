size = int(raw_input("MazeSize\n"))
x, y = size-5, size-1

go = "UP"

while True:
    print "#PRINT go", go
    if y == 2 and go == "UP":
        x, y = x - 2, 1
        go = "DOWN"
    elif y == size - 3 and go == "DOWN":
        x, y = x - 2, size - 2
        go = "UP"
    elif go == "DOWN":
        y += 1
    elif go == "UP":
        y -= 1

    if x + y > 3 and (x, y) != (2, 2):
        print "PlaceObstacle", x, y
    else:
        go = "NOWHERE"

    print "#END"
