/**
 * What referrers and surgeons write, per kind of case. Made up, but in the words of the trade: teeth by FDI number
 * (18–48), regio, OP = panoramic picture, CBCT = volume scan, GA = general anaesthesia.
 * `{t}` stands for a tooth of the case; fill it with `fillCase`.
 */
import type { HealthPrompt } from "~/features/referrals/model/offered-prompts";
import type { Random } from "./seeded-random.server";

export interface DemoTreatmentType {
  key: string;
  name: string;
  duration: number;
  price: number;
  externalCode: string;
}

export const treatmentTypes: readonly DemoTreatmentType[] = [
  { key: "wisdom", name: "Operativ fjernelse af visdomstand", duration: 45, price: 4850, externalCode: "OP-48" },
  {
    key: "wisdoms",
    name: "Operativ fjernelse af flere visdomstænder",
    duration: 75,
    price: 8400,
    externalCode: "OP-4838",
  },
  { key: "wisdomGa", name: "Visdomstænder i generel anæstesi", duration: 120, price: 14_900, externalCode: "OP-GA" },
  { key: "coronectomy", name: "Koronektomi", duration: 60, price: 5600, externalCode: "OP-KOR" },
  {
    key: "extraction",
    name: "Operativ fjernelse af tand eller rod",
    duration: 45,
    price: 3900,
    externalCode: "OP-ROD",
  },
  { key: "apicoectomy", name: "Rodspidsamputation", duration: 60, price: 5200, externalCode: "OP-RSA" },
  { key: "cyst", name: "Cysteoperation", duration: 75, price: 6900, externalCode: "OP-CYS" },
  { key: "implant", name: "Implantat, enkelttand", duration: 60, price: 12_500, externalCode: "IMP-1" },
  { key: "sinusLift", name: "Sinusløft og knogleopbygning", duration: 90, price: 15_800, externalCode: "IMP-SIN" },
  { key: "exposure", name: "Blotlægning af retineret tand", duration: 60, price: 5400, externalCode: "OP-BLO" },
  { key: "biopsy", name: "Biopsi", duration: 30, price: 2400, externalCode: "BIO-1" },
  { key: "tmj", name: "Kæbeledsundersøgelse", duration: 45, price: 1950, externalCode: "TMJ-1" },
  { key: "splint", name: "Bidskinne", duration: 30, price: 3600, externalCode: "TMJ-SK" },
  { key: "orthognathic", name: "Ortognatkirurgisk vurdering", duration: 60, price: 2600, externalCode: "ORT-1" },
  { key: "frenectomy", name: "Frenektomi", duration: 30, price: 2300, externalCode: "OP-FRE" },
  { key: "consultation", name: "Forundersøgelse", duration: 30, price: 950, externalCode: "FU-1" },
  { key: "control", name: "Kontrol og suturfjernelse", duration: 15, price: 0, externalCode: "KTR-1" },
];

export type DemoPicture = "intraoral" | "photo" | "panorama" | "cephalogram" | "dicom";

export interface DemoCase {
  key: string;
  treatments: readonly string[];
  teeth: readonly string[];
  pictures: readonly DemoPicture[];
  /** How often such a case comes, against the others. */
  weight: number;
  diagnose: readonly string[];
  previousTreatment: readonly string[];
  desiredTreatment: readonly string[];
  comment: readonly string[];
  surgeonComment: readonly string[];
  /** Questions and answers in order; the clinic begins. */
  messages: readonly (readonly [fromClinic: string, fromReferrer: string])[];
}

