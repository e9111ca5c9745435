import type { ReferralPdfData } from "~/features/referrals/details/referral-pdf.server";

/** A referral with a value in every place of the PDF. */
export const printedReferral: ReferralPdfData = {
  nr: 48230,
  externalId: "900123",
  status: "Afventer visitering",
  referenceType: "Haste henvisning",
  urgent: true,
  createdAt: "2026-11-18T06:12:00.000Z",
  patient: {
    name: "Nancy Ann Åkjær Sørensen-Łukasik",
    cpr: "251248-9996",
    age: 77,
    address: "Testpark Allé 48, 2. th.",
    zip: "3400",
    city: "Hillerød",
    phone: "48 22 00 00",
    mobile: "23 45 67 89",
    email: "nancy@eksempel.dk",
    lines: [{ label: "Stilling", value: "Pensionist" }],
  },
  referrer: {
    name: "Mette Kjærgaard",
    email: "mette@tandlaegerne-paa-aaen.dk",
    externalId: "10341",
    ediResponsibleDentist: "Ole Sørensen",
    clinic: { name: "Tandlægerne på Åen", address: "Ågade 12", zip: "8000", city: "Aarhus C", phone: "86 12 00 00" },
  },
  callType: "Ja, hurtigst muligt",
  lines: [],
  payment: {
    label: "Forsikringssag",
    details: [
      { label: "Forsikringsselskab", value: "Tryg" },
      { label: "Skadenummer", value: "2026-11-448" },
    ],
  },
  approval: { label: "Behandlingsgodkendelse vedhæftet", fileName: "Bevilling.pdf" },
  healthInsurance: "Medlem, gruppe 2",
  clinical: [
    { label: "Ønsket behandling", value: "Operativ fjernelse af 48, tæt på nervekanalen. Vurdering af 38." },
    { label: "Diagnose", value: "Perikoronit regio 48, tre tilfælde siden august." },
    { label: "Tidligere behandling", value: "Skylning, penicillin 7 dage." },
    {
      label: "Kommentar",
      value: "Patienten er nervøs og vil gerne ringes op før indkaldelsen.\nTager blodfortyndende (Eliquis 5 mg × 2).",
    },
  ],
  journals: ["Journal_48230.pdf"],
  radiographsSendType: "Sendes med post",
  radiographs: [
    {
      fileName: "OPG_141126.jpg",
      typeLabel: "Panorama",
      takenOn: "2026-11-14",
      uploadedAt: "2026-11-18T06:10:00.000Z",
    },
    { fileName: "CBCT_underkæbe.dcm", typeLabel: "DICOM-fil", uploadedAt: "2026-11-18T06:11:00.000Z" },
  ],
  plan: {
    at: "02.12.2026 kl. 09.30",
    duration: "45 min.",
    treatmentType: "Operativ fjernelse af visdomstand",
    surgeon: "Lise Bjerregaard",
    comment: "CBCT før indgreb, nervenær",
    price: "4.850 kr.",
  },
};
