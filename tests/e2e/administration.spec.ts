import type { Page } from "@playwright/test";
import { findByUserName } from "../../app/features/accounts/store.server";
import { expect, settled, test } from "./portal";

test.use({ matrix: "with script" });

type Role = "admin" | "kirurg" | "sekretaer" | "tandlaegesekretaer" | "tandlaege";

const staffTabs = [
  "Oversigt",
  "Henvis",
  "Indkald",
  "SMS",
  "Statistik",
  "Kladde",
  "Udskrivningsbrev",
  "Din profil",
  "Henvisere",
  "Klinik",
  "Logs",
  "Parkering",
  "Indstillinger",
];
const ownTabs = ["Oversigt over henvisninger", "Henvis", "Kladde", "Udskrivningsbrev", "Din profil"];

const tabs: Record<Role, string[]> = {
  admin: staffTabs,
  kirurg: staffTabs,
  sekretaer: [...ownTabs, "Henvisere", "Klinik"],
  tandlaegesekretaer: [...ownTabs, "Henvisere", "Klinik"],
  tandlaege: ownTabs,
};

interface AdministrationPage {
  path: string;
  title: string;
  /** Column heads and field labels for staff and secretaries; other roles do not see the page. */
  staff: { heads: string[]; fields: string[] };
  secretaries?: { heads: string[]; fields: string[] };
}

const userFilter = ["Status", "Klinik", "Søg", "Kun tomt henviser ID"];
const userHeads = ["Navn", "Brugernavn", "Klinik", "Rolle", "Status", "Opdater"];
const userFields = ["Fornavn *", "Efternavn *", "Brugernavn *", "Status", "E-mail *", "Henviser id (valgfri)"];
const userRest = ["Mobil (valgfri)", "Telefon (valgfri)", "Adgangskode (valgfri)", "Gentag adgangskoden (valgfri)"];
const clinicRest = ["Adresse *", "Postnummer *", "By *", "E-mail *", "Mobil (valgfri)", "Telefon *"];

const pages: AdministrationPage[] = [
  {
    path: "users",
    title: "Henvisere",
    staff: { heads: [...userHeads, "Fusioner", "Åbn"], fields: userFilter },
    secretaries: { heads: [...userHeads, "Åbn"], fields: userFilter },
  },
  {
    path: "users/opret",
    title: "Opret bruger",
    staff: {
      heads: [],
      fields: [
        "Admin",
        "Henviser / Tandlæge sekretær",
        "Surgeon",
        "Tandlæge sekretær",
        ...userFields,
        "Klinik *",
        ...userRest,
      ],
    },
    secretaries: { heads: [], fields: ["Tandlæge sekretær", ...userFields, "Klinik", ...userRest] },
  },
  {
    path: "clinics",
    title: "Klinik",
    staff: {
      heads: ["Titel", "Status", "Henvisere", "By", "Telefon", "Email", "Fusioner", "Åbn"],
      fields: ["Status", "Søg"],
    },
    secretaries: {
      heads: ["Title", "Status", "Employees", "City", "Phone", "Email", "Åbn"],
      fields: ["Status", "Søg"],
    },
  },
  { path: "clinics/opret", title: "Opret klinik", staff: { heads: [], fields: ["Titel *", "Status", ...clinicRest] } },
  {
    path: "statistics",
    title: "Statistik",
    staff: {
      heads: ["Placering", "Behandlingstype", "Antal behandlinger", "Henviser", "Klinik", "Sidste behandlingsdato"],
      fields: ["Fra", "Til", "Fra", "Til"],
    },
  },
  {
    path: "statistics?type=1",
    title: "Statistik",
    staff: {
      heads: ["Placering", "Henviser", "Klinik", "Antal henvisninger", "Sidste henvisningsdato", "Åbn"],
      fields: ["Fra", "Til", "Fra", "Til"],
    },
  },
  {
    path: "settings",
    title: "Indstillinger",
    staff: {
      heads: [],
      fields: ["Ny behandlingstype *", "CSV-fil", "Visitations nr.", "Fra", "Til", "Status", "Ekstern kode"],
    },
  },
  { path: "logs", title: "Logs", staff: { heads: [], fields: ["Nr.", "E-Boks type"] } },
  { path: "logs?type=email", title: "Logs", staff: { heads: [], fields: ["Nr.", "E-mail type"] } },
  { path: "logs?type=sms", title: "Logs", staff: { heads: [], fields: ["Nr.", "Sms type"] } },
  {
    path: "parking",
    title: "Parkering",
    staff: { heads: [], fields: ["Nummerplade", "Mobiltelefon *", "Booking Dato *"] },
  },
];

