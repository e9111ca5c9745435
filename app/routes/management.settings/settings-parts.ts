import { paths } from "~/paths";

export const settingsParts = [
  { to: paths.settings, label: "Behandlingstyper og tider" },
  { to: paths.messageTexts, label: "Beskeder" },
  { to: paths.reminderSettings, label: "Påmindelser" },
  { to: paths.answerSettings, label: "SMS-svar" },
  { to: paths.portalTexts, label: "Tekster" },
  { to: paths.nameSettings, label: "Navne og frister" },
  { to: paths.letterSettings, label: "Breve" },
  { to: paths.directoryImport, label: "Import" },
  { to: paths.jobs, label: "Job" },
  { to: paths.apiKeys(), label: "API-nøgler" },
] as const;