export const cases: readonly DemoCase[] = [
  {
    key: "wisdom-lower",
    treatments: ["wisdom", "coronectomy", "wisdoms"],
    teeth: ["38", "48"],
    pictures: ["panorama", "intraoral", "dicom"],
    weight: 9,
    diagnose: [
      "Perikoronit regio {t}, tre tilfælde siden august.",
      "Retineret {t} i mesial vipning, tæt på canalis mandibularis.",
      "Semiretineret {t} med distal karies på nabotanden.",
      "Horisontalt retineret {t}, resorption distalt på 2. molar kan ikke udelukkes.",
      "Retinerede 38 og 48 uden plads til frembrud. Gener fra højre side.",
    ],
    previousTreatment: [
      "Skylning, penicillin 7 dage. Ro i tre uger, nu gener igen.",
      "Operculum fjernet i foråret, uden varig virkning.",
      "Ingen tidligere behandling.",
      "Forsøgt fjernet hos os, afbrudt efter deling af kronen.",
      "Klorhexidin og instruktion; antibiotika én gang.",
    ],
    desiredTreatment: [
      "Operativ fjernelse af {t}. Vurdering af modsatte side.",
      "Fjernelse af {t}; koronektomi hvis rødderne ligger op ad nerven.",
      "Operativ fjernelse af 38 og 48 i samme seance, om muligt.",
      "Vurdering og evt. operativ fjernelse af {t}. CBCT, hvis I finder det nødvendigt.",
    ],
    comment: [
      "Patienten er nervøs og vil gerne have beroligende.",
      "Tager Eliquis. Egen læge er orienteret.",
      "Kan møde med dags varsel.",
      "Allergisk over for penicillin.",
      "Ønsker helst tid efter eksamen i juni.",
      "",
    ],
    surgeonComment: [
      "CBCT før indgreb, nervenær.",
      "Informeret om risiko for påvirket følesans i underlæben.",
      "Kan laves i lokal anæstesi. 45 min.",
      "Koronektomi overvejes, se snit 112–118.",
      "Pauserer ikke blodfortyndende; lokal hæmostase.",
    ],
    messages: [
      [
        "Har I et nyere billede af {t}? Det vedhæftede er fra 2024.",
        "Ja, CBCT er lagt op nu. Patienten har stærke smerter.",
      ],
      ["Er patienten i blodfortyndende behandling? Det fremgår ikke.", "Nej. Tager kun p-piller."],
      ["Vi kan tilbyde en tid på torsdag kl. 8.", "Hun kan godt komme. Tak for hurtigt svar."],
    ],
  },
  {
    key: "wisdom-upper",
    treatments: ["wisdom"],
    teeth: ["18", "28"],
    pictures: ["panorama", "intraoral"],
    weight: 4,
    diagnose: [
      "Bukkalt erupteret {t}, bider i kinden.",
      "Retineret {t} tæt på sinus maxillaris.",
      "Caries profunda {t}, uden antagonist.",
    ],
    previousTreatment: ["Ingen.", "Slebet kinden fri for skarp kant.", "Fyldt to gange, seneste fyldning tabt."],
    desiredTreatment: [
      "Fjernelse af {t}.",
      "Operativ fjernelse af {t}. Obs. sinus.",
      "Ekstraktion af {t}; vurdering af 48.",
    ],
    comment: ["Begrænset gab, ca. 28 mm.", "Gravid i uge 22; gerne efter fødslen, hvis det kan vente.", ""],
    surgeonComment: ["Sinusnær. Næsepudseforbud 10 dage.", "Fjernes uden opklapning."],
    messages: [["Skal 48 tages i samme omgang?", "Ja, gerne, hvis patienten er enig."]],
  },
  {
    key: "wisdoms-ga",
    treatments: ["wisdomGa"],
    teeth: ["18, 28, 38 og 48"],
    pictures: ["panorama"],
    weight: 2,
    diagnose: [
      "Fire retinerede visdomstænder, svær odontofobi.",
      "Retinerede {t}; patienten kan ikke medvirke i lokal anæstesi.",
    ],
    previousTreatment: ["Tilvænning hos os i fire seancer uden held.", "Forsøg med lattergas afbrudt."],
    desiredTreatment: ["Fjernelse af {t} i generel anæstesi.", "Samlet sanering i GA."],
    comment: [
      "ASA 1. Vejer 62 kg.",
      "Astma, velbehandlet. Bruger Ventoline ved behov.",
      "Ledsages af mor; bosted er orienteret.",
    ],
    surgeonComment: ["Til GA-listen. Anæstesitilsyn bestilt.", "Faste fra midnat, ledsager hjem."],
    messages: [["Er der anæstesijournal fra tidligere operationer?", "Ja, lagt under journaler."]],
  },
  {
    key: "pericoronitis-urgent",
    treatments: ["wisdom", "extraction"],
    teeth: ["38", "48"],
    pictures: ["panorama"],
    weight: 2,
    diagnose: ["Akut perikoronit {t} med trismus, gab 15 mm.", "Submandibulær hævelse udgået fra {t}, temp. 38,4."],
    previousTreatment: [
      "Incision og dræn i dag. Penicillin og metronidazol opstartet.",
      "Skyllet dagligt i tre dage, forværring.",
    ],
    desiredTreatment: ["Hurtig vurdering og fjernelse af {t}.", "Akut fjernelse, når hævelsen tillader det."],
    comment: ["Synkebesvær. Ring gerne på direkte nummer.", "Patienten er sygemeldt og kan komme straks."],
    surgeonComment: ["Indkaldt samme dag. Dræn fjernet.", "Op i fasen efter 5 dages antibiotika."],
    messages: [["Hvordan er gabet i dag?", "20 mm, og hun kan synke. Temp. normal."]],
  },
  {
    key: "apical",
    treatments: ["apicoectomy", "extraction"],
    teeth: ["12", "21", "24", "36", "46"],
    pictures: ["intraoral", "intraoral"],
    weight: 5,
    diagnose: [
      "Apikal ostit {t}, opklaring ca. 5 mm efter rodbehandling i 2021.",
      "Kronisk apikal parodontit {t} med fistel bukkalt.",
      "Fraktureret instrument i mesiale kanal {t}, apikal opklaring.",
    ],
    previousTreatment: [
      "Rodbehandlet 2021, revideret 2024. Stadig øm ved perkussion.",
      "Rodbehandling i mikroskop hos endodontist. Stift og krone.",
      "Revision opgivet på grund af støbt opbygning.",
    ],
    desiredTreatment: [
      "Rodspidsamputation {t} med retrograd rodfyldning.",
      "Vurdering: kan {t} bevares, eller skal den fjernes?",
    ],
    comment: ["Kronen er fra i år og ønskes bevaret.", "Ingen pocher over 4 mm.", ""],
    surgeonComment: ["CBCT viser gennembrud bukkalt. RSA kan forsøges.", "Længdefraktur ses; ekstraktion anbefales."],
    messages: [
      ["Er der målt pocher omkring {t}? Vi mistænker fraktur.", "9 mm distobukkalt, smal. Det ligner en fraktur."],
    ],
  },
  {
    key: "cyst",
    treatments: ["cyst", "biopsy"],
    teeth: ["22", "37", "46"],
    pictures: ["panorama", "dicom"],
    weight: 3,
    diagnose: [
      "Velafgrænset radiolucens regio {t}, 18 × 12 mm. Radikulær cyste?",
      "Follikulær cyste omkring retineret tand regio {t}.",
      "Tilfældigt fund på OP: multilokulær opklaring regio {t}.",
    ],
    previousTreatment: [
      "Ingen. Fundet ved rutineundersøgelse.",
      "Tanden er vital. Kontrolleret to gange med tre måneder imellem.",
    ],
    desiredTreatment: ["Udredning og cysteoperation.", "Biopsi og videre behandling."],
    comment: ["Ingen følesansforstyrrelser.", "Let hævelse bukkalt, eggeskalskrepitation.", ""],
    surgeonComment: ["Cystektomi og histologi. Kontrol 6 og 12 mdr.", "Marsupialisering først; stor."],
    messages: [["Er nabotænderne vitalitetstestet?", "Ja, alle positive undtagen {t}."]],
  },
  {
    key: "implant",
    treatments: ["implant", "sinusLift", "consultation"],
    teeth: ["14", "22", "25", "36", "46"],
    pictures: ["panorama", "intraoral", "photo"],
    weight: 5,
    diagnose: [
      "Manglende {t} efter rodfraktur.",
      "Agenesi {t}, plads holdt åben af ortodontist.",
      "Tandløst område regio {t}, reduceret knoglehøjde under sinus.",
    ],
    previousTreatment: [
      "Ekstraheret for fire måneder siden, ophelet uden problemer.",
      "Ortodonti afsluttet i maj. Midlertidig ætsbro.",
      "Bro fjernet på grund af karies.",
    ],
    desiredTreatment: [
      "Implantat regio {t}. Vi laver kronen.",
      "Vurdering af knogletilbud og implantat regio {t}.",
      "Sinusløft og implantat regio {t}.",
    ],
    comment: [
      "Ryger 10 om dagen, er motiveret for stop.",
      "Type 2-diabetes, velreguleret.",
      "Forsikringssag efter cykelulykke.",
      "",
    ],
    surgeonComment: [
      "Knoglebredde 6 mm. Implantat 4,1 × 10 mm.",
      "Ophelet; afformning om 10 uger.",
      "Rygestop aftalt før operation.",
    ],
    messages: [
      ["Hvilket implantatsystem arbejder I med protetisk?", "Vi tager det, I sætter. Send gerne en følgeseddel."],
    ],
  },
  {
    key: "canine",
    treatments: ["exposure", "consultation"],
    teeth: ["13", "23"],
    pictures: ["panorama", "photo", "dicom"],
    weight: 3,
    diagnose: ["Palatinalt retineret {t}, mælketand persisterer.", "Ektopisk {t} med resorption af lateralens rod."],
    previousTreatment: [
      "Mælketanden fjernet for et år siden, ingen spontan retning.",
      "Ortodontisk apparatur sat i overkæben.",
    ],
    desiredTreatment: [
      "Blotlægning af {t} og limning af lænke.",
      "Blotlægning efter aftale med ortodontisten. Bevilling vedlagt.",
    ],
    comment: ["Betales af BUT. Forældre har givet samtykke.", "14 år, samarbejder fint.", ""],
    surgeonComment: ["Lukket teknik, lænke limet. Træk kan starte efter 10 dage.", "Ankylose mistænkes."],
    messages: [["Ønskes åben eller lukket blotlægning?", "Lukket, med guldlænke."]],
  },
  {
    key: "tmj",
    treatments: ["tmj", "splint"],
    teeth: [""],
    pictures: ["panorama", "photo"],
    weight: 3,
    diagnose: [
      "Smerter fra kæbeled i højre side, knæk ved gabning.",
      "Diskusdislokation uden reduktion, gab 26 mm.",
      "Artrose i venstre kæbeled på OP.",
    ],
    previousTreatment: [
      "Bidskinne i otte måneder, delvis virkning.",
      "Fysioterapi og NSAID. Låsninger cirka ugentligt.",
    ],
    desiredTreatment: ["Udredning af kæbeled, evt. MR.", "Vurdering af behov for artrocentese."],
    comment: ["Stor daglig smerte, VAS 6.", "Skærer tænder om natten.", ""],
    surgeonComment: ["Artrocentese højre side aftalt.", "Konservativ behandling fortsætter tre måneder."],
    messages: [["Har patienten fået lavet MR af kæbeleddene?", "Nej, det håber vi, I kan bestille."]],
  },
  {
    key: "gnathology",
    treatments: ["splint", "consultation"],
    teeth: [""],
    pictures: ["photo"],
    weight: 2,
    diagnose: [
      "Myalgi i masseter og temporalis bilateralt. Bruksisme.",
      "Uforklarede ansigtssmerter, mistanke om TMD.",
    ],
    previousTreatment: ["Blød skinne, ingen virkning.", "Undersøgt af egen læge og ØNH uden fund."],
    desiredTreatment: ["Gnathologisk vurdering og behandling.", "Udredning; er der indikation for botulinumtoksin?"],
    comment: ["Migræne, tager triptan.", "Stressrelateret sygemelding.", ""],
    surgeonComment: ["Stabiliseringsskinne, øvelser. Kontrol om otte uger.", "Henvises til hovedpineklinik."],
    messages: [["Er der taget tryk af begge kæber?", "Ja, scan kan sendes digitalt."]],
  },
  {
    key: "orthognathic",
    treatments: ["orthognathic"],
    teeth: [""],
    pictures: ["cephalogram", "panorama", "photo"],
    weight: 2,
    diagnose: [
      "Mandibulær retrognati, horisontalt overbid 11 mm.",
      "Skeletalt åbent bid og bimaksillær protrusion.",
      "Mandibulær prognati, krydsbid.",
    ],
    previousTreatment: [
      "Ortodontisk vurderet; tandregulering alene er ikke nok.",
      "Fast apparatur begge kæber, klar til operation.",
    ],
    desiredTreatment: ["Vurdering til ortognatkirurgi.", "Fælles planlægning med ortodontist. Kefalometri vedlagt."],
    comment: ["Snorken og træthed; søvnundersøgelse bestilt.", "Patienten er velinformeret og ønsker operation.", ""],
    surgeonComment: ["BSSO planlægges. 3D-plan før sommer.", "Genvurderes, når væksten er slut."],
    messages: [["Hvornår forventes forbehandlingen færdig?", "Til april. Vi sender nye modeller."]],
  },
  {
    key: "biopsy",
    treatments: ["biopsy"],
    teeth: [""],
    pictures: ["photo"],
    weight: 3,
    diagnose: [
      "Hvid, ikke afskrabelig forandring på højre kindslimhinde, 15 × 8 mm.",
      "Sår på venstre tungerand gennem fire uger, induration.",
      "Blålig udfyldning i underlæben, mukocele?",
    ],
    previousTreatment: [
      "Skarp kant på 36 pudset for to uger siden, ingen bedring.",
      "Svampemiddel i 14 dage uden virkning.",
      "Ingen.",
    ],
    desiredTreatment: ["Biopsi og svar til os og egen læge.", "Hurtig vurdering, mistanke om malignitet."],
    comment: ["Tidligere ryger, 30 pakkeår.", "Foto vedlagt. Patienten er orienteret om mistanken.", ""],
    surgeonComment: ["Stansebiopsi 5 mm, svar om ti dage.", "Sendt i kræftpakke samme dag."],
    messages: [["Hvor længe har forandringen været der?", "Patienten bemærkede den i september."]],
  },
  {
    key: "root-rest",
    treatments: ["extraction"],
    teeth: ["16", "26", "35", "46"],
    pictures: ["intraoral"],
    weight: 3,
    diagnose: [
      "Rodrest regio {t} efter fraktur under ekstraktion.",
      "Subgingival kronefraktur {t}, kan ikke genopbygges.",
    ],
    previousTreatment: ["Ekstraktion forsøgt i går, palatinal rod tilbage.", "Provisorisk dækning."],
    desiredTreatment: [
      "Fjernelse af rodrest regio {t}.",
      "Operativ fjernelse af {t} med bevarelse af knogle til implantat.",
    ],
    comment: ["Bisfosfonat i tabletform i fire år.", "Tager Marevan, seneste INR 2,4.", "Tæt på sinus.", ""],
    surgeonComment: [
      "Fjernet via bukkal adgang. Ingen åbning til sinus.",
      "Antibiotikaprofylakse på grund af bisfosfonat.",
    ],
    messages: [["Hvornår er seneste INR taget?", "I mandags, 2,4."]],
  },
];