/** Labels that every list and plot has. */
const furniture = new Set(["Sortér efter", "Vis tal"]);

const textsOf = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());

/** Heads of each table of the page. */
const headsOf = async (page: Page) =>
  Promise.all(
    (await page.locator("main table.data > thead").all()).map(async (head) =>
      (await head.locator("th").allTextContents()).map((text) => text.replace(/\s+/g, " ").trim()),
    ),
  );

for (const role of Object.keys(tabs) as Role[])
  test(`tab bar, titles, heads and labels as ${role} sees them`, async ({ portal, javaScriptEnabled }) => {
    const page = await portal.pageFor(role);
    await page.goto("/management/overview");
    await settled(page);
    const bar = page.getByRole("navigation", { name: "Hovedmenu" }).getByRole("link");
    expect(
      await bar.evaluateAll((all) => all.map((tab) => tab.getAttribute("aria-label") ?? tab.textContent.trim())),
    ).toEqual(tabs[role]);
    for (const { path, title, staff, secretaries } of pages) {
      const answer = (await page.goto(`/management/${path}`))!;
      await settled(page);
      const seen = ["admin", "kirurg"].includes(role) ? staff : role === "tandlaege" ? undefined : secretaries;
      if (!seen) {
        expect(answer.status(), path).toBe(403);
        await expect(page.getByRole("alert").getByText("Access Denied by Role")).toBeVisible();
        continue;
      }
      expect(await page.title(), path).toBe(`Henvisningsportalen - ${title}`);
      if (seen.heads.length > 0) expect(await headsOf(page), path).toContainEqual(seen.heads);
      const part = path.endsWith("/opret") ? "dialog" : "main";
      const labels = (await textsOf(page, `${part} label`)).filter((label) => !furniture.has(label));
      // With JavaScript the radio reveals the fields of the other account type.
      expect(labels, path).toEqual(seen.fields.filter((label) => !javaScriptEnabled || label !== "Surgeon"));
    }
  });

const openRows: { role: Role; user: string[]; userClosed: string[]; clinicClosed: string[] }[] = [
  {
    role: "admin",
    user: ["Tandlæge sekretær", "Send Udskrivningsbrev via EDI"],
    userClosed: ["Klinik"],
    clinicClosed: [],
  },
  {
    role: "sekretaer",
    user: ["Tandlæge sekretær"],
    userClosed: ["EDI Henviser id", "Klinik"],
    clinicClosed: ["Status"],
  },
];

for (const { role, user, userClosed, clinicClosed } of openRows)
  test(`the fields of an open user and clinic, and which of them are closed, as ${role} sees them`, async ({
    portal,
  }) => {
    const { id: userId } = await portal.withDatabase(async (db) => (await findByUserName(db, "tandlaege"))!);
    const clinicId = await portal.withDatabase(async (db) => {
      const row = await db
        .selectFrom("userClinic")
        .select("clinicId")
        .where("userId", "=", userId)
        .executeTakeFirstOrThrow();
      return row.clinicId;
    });
    const page = await portal.pageFor(role);
    await page.goto(`/management/users?sort=1&aaben=${userId}`);
    await settled(page);
    const bare = (labels: string[]) => labels.map((label) => label.replace(/ (\*|\(valgfri\))$/, ""));
    const closed = async () =>
      bare(
        await page
          .locator(".open-referral")
          .locator("input:not([type=hidden]):disabled, select:disabled")
          .evaluateAll((all) =>
            all.map((field) => (field as HTMLInputElement).labels![0]!.textContent.replace(/\s+/g, " ").trim()),
          ),
      );
    expect(bare(await textsOf(page, ".open-referral label"))).toEqual([
      ...user,
      "Fornavn",
      "Efternavn",
      "Brugernavn",
      "Status",
      "E-mail",
      "Henviser id",
      "EDI Henviser id",
      "Klinik",
      "Telefon",
      "Mobil",
    ]);
    expect(await closed()).toEqual(userClosed);
    expect(await textsOf(page, ".open-referral aside dt")).toEqual([
      "ID",
      "Udarbejdet af",
      "Opdater",
      "Dato for password reset",
      "Accepterede betingelser",
      "Sidst aktiv",
    ]);
    await page.goto(`/management/clinics?aaben=${clinicId}`);
    await settled(page);
    expect(bare(await textsOf(page, ".open-referral label"))).toEqual([
      "Titel",
      "Status",
      "Adresse",
      "Postnummer",
      "By",
      "E-mail",
      "Mobil",
      "Telefon",
    ]);
    expect(await closed()).toEqual(clinicClosed);
  });
