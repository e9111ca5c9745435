/** Danish words that passwords are made of by adding a number: what is left of a password without its digits and signs at the ends. */
const WORDS: ReadonlySet<string> = new Set([
  "velkommen", "adgangskode", "kodeord", "password", "hemmelig", "hemmeligt", "sommer", "vinter", "foraar", "efteraar", "jul", "paaske", "ferie",
  "januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober", "november", "december",
  "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "loerdag", "soendag",
  "tandlaege", "tandlaegen", "tandlaegerne", "tandlaeger", "tandklinik", "tandklinikken", "tandpleje", "tandplejer", "klinik", "klinikken", "kirurg", "kirurgi", "kaebekirurgi",
  "sekretaer", "henvisning", "henvisninger", "henvisningsportal", "henvisningsportalen", "portal", "portalen", "roentgen", "patient", "journal", "hospital", "sygehus",
  "danmark", "koebenhavn", "aarhus", "odense", "aalborg", "esbjerg", "randers", "kolding", "vejle", "horsens", "roskilde",
  "kaffe", "hund", "kat", "skat", "skatter", "elskede", "solskin", "fodbold", "brondby", "broendby", "admin", "administrator", "test", "bruger", "qwerty", "abcdef",
]);

/** Whether a password's search key is one such word with digits and signs around it. */
export const isCommonPassword = (key: string) => WORDS.has(key.replace(/^[^a-z]+|[^a-z]+$/g, ""));
