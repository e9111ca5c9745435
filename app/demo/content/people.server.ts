/**
 * Made-up patients. Nobody here exists, and no CPR number here can belong to anybody:
 * - 251248-9996 Nancy Ann Berggren is the CPR office's official test person.
 * - All others have the day of birth plus 60 (61–91). A personnummer begins with a date, so the CPR register
 *   never gives one with such a day; hospitals and authorities use it for administrative numbers, and the portal accepts it.
 * - A few have letters among the last four, as replacement numbers (erstatnings-CPR) have; the register gives digits only.
 * Phone numbers begin with 10: no Danish subscriber number begins with 0 or 1. E-mail addresses end in eksempel.dk.
 */
import { createRandom, type Random } from "./seeded-random.server";

export interface DemoPatient {
  cpr: string;
  firstName: string;
  lastName: string;
  profession: string | null;
  address: string;
  zip: string;
  city: string;
  phone: string | null;
  mobilePhone: string | null;
  email: string | null;
  hasEboks: boolean;
  isChild: boolean;
}

/** The CPR office's test person, also known to the embedded person register. */
export const nancy: DemoPatient = {
  cpr: "251248-9996",
  firstName: "Nancy Ann",
  lastName: "Berggren",
  profession: "Pensionist",
  address: "Testpark Allé 48",
  zip: "3400",
  city: "Hillerød",
  phone: "10 48 00 25",
  mobilePhone: "10 48 00 26",
  email: "nancy@eksempel.dk",
  hasEboks: true,
  isChild: false,
};

const womensNames = [
  "Anne",
  "Astrid",
  "Birgitte",
  "Bodil",
  "Camilla",
  "Cecilie",
  "Charlotte",
  "Dagny",
  "Ditte",
  "Ellen",
  "Emma",
  "Esther",
  "Freja",
  "Frederikke",
  "Gudrun",
  "Gülşen",
  "Hanne",
  "Helle",
  "Inger",
  "Ida",
  "Jytte",
  "Karen Margrethe",
  "Kirsten",
  "Lærke",
  "Line",
  "Lone",
  "Mathilde",
  "Mette",
  "Nanna",
  "Oline",
  "Pernille",
  "Rikke",
  "Sara",
  "Signe",
  "Sofie",
  "Søs",
  "Tove",
  "Ulla",
  "Vibeke",
  "Yrsa",
  "Zeynep",
  "Åse",
  "Ærenfryd",
] as const;

const mensNames = [
  "Aksel",
  "Anders",
  "Asbjørn",
  "Bent",
  "Bjørn",
  "Carl Emil",
  "Christian",
  "Daniel",
  "Emil",
  "Erik",
  "Finn",
  "Frederik",
  "Gustav",
  "Hans Jørgen",
  "Henning",
  "Ibrahim",
  "Jakob",
  "Jens",
  "Jørgen",
  "Kaj",
  "Karl-Åge",
  "Kjeld",
  "Lars",
  "Magnus",
  "Mads",
  "Mikkel",
  "Mogens",
  "Niels",
  "Oskar",
  "Ole",
  "Peter",
  "Poul",
  "Rasmus",
  "Søren",
  "Svend Åge",
  "Thor",
  "Torben",
  "Troels",
  "Uffe",
  "Viggo",
  "Villads",
  "Øjvind",
  "Åge",
] as const;

const lastNames = [
  "Andersen",
  "Bæk",
  "Bjerregaard",
  "Bruun",
  "Christensen",
  "Dahl",
  "Damgård",
  "Eskildsen",
  "Fabricius",
  "Fjeldsøe",
  "Frandsen",
  "Gråbøl",
  "Hansen",
  "Haugaard",
  "Højgaard",
  "Iversen",
  "Jensen",
  "Jørgensen",
  "Kjær",
  "Kjærgaard",
  "Knudsen",
  "Krogh",
  "Lauritzen",
  "Lund",
  "Lykkegård",
  "Madsen",
  "Møller",
  "Nielsen",
  "Nørgaard",
  "Olsen",
  "Overgaard",
  "Øllgaard",
  "Østergaard",
  "Pedersen",
  "Petersen",
  "Poulsen",
  "Rasmussen",
  "Ravn",
  "Sjælland",
  "Skov",
  "Sørensen",
  "Thomsen",
  "Toft",
  "Vestergaard",
  "Winther",
  "Yılmaz",
  "Ægidius",
  "Ærø",
  "Åbenrå",
  "Ågård",
] as const;

const middleNames = [
  "Bæk",
  "Dam",
  "Friis",
  "Holm",
  "Juul",
  "Kjær",
  "Lind",
  "Nørregaard",
  "Riis",
  "Skov",
  "Søe",
  "Vang",
  "Ørum",
  "Aa",
] as const;

