/**
 * Writes the icon files of the design kit from Material Design Icons:
 *
 *   app/ui/icons/icons.svg         one <symbol> per icon; loaded once by the browser, immutable
 *   app/ui/icons/icon-names.ts     the names as a type
 *   app/ui/icons/inline-icons.ts   the few paths that public pages carry in their HTML (one request, no sheet)
 *
 * Run `node scripts/icons.mjs` after changing the lists below and commit what it wrote; with
 * `--check` it writes nothing and exits 1 when the files differ. @mdi/js is read here only, so it
 * never reaches a bundle.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

const mdi = createRequire(import.meta.url)("@mdi/js");

/** Our name → the export of @mdi/js. */
const ICONS = {
  "awaits-triage": "mdiTrayFull",
  doctor: "mdiDoctor",
  urgent: "mdiAlertOctagon",
  check: "mdiCheck",
  sleep: "mdiSleep",
  "call-up": "mdiEmailFastOutline",
  "awaits-material": "mdiFileAlertOutline",
  phone: "mdiPhone",
  "phone-again": "mdiPhonePlusOutline",
  "phone-return": "mdiPhoneReturnOutline",
  "phone-off": "mdiPhoneRemoveOutline",
  "in-treatment": "mdiProgressCheck",
  "new-time": "mdiCalendarClock",
  "cancelled-time": "mdiCalendarRemoveOutline",
  declined: "mdiCancel",
  tu: "mdiArchiveLockOutline",
  closed: "mdiArchiveOutline",
  gear: "mdiCogOutline",
  logout: "mdiLogout",
  menu: "mdiMenu",
  person: "mdiAccountOutline",
  computer: "mdiLaptop",
  handheld: "mdiCellphone",
  help: "mdiHelpCircleOutline",
  search: "mdiMagnify",
  filter: "mdiFilterVariant",
  down: "mdiChevronDown",
  up: "mdiChevronUp",
  left: "mdiChevronLeft",
  right: "mdiChevronRight",
  "sort-up": "mdiArrowUp",
  "sort-down": "mdiArrowDown",
  next: "mdiArrowRight",
  back: "mdiArrowLeft",
  external: "mdiOpenInNew",
  export: "mdiFileExportOutline",
  exported: "mdiFileCheckOutline",
  "export-planned": "mdiFileClockOutline",
  "export-failed": "mdiFileAlertOutline",
  message: "mdiMessageOutline",
  "message-new": "mdiMessageBadgeOutline",
  radiograph: "mdiRadiologyBoxOutline",
  pdf: "mdiFilePdfBox",
  "missing-dentist": "mdiAccountAlertOutline",
  attach: "mdiPaperclip",
  edit: "mdiPencilOutline",
  merge: "mdiCallMerge",
  picked: "mdiCheckboxMarked",
  upload: "mdiUpload",
  add: "mdiTrayArrowUp",
  download: "mdiDownload",
  delete: "mdiTrashCanOutline",
  plus: "mdiPlus",
  minus: "mdiMinus",
  close: "mdiClose",
  save: "mdiContentSaveOutline",
  send: "mdiSend",
  undo: "mdiUndo",
  refresh: "mdiRefresh",
  pause: "mdiPause",
  resume: "mdiPlay",
  print: "mdiPrinterOutline",
  "change-person": "mdiAccountSwitchOutline",
  show: "mdiEyeOutline",
  hide: "mdiEyeOffOutline",
  fit: "mdiFitToScreenOutline",
  brightness: "mdiBrightness6",
  contrast: "mdiContrastCircle",
  invert: "mdiInvertColors",
  rotate: "mdiRotateRight",
  compare: "mdiCompare",
  strip: "mdiDockRight",
  done: "mdiCheckCircle",
  sent: "mdiCheckCircleOutline",
  alert: "mdiAlertCircle",
  failed: "mdiAlertCircleOutline",
  warning: "mdiAlert",
  info: "mdiInformationOutline",
  lock: "mdiLockOutline",
  calendar: "mdiCalendarOutline",
  "calendar-add": "mdiCalendarPlusOutline",
  "patient-cancelled": "mdiCalendarRemove",
  place: "mdiMapMarkerOutline",
  clock: "mdiClockOutline",
  hourglass: "mdiTimerSandEmpty",
  offline: "mdiWifiStrengthOffOutline",
  history: "mdiHistory",
  email: "mdiEmailOutline",
  sms: "mdiCellphoneMessage",
  eboks: "mdiMailboxOutline",
  letter: "mdiEmailSealOutline",
  file: "mdiFileDocumentOutline",
  image: "mdiImageOutline",
  table: "mdiFileTableOutline",
  zip: "mdiFolderZipOutline",
  invoice: "mdiReceiptTextOutline",
  car: "mdiCarOutline",
};

/** Inlined as paths: icons of public pages and form fields. */
const INLINE = [
  "download",
  "zip",
  "check",
  "done",
  "alert",
  "warning",
  "info",
  "close",
  "calendar",
  "calendar-add",
  "place",
];

const path = (name) => {
  const drawing = mdi[ICONS[name]];
  if (!drawing) throw new Error(`@mdi/js has no ${ICONS[name]} (icon "${name}")`);
  return drawing;
};
const names = Object.keys(ICONS);
const note = "// Written by scripts/icons.mjs: change the list there.\n";

const files = {
  "app/ui/icons/icons.svg":
    '<svg xmlns="http://www.w3.org/2000/svg">\n' +
    names.map((name) => `<symbol id="${name}" viewBox="0 0 24 24"><path d="${path(name)}"/></symbol>\n`).join("") +
    "</svg>\n",
  "app/ui/icons/icon-names.ts":
    `${note}\nexport const iconNames = [\n` +
    names.map((name) => `  "${name}",\n`).join("") +
    "] as const;\n\nexport type IconName = (typeof iconNames)[number];\n",
  "app/ui/icons/inline-icons.ts":
    `${note}\nexport const inlineIcons = {\n` +
    INLINE.map((name) => `  ${name.includes("-") ? `"${name}"` : name}: "${path(name)}",\n`).join("") +
    "} as const;\n\nexport type InlineIconName = keyof typeof inlineIcons;\n",
};

const root = new URL("../", import.meta.url);
const checking = process.argv.includes("--check");
for (const [name, text] of Object.entries(files)) {
  const url = new URL(name, root);
  if (!checking) await writeFile(url, text);
  else if ((await readFile(url, "utf8")) !== text) {
    console.error(`${name} differs from scripts/icons.mjs: run node scripts/icons.mjs`);
    process.exitCode = 1;
  }
}