export interface FilledCase {
  caseKey: string;
  tooth: string;
  treatment: DemoTreatmentType;
  pictures: readonly DemoPicture[];
  diagnose: string;
  previousTreatment: string;
  desiredTreatment: string;
  /** May be empty. */
  comment: string;
  surgeonComment: string;
  messages: readonly { fromClinic: boolean; text: string }[];
}

/** Whether the words of a case ask for an urgent referral. */
export const isAcute = ({ diagnose, desiredTreatment, comment }: Said) =>
  /\b(akut|hurtig|malignitet|mistanken|submandibulær)/i.test(`${diagnose} ${desiredTreatment} ${comment}`);

type Said = Pick<FilledCase, "diagnose" | "desiredTreatment" | "comment">;

/** Answers that referrers give beside the diagnosis, for most patients none. */
export const patientFacts: readonly Partial<Record<HealthPrompt, string>>[] = [
  {},
  { allergies: "Penicillin (udslæt).", medication: "Eliquis 5 mg × 2, Metoprolol 50 mg." },
  {},
  { tobacco: "10 cigaretter om dagen.", psyche: "Udtalt tandlægeskræk, gerne sedation." },
  {},
  { interpreter: "arabisk" },
  {},
  { illnesses: "Type 2-diabetes, velreguleret.", medication: "Metformin 500 mg × 2." },
];

