import random

backward = -1
continuation = -1
moves = [False, False, False, False]

while True:
    view = []
    print "FieldOfView"
    for y in range(5):
        view.append(raw_input().split())
    print "#PRINT Pole widzenia to", view

    moves[0] = view[1][2] != 'O'
    moves[1] = view[2][3] != 'O'
    moves[2] = view[3][2] != 'O'
    moves[3] = view[2][1] != 'O'

    print "#PRINT Lista ruchow:", moves
    print "#PRINT Kierunek do kontynuacji:", continuation

    if continuation >= 0 and moves[continuation]:
        print "MakeStep", continuation
        print "#END"
        continue

    possibleMoves = [i for i in range(4) if moves[i]]
    if len(possibleMoves) > 1 and backward in possibleMoves:
        possibleMoves.remove(backward)
    print "#PRINT Losowy wybor z kierunkow", possibleMoves

    continuation = random.choice(possibleMoves)
    backward = (continuation + 2) % 4
    print "MakeStep", continuation
    print "#END"
