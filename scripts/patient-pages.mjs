/** Creates the fullest patient pages in a portal with demo data; returns their addresses. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectFolder } from "./preparation.mjs";
import { get, postPageForm, signIn } from "./test-server.mjs";

/** A long course of treatment: a dozen images with realistic names, and two that phones cannot open. */
const IMAGES = 12;
const DICOM = ["CT_small.dcm", "MR_small_RLE.dcm"];

/** @returns {Promise<string[]>} pages of an appointment before and after answering, of radiographs, of a letter, and of the case */
export async function makePatientPages(origin, cookie) {
  const headers = { cookie, origin, "sec-fetch-site": "same-origin" };
  await send("/management/settings/breve", {
    intent: "saveLetterSettings",
    clinicName: "Klinik for Kæbekirurgi og Implantologi, Nordsjælland",
    address: "Søndre Frihavnspladsen 128, 2. sal",
    zip: "3400",
    city: "Hillerød",
    phone: "70 00 00 00",
    windowLeft: "20",
    windowTop: "50",
  });
  const id = await createUpcomingVisit();
  await upload(`Visits/${id}/upload/radiographs`, radiographs());
  await upload(`TerminationLetters/${id}/diagnose/1`, [["file", "Udskrivningsbrev.pdf", PDF]]);
  await send(`/management/sms/${id}`, { intent: "sendSmsWithCancellation", referralId: id });
  const sms = { messageType: 1, referralId: id };
  await send(`/management/overview/${id}`, { intent: "sendRadiographLink", ...sms });
  await send(`/management/overview/${id}`, { intent: "sendLetterToPatient", letterNumber: 1, ...sms });
  await refer();
  const messages = (await get(`${origin}/dev/outbox`)).text;
  const [time, images, letter, ownCase] = ["aftale", "xr", "dl", "sag"].map((page) => {
    const link = messages.match(/\/\w+\?tk=[\w-]+/g)?.find((each) => each.startsWith(`/${page}?`));
    if (!link) throw new Error(`no message in the development's outbox leads to /${page}`);
    return link;
  });
  return [images, letter, time, `${time}&afbud`, ownCase];

  /** A new referral, whose patient gets a link to the case. */
  async function refer() {
    const hours = { hour1: 10, hour2: 10, hour3: 10, quietFrom: 20, quietTo: 8 };
    const settings = { intent: "saveReminderSettings", sendsCaseLink: "on", ...hours };
    await send("/management/settings/paamindelser", settings);
    const dentist = await signIn(origin, "tandlaege");
    const wizard = "/management/henvisning-tandlaeger";
    const patient = {
      cpr6: "690177",
      cpr4: "2999",
      firstName: "Anne-Charlotte Elisabeth",
      lastName: "Ærø",
      address: "Kaj 7",
      zip: "5970",
      city: "Ærøskøbing",
      mobilePhone: "40 12 34 56",
      desiredTreatment: "Vurdering af 48.",
    };
    const form = `${wizard}?form=${"a".repeat(32)}`;
    const saved = await send(form, { intent: "savePatient", formKey: "a".repeat(32), ...patient }, dentist);
    const referralId = new URL(saved, origin).searchParams.get("kladde");
    const step = (number) => `${wizard}?kladde=${referralId}&trin=${number}`;
    await send(step(2), { intent: "saveReferrer", referralId }, dentist);
    await send(step(3), { intent: "sendReferral", referralId, formKey: "send", radiographsSendType: 1 }, dentist);
  }

  async function send(page, fields, as = cookie) {
    const answer = await postPageForm(origin + page, fields, as);
    if (answer.status !== 303)
      throw new Error(`${page} ${fields.intent}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.headers.location;
  }

  async function createUpcomingVisit() {
    // The portal's clock may be up to a week ahead.
    const from = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);
    const { text } = await get(
      `${origin}/api/SmsAppointments?From=${from}&PageSize=100&OrderByAscending=true`,
      headers,
    );
    const visits = JSON.parse(text).entities.filter(
      (each) => each.visitStatusText === "I behandling" && each.cancellationDate === null,
    );
    for (const { visitId } of visits) {
      const thread = await get(`${origin}/management/sms/${visitId}`, headers);
      // Which of the demo's patients come first depends on the day.
      if (!thread.text.includes("svarede STOP")) return visitId;
    }
    throw new Error("no patient of the demo with a time takes an SMS");
  }

  async function upload(call, files) {
    const body = new FormData();
    body.set("RadiographFileTypes", JSON.stringify(files.map(([, name]) => (name.endsWith(".dcm") ? 4 : 0))));
    for (const [field, name, bytes] of files) body.append(field, new Blob([bytes]), name);
    const answer = await fetch(`${origin}/api/${call}`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`${call}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  }
}

function radiographs() {
  const pictures = Array.from({ length: IMAGES - DICOM.length }, (_, nth) => [
    `Panorama_øvre_højre_${19 + nth}-11-2026_kontrol_efter_operation.gif`,
    aPicture(nth),
  ]);
  const scans = DICOM.map((name) => [name, readFileSync(path.join(projectFolder, "tests", "files", "dicom", name))]);
  return [...pictures, ...scans].map(([name, bytes]) => ["Radiographs", name, bytes]);
}

/** The smallest GIF, each in another colour, because equal images are stored once. */
const aPicture = (nth) =>
  Buffer.concat([
    Buffer.from("GIF89a"),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, nth, nth, nth, 255, 255, 255]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
  ]);

const PDF =
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";
