#include <iostream>

using namespace std;

int main ()
{
    int size;

    cout << "MazeSize" << endl;
    cin >> size;

    int x=size-5, y=size-1;

    string go = "UP";

    while (true)
    {
        cout << "#PRINT go " << go << endl;
        if (y==2 && go=="UP")
        {
            x -= 2;
            y = 1;
            go = "DOWN";
        }
        else if (y==size-3 && go=="DOWN")
        {
            x -= 2;
            y = size-2;
            go = "UP";
        }
        else if (go=="DOWN")
        {
            y++;
        }
        else if (go=="UP")
        {
            y--;
        }

        if (x+y>3 && (x != 2 || y != 2))
            cout << "PlaceObstacle " << x << " " << y << endl;
        else
            go = "NOWHERE";

        cout << "#END" << endl;
    }
}
