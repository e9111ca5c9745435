const lægehuset = {
  ean: "5790000121526",
  identifier: "079741",
  identifierCode: "ydernummer",
  organisation: "Lægehuset",
  department: null,
  unit: null,
  phone: "45121314",
};
const anamnesis = `1995 indlagt Køge Sygehus under mistanke om AMI, afkræftedes. Januar 98 indlagt Frederiksborg Sgh., med afd., med stenokardi. Februar 98 samme afd. amb. til EKG-belastningsus.
Gift fabrikant. Siden barnealderen været overvægtig., altid dårlige kostvaner spec. med overflødig fedtkalorie-tilførsel. I flere perioder beh. for addiktivt alkoholmisbrug.
Virker velbegavet, men trods dette dårlig sygdomsindsigt og manglende motivation for livsstilsændring.
Konsulterede primo sept. 98 med kraftig diffus dunkende hovedpine. BT fandtes kraftigt forhøjet - siddende 205/120 efter 15 min.s
hvile 185/110. Siden gradvis titreret op til nedenstående medicinordination, men er uændret hovedpineplaget og sidste hvile BT d.d. er 180/105. Højde 169 cm. Vægt 98.2 kg.
Patienten angiver sig nu indstillet på den nødvendige intervention, evt. også længerevarende indl.`;
const examination = `Rtg af thorax (samme sgh 22.9.98 - rtg nr 1237/52): Breddeøget cor 18/34 med delvis udslettet talje, ingen stase. Hvile EKG viser venstresidigt belastningsmønster. Opthalmoskopi (Øjl. Ole Hansen 28.9.98): Fund. hypert. grad II. Klinisk kemi (12.9.00-fastende):
Totalchol. 7.6 mmol/l. HDL-cholesterol 0.9 mmol/l, LDL-cholesterol 4.3 mmol/l . Triglycerider 3.1 mmol/l. S-Kreatinin 102 (mol/l. Faste B-glucose 4.8 mmol/l. Urinmulitistix blank. Døgnurin til katekolaminbest er indsendt. Er henvist til isotoprenografi`;
const medicine =
  "Tabl Triatec 5 mg 1*1 for blodtrykket - Tabl Norvasc 5 mg 1*1 for blodtrykket- Tabl Centyl m. KCl 1 dgl for BT og vanddrivende - Tabl Kaleorid 1 dgl kaliumtilskud";

export const hospitalReferral = {
  kind: "referral",
  identifier: "Brv5678",
  status: "new",
  sender: lægehuset,
  receiver: {
    ean: "5790000201389",
    identifier: "2001060",
    identifierCode: "sygehusafdelingsnummer",
    organisation: "Hillerød Sygehus",
    department: "Medicinsk afd. B",
    unit: null,
    phone: null,
  },
  referrer: { identifier: null, identifierCode: null, name: "Hans Jensen", title: "Uddannelsesamanuensis" },
  patient: {
    cpr: "240644-4917",
    writtenId: "2406444917",
    birthDate: null,
    firstName: "Ole",
    lastName: "Berggren",
    profession: "Kleinsmed",
    address: "Park Alle 48",
    zip: "3400",
    city: "Hillerød",
    phone: "48302223",
    mobilePhone: "20222324",
    email: "ole.berggren@danmarksmestkendtepatient.dk",
  },
  priority: "elektiv",
  purpose: null,
  diagnoses: [
    { code: "DI10", text: "Blodtryksforhøjelse af ukendt årsag." },
    { code: "DE659", text: "Fedme u. spec" },
  ],
  reason: "Hypertensionsudredning + behandling samt diætvejledning vedrørende overvægt",
  supplementary: "Indkaldes fra sommerhus, Sommervej 10, Gilleleje",
  cave: "Fenoxymetylpenicillin (1994 Ringsted Sgh. med larynxødem)",
  anamnesis,
  examination,
  medicine,
  relative: "Anni Berggren",
  references: [],
  links: [],
  objects: [],
};

export const specialistReferral = {
  kind: "referral",
  identifier: "Brv56789",
  status: "new",
  sender: { ...lægehuset, ean: "5790000127269", identifier: "012345", phone: null },
  receiver: {
    ean: "5790000183784",
    identifier: "078901",
    identifierCode: "ydernummer",
    organisation: null,
    department: "Speciallæge",
    unit: "Hans Jensen",
    phone: null,
  },
  patient: {
    cpr: "070860-1GH8",
    writtenId: "0708601GH8",
    birthDate: null,
    firstName: "Guwi",
    lastName: "Hwarmnaphhattwan",
    profession: null,
    address: "Grusgraven 3,3 th.",
    zip: "3400",
    city: "Hillerød",
    phone: "45126534",
    mobilePhone: "20222324",
    email: "HG@danmarksmestkendtepatient.dk",
  },
  priority: null,
  transport: null,
  purpose: "Diagnose og behandling",
  diagnoses: [],
  reason: null,
  supplementary: null,
  cave: "Ingen kendt allergi",
  anamnesis: `Pityriasis rosae obs.pro.

Henvises m.h.p. diagnose og behandling.
Debuterede for 5 uger siden med 3 cm. stort rødt skællende element på hø. lår. Siden udviklet udslæt på det meste af truncus, med 1-2 cm store røde kløende elementer.
Lider af forhøjet blodtryk.`,
  examination: "Levertal, hæmatologi og væsketal i.a.",
  medicine: "Medicin:Selo-Zok 100 mg. dgl.",
  relative: null,
  references: [],
  links: [],
  objects: [],
};
