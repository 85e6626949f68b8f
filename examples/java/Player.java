import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * A player of awale in Java: fill in choose(). Compile it with "javac Player.java", then play against it:
 *
 *   awale play --rules wikipedia --north 'lines:"java -cp . Player"'
 *
 * For each move the program receives one line, "play POSITION MOVE MOVE ...", and prints one of the moves. The position is
 * twelve numbers of seeds, South's pits A to F and North's a to f, the seeds captured by South and by North, and S or N
 * for the player to move. Lines that begin with "#" are notes that nobody reads. "quit" ends the program.
 */
public class Player {
    /** A position: pits 0 to 5 are South's, 6 to 11 North's; both are sown through in this order. */
    static class Position {
        final int[] pits = new int[12];
        final int[] captured = new int[2];
        final int turn;

        Position(String text) {
            String[] parts = text.split("-");
            for (int i = 0; i < 12; i++) pits[i] = Integer.parseInt(parts[i]);
            captured[0] = Integer.parseInt(parts[12]);
            captured[1] = Integer.parseInt(parts[13]);
            turn = parts[14].equals("S") ? 0 : 1;
        }

        /** The pit that a move empties. */
        int pitOf(String move) {
            return 6 * turn + Character.toLowerCase(move.charAt(0)) - 'a';
        }

        /** The seeds that a move would capture, if it does not take everything. */
        int taken(String move) {
            int[] after = pits.clone();
            int origin = pitOf(move), last = origin, seeds = after[origin], total = 0;
            after[origin] = 0;
            while (seeds > 0) {
                last = (last + 1) % 12;
                if (last != origin) {
                    after[last]++;
                    seeds--;
                }
            }
            while (last / 6 != turn && (after[last] == 2 || after[last] == 3)) {
                total += after[last];
                last = (last + 11) % 12;
            }
            return total;
        }
    }

    /** Choose one of the moves. Here: the one that captures most. Write minimax and alpha-beta instead! */
    static String choose(Position position, String[] moves) {
        String best = moves[0];
        for (String move : moves) {
            if (position.taken(move) > position.taken(best)) best = move;
        }
        return best;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null && !line.equals("quit")) {
            String[] words = line.trim().split(" ");
            if (!words[0].equals("play")) continue;
            String[] moves = java.util.Arrays.copyOfRange(words, 2, words.length);
            System.out.println(choose(new Position(words[1]), moves));
            System.out.flush();
        }
    }
}
