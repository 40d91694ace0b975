// Flies straight on and shoots whenever it can, until it meets the wall.
#include <iostream>
#include <sstream>
#include <string>
using namespace std;

int main() {
    for (string line; getline(cin, line);) {
        if (line != "NEW TURN") continue;
        for (int no = 0; no < 4 && getline(cin, line); no++) {  // own planes first, then the enemy's
            string alive, heading;
            int x, y, z, cooldown;
            istringstream(line) >> alive >> x >> y >> z >> heading >> cooldown;
            if (no < 2) cout << heading << " 1 " << 1 - cooldown << endl;
        }
    }
}
