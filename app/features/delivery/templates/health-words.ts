/** Beginnings and parts of words that tell what somebody is treated for. A text that others may read holds none of them. */
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

/** The words of a text that tell of somebody's health, each once, as they are written. */
export function healthWordsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}-]+/gu) ?? [];
  return [...new Set(words.filter((word) => healthWords.some((part) => word.toLowerCase().includes(part))))];
}
