export const lookUpOutcomes = {
  fetched: { succeeded: true, text: "Adressen er hentet fra CPR-registret." },
  fetchedTestData: { succeeded: true, text: "Adressen er hentet fra testdata: CPR-registret er ikke indstillet." },
  protected: { succeeded: false, text: "Patienten har hemmelig adresse. Skriv ingen adresse: lad felterne stå tomme." },
  notFound: { succeeded: false, text: "CPR-nummeret findes ikke i CPR-registret. Skriv navn og adresse selv." },
  notAsked: {
    succeeded: false,
    text: "CPR-registret er ikke indstillet: kun testpersoner kan slås op. Skriv navn og adresse selv.",
  },
  unavailable: {
    succeeded: false,
    text: "CPR-registret svarer ikke lige nu. Prøv igen om lidt, eller skriv navn og adresse selv.",
  },
  dead: { succeeded: false, text: "CPR-registret oplyser, at patienten er død. Kontrollér CPR-nummeret." },
  emigrated: {
    succeeded: false,
    text: "Patienten er udrejst og har ingen adresse i CPR-registret. Skriv adressen selv, eller lad felterne stå tomme.",
  },
  noAddress: {
    succeeded: false,
    text: "Patienten har ingen fast adresse i CPR-registret. Lad felterne stå tomme, eller skriv, hvor patienten bor.",
  },
  known: { succeeded: true, text: "Patientens oplysninger er hentet fra en tidligere henvisning." },
  unknown: { succeeded: false, text: "Patienten er ikke kendt her. Skriv oplysningerne selv." },
} as const;

export type LookUpOutcome = keyof typeof lookUpOutcomes;
