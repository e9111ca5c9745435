import type { Page } from "@playwright/test";
import { expect, settled, test } from "./portal";
import { aDraft } from "./referrals";

/** Every page with a list, filter or form; dialogs loaded as documents count as pages before hydration. */
const pages = [
  "/management/overview?sort=-1",
  "/management/overview/REFERRAL",
  "/management/call-up-letters?aaben=REFERRAL",
  "/management/henvisning-tandlaeger?form=hydration",
  "/management/henvisning-tandlaeger?kladde=DRAFT&trin=2",
  "/management/henvisning-tandlaeger?kladde=CHOSEN&trin=3",
  "/management/call-up-letters",
  "/management/sms",
  "/management/ending-letter",
  "/management/users",
  "/management/users?aaben=3",
  "/management/clinics",
  "/management/parking",
  "/management/logs",
  "/management/statistics",
  "/management/settings",
  "/management/settings/paamindelser",
  "/management/settings/tekster/conditions",
  "/management/settings/import",
  "/management/draft-visits",
  "/management/change-password",
];

test("nothing that can be pressed moves when the script takes a page over", async ({ portal, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "Without JavaScript no script comes.");
  test.setTimeout(180_000);
  const page = await portal.pageFor("admin");
  const { id } = await portal.withDatabase((db) =>
    db.selectFrom("referral").select("id").orderBy("id", "desc").limit(1).executeTakeFirstOrThrow(),
  );
  const draft = await aDraft(page, ["670177", "2001"]);
  const chosen = await aDraft(await portal.pageFor("tandlaege"), ["670177", "2002"], { withReferrer: "on" });
  const numbers: Record<string, number> = { REFERRAL: id, DRAFT: draft, CHOSEN: chosen };
  const pathOf = (address: string) => address.replace(/[A-Z]{5,}/, (name) => String(numbers[name]));
  const held: (() => void)[] = [];
  // Delays only the module that hydrates the page.
  await page.route("**/build/entry.client-*.js", async (route) => {
    await new Promise<void>((release) => held.push(release));
    await route.continue();
  });
  const moved: string[] = [];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const address of pages) {
      await page.goto(pathOf(address), { waitUntil: "commit" });
      await page.waitForFunction(() => document.readyState !== "loading");
      await remember(page);
      let releasing = true;
      const release = async () => {
        while (releasing) {
          for (const one of held.splice(0)) one();
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      };
      const released = release();
      await settled(page);
      // The upload code is loaded after hydration.
      await expect(page.locator("[data-uploads=coming]")).toHaveCount(0);
      releasing = false;
      await released;
      for (const change of await changes(page)) moved.push(`${width} ${address}: ${change}`);
    }
  }
  expect(moved).toEqual([]);
});

interface Marked {
  places?: { element: Element; top: number; left: number }[];
}

/** Records the position of every control in the server-rendered page. */
const remember = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const seen = [...document.querySelectorAll("a, button, input, select, textarea, summary")].filter(
      // Hidden heads of cards are for screen readers.
      (element) => element.getClientRects().length > 0 && (element.closest("thead")?.clientWidth ?? 2) > 1,
    );
    (window as Marked).places = seen.map((element) => {
      const { top, left } = element.getBoundingClientRect();
      return { element, top: top + window.scrollY, left };
    });
  });

/** Controls that have moved. */
const changes = (page: Page) =>
  page.evaluate(() =>
    (window as Marked).places!.flatMap(({ element, top, left }) => {
      if (!element.isConnected || element.getClientRects().length === 0) return [];
      const now = element.getBoundingClientRect();
      const [down, right] = [now.top + window.scrollY - top, now.left - left].map(Math.round);
      if (Math.abs(down!) <= 1 && Math.abs(right!) <= 1) return [];
      return [`${element.outerHTML.slice(0, 80)} … moved ${down} down, ${right} right`];
    }),
  );
