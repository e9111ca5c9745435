/** Parts of words that reveal a treatment; forbidden in texts that others may read. */
const healthWords = [
  "anæstesi",
  "bedøv",
  "betændelse",
  "bideskinne",
  "biopsi",
  "cancer",
  "cyste",
  "diagnos",
  "ekstraktion",
  "fjernelse",
  "implantat",
  "infektion",
  "kræft",
  "kæbeled",
  "knogleopbygning",
  "narkose",
  "operati",
  "operere",
  "patologi",
  "resektion",
  "retention",
  "rodbehandling",
  "rodspids",
  "sedation",
  "sedering",
  "svulst",
  "sygdom",
  "tandudtrækning",
  "transplant",
  "tumor",
  "udtrækning",
  "visdomst",
] as const;

/** Health words in a text, each once, as written. */
export function healthWordsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}-]+/gu) ?? [];
  return [...new Set(words.filter((word) => healthWords.some((part) => word.toLowerCase().includes(part))))];
}