const streets = [
  "Abildvænget",
  "Birkealleen",
  "Bøgevej",
  "Dronning Margrethes Vej",
  "Egeskovvej",
  "Engvænget",
  "Fasanstræde",
  "Fjordbakken",
  "Gammel Byvej",
  "Grønnegade",
  "Havnegade",
  "Hyldespjældet",
  "Industrivej",
  "Jernbanegade",
  "Kastanjealle",
  "Kirkestræde",
  "Klintevej",
  "Kløvermarken",
  "Lærkevej",
  "Møllebakken",
  "Nørregade",
  "Nørretorv",
  "Parkvej",
  "Ringvejen",
  "Rødtjørnen",
  "Skovbrynet",
  "Solsortevænget",
  "Stationsvej",
  "Strandvejen",
  "Søndergade",
  "Teglværksvej",
  "Torvegade",
  "Tværgade",
  "Vestergade",
  "Violvej",
  "Æblehaven",
  "Ørstedsgade",
  "Østergade",
  "Åboulevarden",
  "Ådalsvej",
] as const;

/** Real postal codes and towns. */
export const postalTowns: readonly { zip: string; city: string }[] = [
  { zip: "1620", city: "København V" },
  { zip: "2000", city: "Frederiksberg" },
  { zip: "2100", city: "København Ø" },
  { zip: "2300", city: "København S" },
  { zip: "2500", city: "Valby" },
  { zip: "2630", city: "Taastrup" },
  { zip: "2700", city: "Brønshøj" },
  { zip: "2791", city: "Dragør" },
  { zip: "2800", city: "Kongens Lyngby" },
  { zip: "2860", city: "Søborg" },
  { zip: "2970", city: "Hørsholm" },
  { zip: "3000", city: "Helsingør" },
  { zip: "3200", city: "Helsinge" },
  { zip: "3400", city: "Hillerød" },
  { zip: "3460", city: "Birkerød" },
  { zip: "3600", city: "Frederikssund" },
  { zip: "3700", city: "Rønne" },
  { zip: "4000", city: "Roskilde" },
  { zip: "4100", city: "Ringsted" },
  { zip: "4180", city: "Sorø" },
  { zip: "4300", city: "Holbæk" },
  { zip: "4400", city: "Kalundborg" },
  { zip: "4600", city: "Køge" },
  { zip: "4700", city: "Næstved" },
  { zip: "4800", city: "Nykøbing F" },
  { zip: "5000", city: "Odense C" },
  { zip: "5500", city: "Middelfart" },
  { zip: "5700", city: "Svendborg" },
  { zip: "5970", city: "Ærøskøbing" },
  { zip: "6000", city: "Kolding" },
  { zip: "6200", city: "Aabenraa" },
  { zip: "6400", city: "Sønderborg" },
  { zip: "6700", city: "Esbjerg" },
  { zip: "7100", city: "Vejle" },
  { zip: "7400", city: "Herning" },
  { zip: "8000", city: "Aarhus C" },
  { zip: "8600", city: "Silkeborg" },
  { zip: "8700", city: "Horsens" },
  { zip: "8800", city: "Viborg" },
  { zip: "8900", city: "Randers C" },
  { zip: "9000", city: "Aalborg" },
  { zip: "9800", city: "Hjørring" },
  { zip: "9990", city: "Skagen" },
];

const professions = [
  "Buschauffør",
  "Folkeskolelærer",
  "Gymnasieelev",
  "Ingeniør",
  "Jurist",
  "Kok",
  "Landmand",
  "Pensionist",
  "Pædagog",
  "Regnskabsmedarbejder",
  "Selvstændig",
  "Social- og sundhedsassistent",
  "Studerende",
  "Sygeplejerske",
  "Tømrer",
  "Efterlønner",
] as const;

/**
 * Makes patients; the first is always Nancy Ann Berggren. CPR numbers and e-mail addresses differ from each other.
 * @param count at most 100,000; @param seed the same seed, the same people; @param today ages are 12 to 92 on this day
 * @throws RangeError for more than 100,000
 */
export function createPatients(count: number, seed: number, today: Date): DemoPatient[] {
  if (count > 100_000) throw new RangeError("at most 100,000 demo patients");
  const random = createRandom(seed);
  const taken = { cprs: new Set([nancy.cpr]), emails: new Set([nancy.email ?? ""]) };
  const patients = [nancy];
  while (patients.length < count) patients.push(createPatient(random, taken, today));
  return patients.slice(0, count);
}

