import type { BrowserContext, Page } from "@playwright/test";
import { expect, type RunningPortal, test } from "./portal";
import { aReferral } from "./referrals";
import { aPdf } from "../support/pdf";
import { sessionOf } from "../support/session";

test.use({ matrix: "all" });

/** `npm run soak -- --fuzz 10000` uses more steps and a random seed. */
const STEPS = Number(process.env.TWO_PEOPLE_STEPS ?? 120);
const SEED = Number(process.env.FUZZ_SEED ?? 20261126);
const people = ["admin", "kirurg"] as const;

/** Seeded random numbers (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

async function signInAs(portal: RunningPortal, context: BrowserContext, userName: string): Promise<void> {
  const cookie = await portal.withDatabase((db) => sessionOf(db, userName));
  await context.addCookies([{ ...cookie, url: portal.origin, httpOnly: true, sameSite: "Lax" }]);
}

const QUICK = { timeout: 1500 };

/** The signed-in person and referral shown; null for a locked page or none. */
async function shownIn(tab: Page): Promise<{ person: string; referral: number } | null> {
  const head = tab.locator(".ref-no").first();
  if (!(await head.isVisible().catch(() => false))) return null;
  const person = await tab.locator('header form[action="/management"] bdi').first().textContent(QUICK);
  return { person: person!.trim(), referral: Number(await head.textContent(QUICK)) };
}

const pdf = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: aPdf(name),
});

test("over patients, people and tabs each text and file has its owner", async ({ portal, javaScriptEnabled }) => {
  test.setTimeout(60_000 + STEPS * 3_000);
  const dentist = await portal.pageFor("tandlaege");
  const referrals = [(await aReferral(dentist)).id, (await aReferral(dentist)).id];
  const first = await portal.pageFor("admin", { mayLog: /Blocked attempt to show a 'beforeunload'/ });
  const context = first.context();
  const tabs = [first, await context.newPage()];
  for (const tab of tabs) {
    // Confirms leaving the page.
    tab.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
    await tab.goto(`/management/overview/${referrals[0]}`);
  }
  const random = randomOf(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  let count = 0;

  const send = async (tab: Page, value: string, how: string) => {
    const button = tab.locator(`button[name="intent"][value="${value}"]`).first();
    if (how === "lost" && javaScriptEnabled) {
      // The form is carried out, but its answer is lost.
      await tab.route(
        (url) => url.pathname.startsWith("/management/overview"),
        async (route) => {
          if (route.request().method() !== "POST") return route.fallback();
          await route.fetch({ maxRedirects: 0 }).catch(() => undefined);
          await route.abort().catch(() => undefined);
        },
        { times: 1 },
      );
    }
    await (how === "double" ? button.dblclick(QUICK) : button.click(QUICK));
  };
  const steps: Record<string, (tab: Page) => Promise<unknown>> = {
    open: (tab) => tab.goto(`/management/overview/${pick(referrals)}`, { timeout: 10_000 }),
    other: (tab) => {
      const to = `/management/overview/${pick(referrals)}`;
      if (!javaScriptEnabled) return tab.goto(to, { timeout: 10_000 });
      return tab.evaluate((address) => {
        (window as unknown as { __remixRouter: { navigate(to: string): void } }).__remixRouter.navigate(address);
      }, to);
    },
    goOn: (tab) => tab.getByRole("button", { name: "Gå videre uden at gemme" }).click({ timeout: 300 }),
    back: (tab) => tab.goBack({ timeout: 5_000 }),
    // One task: between reading who is signed in and typing, an answer may replace the page.
    type: (tab) =>
      tab.evaluate((number) => {
        const head = document.querySelector(".ref-no");
        const text = document.querySelector<HTMLTextAreaElement>('textarea[name="text"]');
        if (!head?.checkVisibility() || !text) return;
        const person = document.querySelector('header form[action="/management"] bdi')!.textContent.trim();
        text.focus();
        text.select();
        document.execCommand("insertText", false, `[${person}|${head.textContent.trim()}|${number}]`);
      }, ++count),
    choose: async (tab) => {
      const shown = await shownIn(tab);
      if (!shown) return;
      await tab.locator("#fakturaer").evaluate((part) => void ((part as HTMLDetailsElement).open = true));
      await tab
        .locator('#fakturaer input[type="file"]')
        .setInputFiles(pdf(`${shown.person.replace(/\W/g, "")}-${shown.referral}-${++count}.pdf`), QUICK);
    },
    sendMessage: (tab) => send(tab, "writeMessage", pick(["once", "double", "lost"])),
    sendBill: (tab) => send(tab, "sendBill", pick(["once", "double", "lost"])),
    signIn: () => signInAs(portal, context, pick(people)),
    wait: (tab) => tab.waitForTimeout(300),
  };
  const names = Object.keys(steps);
  for (let step = 0; step < STEPS; step += 1) {
    const name = pick(names);
    // A step impossible on the present page, e.g. on a locked one, is skipped.
    await steps[name]!(pick(tabs)).catch(() => undefined);
  }

  await portal.withDatabase(async (db) => {
    const messages = await db
      .selectFrom("message")
      .innerJoin("user", "user.id", "message.authorId")
      .select(["message.text", "message.referralId", "user.firstName", "user.lastName"])
      .where("message.text", "like", "[%")
      .execute();
    const wrong = messages.filter(
      ({ text, referralId: id, firstName: given, lastName: family }) => !text.startsWith(`[${given} ${family}|${id}|`),
    );
    expect(wrong, `messages of seed ${SEED}`).toEqual([]);
    expect(new Set(messages.map(({ text }) => text)).size, "each message once").toBe(messages.length);
    const bills = await db
      .selectFrom("billingLetter as bill")
      .innerJoin("outbox", "outbox.id", "bill.outboxId")
      .innerJoin("storedFile", "storedFile.id", "outbox.storedFileId")
      .select(["bill.referralId", "storedFile.fileName"])
      .where("bill.referralId", "in", referrals)
      .execute();
    expect(bills.filter(({ referralId: id, fileName: name }) => !name.includes(`-${id}-`))).toEqual([]);
    expect(new Set(bills.map(({ fileName: name }) => name)).size, "each bill once").toBe(bills.length);
    // A run without submissions would prove nothing.
    expect(messages.length).toBeGreaterThan(0);
  });
});
