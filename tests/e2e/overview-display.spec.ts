import { expect, test } from "./portal";
import { rowIds } from "./referrals";

test.use({ matrix: "with script" });

const overview = "/management/overview";

test("on a phone an open referral fills the page, and has the focus", async ({ portal, javaScriptEnabled }) => {
  const page = await portal.pageFor("admin");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${overview}?sort=-1`);
  const [one, two] = await rowIds(page);
  await page.locator(`#r${one} .c-name a`).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${one}$`));
  if (javaScriptEnabled) await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${one}`) })).toBeFocused();
  await expect(page.locator(`#r${one}`)).toBeInViewport();
  await expect(page.locator(`#r${two}`)).toBeHidden();
  await page.getByRole("link", { name: "Oversigt", exact: true }).last().click();
  await expect(page.locator(`#r${two}`)).toBeVisible();
});

test("a row without a dentist id is yellow, an urgent one too", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const [urgent, other, known] = (await rowIds(page)) as [number, number, number];
  const set = (id: number, values: { referenceType: number; externalDoctorId: string | null }) =>
    portal.withDatabase((db) => db.updateTable("referral").set(values).where("id", "=", id).execute());
  const before = await portal.withDatabase((db) =>
    db
      .selectFrom("referral")
      .select(["id", "referenceType", "externalDoctorId"])
      .where("id", "in", [urgent, other, known])
      .execute(),
  );
  await set(urgent, { referenceType: 1, externalDoctorId: null });
  await set(other, { referenceType: 0, externalDoctorId: null });
  await set(known, { referenceType: 0, externalDoctorId: "10412" });
  const ground = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor);
  for (const [width, part] of [
    [1280, " > .c-name"],
    [360, ""],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${overview}?sort=-1`);
    const yellow = await ground(`#r${other}${part}`);
    expect(await ground(`#r${urgent}${part}`), `at ${width} px`).toBe(yellow);
    expect(await ground(`#r${known}${part}`), `at ${width} px`).not.toBe(yellow);
  }
  for (const { id, ...values } of before) await set(id, values);
});

test("names of 35 and 70 letters stay inside the page", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?sort=-1`);
  const ids = (await rowIds(page)).slice(0, 2);
  const names = [
    "Wolfeschlegelsteinhausenbergerdorff",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamteng",
  ];
  const rename = (id: number, name: string) =>
    portal.withDatabase((db) => db.updateTable("referral").set({ lastName: name }).where("id", "=", id).execute());
  const before = await portal.withDatabase((db) =>
    db.selectFrom("referral").select(["id", "lastName"]).where("id", "in", ids).execute(),
  );
  for (const [index, id] of ids.entries()) await rename(id, names[index]!);
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    for (const address of [`${overview}?sort=-1`, ...ids.map((id) => `${overview}/${id}`)]) {
      await page.goto(address);
      await expect(
        page
          .getByText(names[address.endsWith(String(ids[1])) ? 1 : 0]!)
          .filter({ visible: true })
          .first(),
      ).toBeVisible();
      expect(await wider(), `${address} at ${width} px`).toBe(0);
    }
  }
  // Other tests search by these names.
  for (const { id, lastName } of before) await rename(id, lastName);
});

test("prints the open referral alone, or the list as a table with its filter", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.goto(`${overview}?f=s0&sort=-1`);
  const [one, two] = await rowIds(page);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height: 1000 });
  await expect(page.getByText("Status: Afventer visitering").last()).toBeVisible();
  expect(await page.locator(`#r${one} .c-cpr`).evaluate((cell) => getComputedStyle(cell).display)).toBe("table-cell");
  await expect(page.locator(".c-pick").first()).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.locator(`#r${one} .c-open a`).click();
  await expect(page).toHaveTitle(new RegExp(`Henvisning nr. ${one}$`));
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: new RegExp(`^Nr. ${one}`) })).toBeVisible();
  for (const selector of [
    `#r${one} .c-open`,
    `#r${two}`,
    ".filter",
    ".list-head",
    "article select",
    "article textarea",
    "article button",
  ]) {
    for (const element of await page.locator(selector).all()) await expect(element).toBeHidden();
  }
});

test("in forced colours the current tab, step and page are distinguishable", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.emulateMedia({ forcedColors: "active" });
  const outlines = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((element) => getComputedStyle(element).outlineStyle));
  for (const [address, parts] of [
    [overview, ["nav[aria-label=Hovedmenu]", "nav[aria-label^=Sider]"]],
    ["/management/henvisning-tandlaeger?form=forced-colours", ["nav[aria-label=Trin]"]],
  ] as const) {
    await page.goto(address);
    for (const part of parts) {
      expect(new Set(await outlines(`${part} [aria-current]`)), part).toEqual(new Set(["solid"]));
      expect(await outlines(`${part} a:not([aria-current])`), part).not.toContain("solid");
    }
  }
});

const lists = [
  "overview",
  "call-up-letters",
  "sms",
  "ending-letter",
  "draft-visits",
  "users",
  "clinics",
  "logs",
  "logs?log=adgang",
  "parking",
];

test("each list prints its heads over their own cells, upright and landscape", async ({ portal }) => {
  const page = await portal.pageFor("admin");
  await page.emulateMedia({ media: "print" });
  for (const width of [794, 1123]) {
    await page.setViewportSize({ width, height: width === 794 ? 1123 : 794 });
    for (const list of lists) {
      await page.goto(`/management/${list}`);
      const printed = await page.locator("main").evaluate((main) => {
        const isSeen = (element: Element) => element.getClientRects().length > 0;
        const table = main.querySelector(".data");
        const left = (cell: Element) => Math.round(cell.getBoundingClientRect().left);
        const line = (row: Element | null | undefined) => [...(row?.children ?? [])].filter(isSeen).map(left);
        return {
          heads: line(table?.querySelector("thead tr")),
          cells: line(table?.querySelector("tbody tr:not(.open-referral)")),
          right: Math.round(table?.getBoundingClientRect().right ?? 0),
          // 'EDI' is a word of the row; its button opens a tip on screen.
          controls: [...main.querySelectorAll("button:not(.tag), select, input, textarea, .notice, summary")].filter(
            isSeen,
          ).length,
        };
      });
      expect(printed.heads, `${list} at ${width} px`).toEqual(printed.cells);
      expect(printed.right, `${list} at ${width} px`).toBeLessThanOrEqual(width);
      if (list === "overview") expect(printed).toMatchObject({ controls: 0 });
    }
  }
  await page.goto(overview);
  await expect(
    page.getByText(/^Udskrevet \d+\. [a-z]+ \d{4} kl\.\s\d\d\.\d\d af .* · indeholder personoplysninger$/),
  ).toBeVisible();
});