function createPatient(random: Random, taken: { cprs: Set<string>; emails: Set<string> }, today: Date): DemoPatient {
  const isWoman = random.chance(0.53);
  const firstName = random.pick<string>(isWoman ? womensNames : mensNames);
  const familyName = random.pick<string>(lastNames);
  const middle = random.chance(0.35) ? random.pick<string>(middleNames) : undefined;
  const lastName = middle === undefined || middle === familyName ? familyName : `${middle} ${familyName}`;
  const age = wisdomToothAge(random);
  const { zip, city } = random.pick(postalTowns);
  const hasMobile = random.chance(0.9);
  const hasEmail = random.chance(0.8);
  const cpr = impossibleCpr(random, taken.cprs, today.getUTCFullYear() - age, isWoman);
  return {
    cpr,
    firstName,
    lastName,
    profession: professionAt(random, age),
    address: addressIn(random),
    zip,
    city,
    phone: random.chance(hasMobile ? 0.3 : 0.8) ? unrealPhone(random) : null,
    mobilePhone: hasMobile ? unrealPhone(random) : null,
    email: hasEmail ? emailFor(firstName, familyName, taken.emails) : null,
    // Digital Post begins at 15 years, and the story begins ten months ago.
    hasEboks: random.chance(age > 75 ? 0.6 : 0.93) && age > 17 && !isReplacementCpr(cpr),
    isChild: age < 18,
  };
}

export const isReplacementCpr = (cpr: string) => !/^\d{6}-\d{4}$/.test(cpr);

function wisdomToothAge(random: Random): number {
  return random.chance(0.55) ? random.integer(18, 45) : random.integer(12, 92);
}

function professionAt(random: Random, age: number): string | null {
  if (random.chance(0.35)) return null;
  if (age < 19) return "Elev";
  return age > 67 ? "Pensionist" : random.pick<string>(professions.filter((name) => name !== "Pensionist"));
}

function impossibleCpr(random: Random, taken: Set<string>, year: number, isWoman: boolean): string {
  for (;;) {
    const month = random.integer(1, 12);
    // Day 28 exists in every month; the 60 added makes the number impossible, so that it belongs to nobody.
    const day = random.integer(1, 28) + 60;
    const date = [day, month, year % 100].map((part) => String(part).padStart(2, "0")).join("");
    const cpr = `${date}-${centuryDigit(random, year)}${lastThree(random, isWoman)}`;
    if (taken.has(cpr)) continue;
    taken.add(cpr);
    return cpr;
  }
}

/** The seventh digit and the year give the century (CPR office, "Personnummeret i CPR-systemet"). */
function centuryDigit(random: Random, year: number): number {
  if (year >= 2000) return random.integer(4, 8);
  return year >= 1937 && random.chance(0.2) ? random.pick([4, 9]) : random.integer(0, 3);
}

function lastThree(random: Random, isWoman: boolean): string {
  const sexDigit = random.pick(isWoman ? [0, 2, 4, 6, 8] : [1, 3, 5, 7, 9]);
  if (random.chance(0.03))
    return `${random.pick([..."ABCDEFGHJKLMNPRSTUVX"])}${random.pick([..."ABCDEFGHJKLMNPRSTUVX"])}${sexDigit}`;
  return `${random.integer(0, 9)}${random.integer(0, 9)}${sexDigit}`;
}

function addressIn(random: Random): string {
  const house = `${random.pick<string>(streets)} ${random.integer(1, 148)}${random.chance(0.1) ? random.pick(["A", "B", "C"]) : ""}`;
  return random.chance(0.4)
    ? `${house}, ${random.pick(["st.", "1.", "2.", "3.", "4."])} ${random.pick(["tv.", "th.", "mf."])}`
    : house;
}

export function unrealPhone(random: Random): string {
  const pair = () => String(random.integer(0, 99)).padStart(2, "0");
  return `10 ${pair()} ${pair()} ${pair()}`;
}

/** Letters allowed in mail addresses: æ → ae, ø → oe, å → aa, without accents. */
export function emailFor(firstName: string, lastName: string, taken: Set<string>): string {
  const plain = (name: string) =>
    name
      .toLowerCase()
      .replaceAll("æ", "ae")
      .replaceAll("ø", "oe")
      .replaceAll("å", "aa")
      .replaceAll("ı", "i")
      .normalize("NFD")
      .replace(/[^a-z -]/g, "")
      .replace(/[ -]+/g, ".");
  const stem = `${plain(firstName)}.${plain(lastName)}`;
  for (let number = 1; ; number++) {
    const email = `${stem}${number === 1 ? "" : number}@eksempel.dk`;
    if (taken.has(email)) continue;
    taken.add(email);
    return email;
  }
}