/** The commonest acute case of a clinic. */
export const ACUTE_CASE = "pericoronitis-urgent";

/** Picks a case by its weight, unless `named` is one, and inserts a tooth into its sentences. */
export function fillCase(random: Random, named?: string): FilledCase {
  const chosen = cases.find((each) => each.key === named) ?? weighted(random);
  const tooth = random.pick(chosen.teeth);
  const say = (texts: readonly string[]) => random.pick(texts).replaceAll("{t}", tooth);
  const treatmentKey = random.pick(chosen.treatments);
  const treatment = treatmentTypes.find(({ key }) => key === treatmentKey);
  if (treatment === undefined) throw new RangeError(`no treatment type ${treatmentKey}`);
  const [question, answer] = random.pick(chosen.messages);
  return {
    caseKey: chosen.key,
    tooth,
    treatment,
    pictures: chosen.pictures,
    diagnose: say(chosen.diagnose),
    previousTreatment: say(chosen.previousTreatment),
    desiredTreatment: say(chosen.desiredTreatment),
    comment: say(chosen.comment),
    surgeonComment: say(chosen.surgeonComment),
    messages: [
      { fromClinic: true, text: question.replaceAll("{t}", tooth) },
      { fromClinic: false, text: answer.replaceAll("{t}", tooth) },
    ],
  };
}

