import { NONE_KNOWN, NOT_STATED } from "./known-none";
import { medicineFinder, medicinesIn } from "./critical-medicines";

/** What referrals say of allergies and medicine, as a row head shows it (docs/rules/cave.md). */
export interface CaveSource {
  allergies: string | null;
  medication: string | null;
}

interface OtherSource extends CaveSource {
  id: number;
}

export interface CaveMark {
  kind: "allergy" | "medicine";
  text: string;
  /** The other referral that says it; null for the referral's own. */
  from: number | null;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim();

const NONE = new Set([
  ...[NONE_KNOWN, NOT_STATED].map(plain),
  "",
  "0",
  "nej",
  "nul",
  "intet",
  "ingen",
  "ukendt",
  "ukendte",
  "ikke kendt",
  "ikke kendte",
  "ingen kendt",
  "ingen allergi",
  "ingen allergier",
  "ingen kendt allergi",
  "ingen kendte allergier",
  "ingen medicin",
  "ingen fast medicin",
  "tager ingen medicin",
  "får ingen medicin",
]);

const saysSomething = (text: string | null): text is string => text !== null && !NONE.has(plain(text));

/**
 * Allergies whole, and of the medicine what begins with a word of the clinic's list. What other referrals of the patient say
 * besides is marked with their number: the newest never takes the place of a named allergy.
 */
export function caveOf(own: CaveSource, medicines: readonly string[], others: readonly OtherSource[] = []): CaveMark[] {
  const sources = [{ ...own, id: null }, ...others];
  const find = medicineFinder(medicines);
  const criticalIn = ({ medication }: CaveSource) =>
    partsOf(medication).filter((text) => medicinesIn(text, find).length > 0);
  return [...marksIn(sources, "allergy", allergiesIn), ...marksIn(sources, "medicine", criticalIn)];
}

const allergiesIn = ({ allergies }: CaveSource) =>
  saysSomething(allergies) ? [allergies.trim().replace(/\.$/, "")] : [];

/** Medicines are separated by commas, semicolons, new lines and sentences. */
const partsOf = (medication: string | null) => (medication ?? "").split(/[,;\n]|\.(?=\s|$)/).map((text) => text.trim());

type Source = CaveSource & { id: number | null };

function marksIn(sources: readonly Source[], kind: CaveMark["kind"], textsIn: (source: Source) => string[]) {
  const said = new Set<string>();
  return sources.flatMap((source) =>
    textsIn(source).flatMap((text): CaveMark[] => {
      if (said.has(plain(text))) return [];
      said.add(plain(text));
      return [{ kind, text, from: source.id }];
    }),
  );
}
