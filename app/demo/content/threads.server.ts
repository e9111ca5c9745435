/**
 * What referrers and the clinic write to each other. Made up, but in the words of the trade. `r` the referrer's side, `c` the clinic;
 * `{t}` stands for the tooth of the case. `file` names a small attachment that goes along.
 */
export interface DemoLine {
  by: "r" | "c";
  text: string;
  file?: string;
}

export const threads: readonly (readonly DemoLine[])[] = [
  [
    { by: "c", text: "Har I et nyere billede af {t}? Det vedhæftede er over et år gammelt." },
    { by: "r", text: "Ja, vi tager et nyt på torsdag og lægger det op. Patienten har stærke smerter." },
    { by: "r", text: "Hun kan komme med dags varsel." },
  ],
  [
    { by: "r", text: "Patienten spørger til ventetiden. Kan I sige noget om, hvornår hun kan forvente en tid?" },
    { by: "c", text: "Vi regner med cirka tre uger. Hun får brev i e-Boks, så snart tiden er planlagt." },
    { by: "r", text: "Tak, det giver jeg videre." },
  ],
  [
    { by: "c", text: "Patienten oplyser, at han tager Marevan. Kender I den seneste INR-værdi?" },
    {
      by: "r",
      text: "Seneste INR er 2,4, målt hos egen læge i sidste uge. Jeg har vedhæftet svaret.",
      file: "INR-svar.csv",
    },
    { by: "c", text: "Perfekt, så behøver han ikke pausere. Vi giver besked på dagen." },
  ],
  [
    { by: "r", text: "Jeg glemte at skrive, at patienten er allergisk over for penicillin." },
    { by: "c", text: "Tak, det er noteret i planen." },
  ],
  [{ by: "r", text: "Smerterne omkring {t} er taget til siden i går, og der er let hævelse. Kan tiden fremskyndes?" }],
  [
    {
      by: "c",
      text: "Vi har set på panoramabilledet. {t} ligger tæt på nervekanalen, så vi vil gerne have en CBCT, før vi planlægger.",
    },
    { by: "r", text: "Vi har ikke selv CBCT. Kan I tage den hos jer?" },
    { by: "c", text: "Ja, det gør vi ved forundersøgelsen. I skal ikke gøre mere." },
  ],
  [
    {
      by: "r",
      text: "Patienten har fået ny adresse og nyt mobilnummer. Jeg har rettet det hos os, vil I gøre det samme?",
    },
    { by: "c", text: "Det er rettet. Tak." },
  ],
  [{ by: "c", text: "Vi mangler oplysning om forsikringsselskab og skadesnummer. Vil I sende det her?" }],
  [
    { by: "c", text: "Vi mangler oplysning om forsikringsselskab og skadesnummer. Vil I sende det her?" },
    { by: "r", text: "Det er vedhæftet som kopi af deres svar.", file: "forsikring-svar.csv" },
  ],
  [
    { by: "r", text: "Skal vi fjerne suturerne hos os, eller vil I se patienten igen?" },
    { by: "c", text: "I må gerne fjerne dem efter 7–10 dage. Ring endelig, hvis der er tegn på infektion." },
  ],
  [{ by: "r", text: "Patienten ønsker helst behandling i generel anæstesi på grund af tandlægeskræk. Er det muligt?" }],
  [
    { by: "c", text: "Patienten udeblev fra forundersøgelsen i dag. Ved I, om vedkommende stadig ønsker behandling?" },
    { by: "r", text: "Jeg har talt med patienten: tiden var overset. Vil I sende en ny?" },
  ],
];
