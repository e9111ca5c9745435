type Turn = 0 | 90 | 180 | 270;
type Edge = "left" | "right" | "top" | "bottom";

const names: Readonly<Record<string, { letter: "H" | "V"; name: string }>> = {
  R: { letter: "H", name: "Patientens højre side" },
  L: { letter: "V", name: "Patientens venstre side" },
};

const opposite: Readonly<Record<string, string>> = { R: "L", L: "R" };

/** Clockwise, so that a turn by 90° moves each edge to the next. */
const edges: readonly Edge[] = ["top", "right", "bottom", "left"];

/**
 * The edges of a turned picture that are the patient's right and left. None where the file does not say it, and none for
 * a picture from the side. @param orientation PatientOrientation of the file: its right and its lower edge
 */
export function sidesOf(orientation: readonly [string, string] | null, turn: Turn) {
  if (orientation === null) return [];
  // The first letter is the strongest direction: `LA` is a left edge that is slightly to the front.
  const [right, bottom] = orientation.map((directions) => directions[0]!) as [string, string];
  const unturned = [opposite[bottom], right, bottom, opposite[right]];
  return edges.flatMap((edge, at) => {
    const side = names[unturned[(at - turn / 90 + 4) % 4] ?? ""];
    return side ? [{ edge, ...side }] : [];
  });
}
