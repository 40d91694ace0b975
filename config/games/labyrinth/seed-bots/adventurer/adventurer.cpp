#include <iostream>
#include <vector>
#include <algorithm>
#include <stdlib.h>
#include <time.h>

using namespace std;

int main ()
{
    srand ( time(NULL) );

    int backward = -1;
    int continuation = -1;
    string row;
    int moves[4] = {false};

    while (true)
    {
        vector<vector<char> > view(5, vector<char>(5));
        cout << "FieldOfView" << endl;
        for (int y = 0; y < 5; y++)
        {
            string row;
            getline(cin, row);
            for (int x = 0; x < 5; x++)
                view[y][x] = row[2*x];
        }

        cout << "#PRINT Pole widzenia to";
        for (int y = 0; y < 5; y++)
        {
            cout << " [";
            for (int x = 0; x < 5; x++)
                cout << " " << view[y][x];
            cout << " ]";
        }
        cout << endl;

        moves[0] = view[1][2] != 'O';
        moves[1] = view[2][3] != 'O';
        moves[2] = view[3][2] != 'O';
        moves[3] = view[2][1] != 'O';

        vector<int> possibleMoves;
        cout << "#PRINT Lista ruchow: [";
        for (int i = 0; i < 4; i++)
        {
            cout << " " << moves[i];
            if (moves[i]) possibleMoves.push_back(i);
        }
        cout << " ]" << endl;
        cout << "#PRINT Kierunek do kontynuacji: " << continuation << endl;

        if (possibleMoves.size() > 1)
            possibleMoves.erase(remove(possibleMoves.begin(), possibleMoves.end(), backward), possibleMoves.end());
        cout << "#PRINT Losowy wybor z kierunkow: [";
        for (int i = 0; i < possibleMoves.size(); i++)
            cout << " " << possibleMoves[i];
        cout << " ]" << endl;

        continuation = possibleMoves[rand()%possibleMoves.size()];
        backward = (continuation + 2) % 4;
        cout << "MakeStep " << continuation << endl << "#END" << endl;
    }
}