function weighted(random: Random): DemoCase {
  let left = random.between(
    0,
    cases.reduce((sum, { weight }) => sum + weight, 0),
  );
  for (const one of cases) {
    left -= one.weight;
    if (left < 0) return one;
  }
  return random.pick(cases);
}

export const letterPhrases = {
  diagnosis: [{ name: "Som henvist", text: "Klinisk og radiologisk som beskrevet i henvisningen." }],
  treatment: [
    {
      name: "Fjernelse, ukompliceret",
      text: "Udført i lokal anæstesi uden komplikationer. Sårhulen er skyllet og sutureret.",
    },
    {
      name: "Fjernelse med god blodstandsning",
      text: "Udført i lokal anæstesi. Der var god blodstandsning, da patienten forlod klinikken.",
    },
    {
      name: "Planmæssigt forløb",
      text: "Indgrebet forløb planmæssigt. Patienten er mundtligt og skriftligt instrueret.",
    },
  ],
  medicine: [
    { name: "Ibuprofen og paracetamol", text: "Ibuprofen 400 mg og paracetamol 1 g efter behov i op til tre dage." },
    {
      name: "Paracetamol og klorhexidin",
      text: "Paracetamol 1 g op til fire gange i døgnet. Klorhexidin 0,12 % til skylning i en uge.",
    },
    { name: "Ingen fast medicin", text: "Ingen fast medicin. Smertestillende i håndkøb efter behov." },
  ],
  followUp: [
    {
      name: "Suturer fjernes hos henviser",
      text: "Suturerne fjernes hos jer efter 7-10 dage. Ring ved feber eller tiltagende hævelse.",
    },
    {
      name: "Suturer opløses",
      text: "Suturerne opløses af sig selv. Kontrol hos jer ved næste undersøgelse.",
    },
    { name: "Kun ved gener", text: "Patienten er velkommen hos os igen, hvis der er gener efter 14 dage." },
  ],
} as const;
