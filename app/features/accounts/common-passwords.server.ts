import { createRequire } from "node:module";

/** Danish words and first names that people turn into passwords by adding a number. */
const DANISH: ReadonlySet<string> = new Set(
  `
  velkommen adgangskode kodeord password hemmelig hemmeligt sommer vinter foraar efteraar jul paaske ferie januar
  februar marts april maj juni juli august september oktober november december mandag tirsdag onsdag torsdag fredag
  loerdag soendag tandlaege tandlaegen tandlaegerne tandlaeger tandklinik tandklinikken tandpleje tandplejer klinik
  klinikken kirurg kirurgi kaebekirurgi sekretaer henvisning henvisninger henvisningsportal henvisningsportalen
  portal portalen roentgen patient journal hospital sygehus danmark koebenhavn aarhus odense aalborg esbjerg randers
  kolding vejle horsens roskilde kaffe hund kat skat skatter elskede solskin fodbold brondby broendby admin
  administrator test bruger qwerty julemand julemanden juleaften nissemand paaskehare fastelavn sommerfugl
  sommerferie skattepige skattebasse kaerlighed jegelskerdig elskerdig minskat minelskede elsker familie familien
  mormor morfar farmor farfar boernene prinsesse prinsessen sommerhus haandbold fodboldspiller fckobenhavn
  fckoebenhavn broendbyif agf legoland tivoli carlsberg tuborg viking vikingerne dannebrog amager vesterbro
  noerrebro oesterbro frederiksberg hilleroed helsingoer silkeborg herning viborg svendborg naestved slagelse
  holstebro soenderborg groenland faeroeerne hej hejmeddig hejhej goddag godmorgen farvel morgenmad chokolade
  lakrids slikpose regnbue solsikke blomst hundehvalp kattekilling killing hvalp elefant giraf flodhest dinosaur
  bamse bamsen sommerdag vinterdag visdomstand tandkroede tandpine tandlaegehus mundhygiejne specialtandlaege
  implantat narkose operation behandling sygeplejerske sundhed regionh odontologi klinikassistent forkert
  nyadgangskode nytkodeord skiftmig lykke kaerligst elskerdighoejt muhammed mohammed mohamed ahmed ali fatima

  anne kirsten mette hanne anna helle susanne lene maria marianne inge karen lone bente camilla charlotte pia louise
  gitte jette tina ida julie sofie freja emma alma josefine caroline laura mathilde peter michael lars jens thomas
  henrik soeren christian martin jan morten jesper anders niels rasmus mads per hans joergen kim frederik simon
  nikolaj emil oscar noah william lucas magnus oliver malthe viktor
`
    .trim()
    .split(/\s+/),
);

const ROWS = ["abcdefghijklmnopqrstuvwxyzaeoeaa", "qwertyuiopaa", "qwertzuiop", "asdfghjklaeoe", "zxcvbnm"];
const RUNS = [...ROWS, ...ROWS.map((row) => [...row].toReversed().join(""))];
const MIN_RUN = 3;

/**
 * The most common ones are refused also with digits and signs around them; the rest are too close to ordinary words.
 */
const COMMONEST = 5_000;

const load = createRequire(import.meta.url);
let listed: { all: ReadonlySet<string>; commonest: ReadonlySet<string> } | undefined;

/** About 49,000 leaked passwords in lower case, the most common first. Loaded on first use. */
function leaked() {
  if (listed) return listed;
  const { dictionary } = load("@zxcvbn-ts/language-common") as typeof import("@zxcvbn-ts/language-common");
  const words = dictionary.passwords as string[];
  return (listed = { all: new Set(words), commonest: new Set(words.slice(0, COMMONEST)) });
}

/** Whether a password is common, or a common word or keyboard run with digits and signs around it or digits within. */
export function isCommonPassword(key: string): boolean {
  const { all, commonest } = leaked();
  const word = /[a-z](?:.*[a-z])?/s.exec(key)?.[0] ?? "";
  const isRun = word.length >= MIN_RUN && RUNS.some((run) => run.includes(word));
  return all.has(key) || commonest.has(word) || DANISH.has(word.replace(/\d/g, "")) || isRun;
}
