/** Texts that staff can edit. Plain text, a blank line between paragraphs. */

export const terms = {
  version: "2026-09-01",
  buttonText: "Jeg accepterer",
  text: `Betingelser for brug af henvisningsportalen

Portalen er til tandlæger og deres medarbejdere, som henviser patienter til klinikken. Du må kun slå patienter op og henvise dem, du selv eller din klinik behandler.

Patienten skal vide, at du henviser, og at journaloplysninger og røntgenbilleder sendes med. Skriv kun det, der er nødvendigt for behandlingen.

Din adgang er personlig. Del ikke brugernavn og adgangskode med andre, heller ikke på klinikken, og log ud, når du forlader skærmen. Alle opslag bliver registreret med navn og tidspunkt.

Klinikken er dataansvarlig for de oplysninger, den modtager, og opbevarer dem efter reglerne om journalføring. Du og din klinik er dataansvarlige for jeres egen journal.

Opdager du, at oplysninger er sendt til den forkerte, eller at en anden har brugt din adgang, så kontakt klinikken med det samme.`,
} as const;

export const infoPopup = {
  title: "Nyt i portalen",
  text: `Røntgenbilleder på op til 1 GB kan nu sendes direkte. Bliver forbindelsen afbrudt, fortsætter overførslen, hvor den slap.

Husk at vælge filtype for hvert billede. DICOM-filer (.dcm) vælges under »DICOM-file«; TIFF kan ikke modtages.

Julelukket fra 23. december til 1. januar. Haste henvisninger ringes ind på 10 70 00 00.`,
} as const;
