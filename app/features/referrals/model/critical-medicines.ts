/** Setting with the words of the list, one a line. Empty is an empty list; the portal's own is used until it is set. */
export const CRITICAL_MEDICINES = "criticalMedicines";

/** The portal's own list: names, and beginnings of names, of medicines that change how an operation is planned. */
const byEffect: Readonly<Record<string, readonly string[]>> = {
  bloodThinning: [
    "acetylsalicyl",
    "antikoag",
    "apixaban",
    "arixtra",
    "asasantin",
    "aspirin",
    "blodfortynd",
    "brilique",
    "clopidogrel",
    "dabigatran",
    "dalteparin",
    "dipyridamol",
    "edoxaban",
    "efient",
    "eliquis",
    "enoxaparin",
    "fondaparinux",
    "fragmin",
    "heparin",
    "hjertemagnyl",
    "innohep",
    "klexane",
    "kodimagnyl",
    "lixiana",
    "magnyl",
    "marcoumar",
    "marevan",
    "persantin",
    "phenprocoumon",
    "plavix",
    "pradaxa",
    "prasugrel",
    "rivaroxaban",
    "ticagrelor",
    "tinzaparin",
    "warfarin",
    "xarelto",
  ],
  /** And what harms the bone of the jaw otherwise. */
  antiresorptive: [
    "aclasta",
    "alendron",
    "avastin",
    "bevacizumab",
    "bisfosfonat",
    "bisphosphonat",
    "bonviva",
    "denosumab",
    "evenity",
    "fosamax",
    "ibandron",
    "optinate",
    "pamidron",
    "prolia",
    "risedron",
    "romosozumab",
    "sunitinib",
    "xgeva",
    "zoledron",
    "zometa",
  ],
  immunosuppressive: [
    "adalimumab",
    "azathioprin",
    "cellcept",
    "ciclosporin",
    "enbrel",
    "etanercept",
    "everolimus",
    "humira",
    "imurel",
    "infliximab",
    "kemoterapi",
    "mabthera",
    "methotrexat",
    "metotrexat",
    "mycophenol",
    "prednis",
    "prograf",
    "remicade",
    "rituximab",
    "sandimmun",
    "tacrolimus",
  ],
};

export const standardMedicines: readonly string[] = Object.values(byEffect).flat().sort();

export const MAX_MEDICINES = 300;
const MAX_LETTERS = 40;
/** A shorter word is found only as a whole word: 'asa' would begin 'asap'. */
export const MIN_BEGINNING = 5;

const MEDICINE = /^\p{L}{3,40}$/u;

/** Why a typed line is refused as a word of the list; null if it is taken. */
export function medicineError(line: string): string | null {
  if (MEDICINE.test(line)) return null;
  const shown = line.length > MAX_LETTERS ? `${line.slice(0, MAX_LETTERS)}…` : line;
  return `»${shown}« kan ikke stå på listen. Skriv ét ord på hver linje, kun med bogstaver, mindst 3 og højst ${MAX_LETTERS}.`;
}

export type MedicineFinder = (word: string) => string | undefined;

/** Finds the word of the list that a word is or begins with; undefined if there is none. */
export function medicineFinder(medicines: readonly string[]): MedicineFinder {
  const byStart = new Map<string, string[]>();
  for (const medicine of medicines.map((each) => each.toLowerCase()))
    byStart.set(startOf(medicine), [...(byStart.get(startOf(medicine)) ?? []), medicine]);
  return (word) => {
    const known = word.toLowerCase();
    return byStart
      .get(startOf(known))
      ?.find((medicine) => known === medicine || (medicine.length >= MIN_BEGINNING && known.startsWith(medicine)));
  };
}

const startOf = (word: string) => word.slice(0, 3);

/** The words of the list in a text, in the text's order. Digits part words: 'Magnyl75mg' has 'magnyl'. */
export const medicinesIn = (text: string, find: MedicineFinder): string[] =>
  (text.match(/\p{L}+/gu) ?? []).flatMap((word) => find(word) ?? []);
