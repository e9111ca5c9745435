import { type Browser, type Page } from "@playwright/test";

/** A page in a browser profile of its own. */
export async function openPage(browser: Browser, origin: string, options: Parameters<Browser["newContext"]>[0]) {
  const context = await browser.newContext({ baseURL: origin, locale: "da-DK", ...options });
  return { context, page: await context.newPage() };
}

/** A page error, or anything that React or the content policy says in red. Refused forms answer 4xx on purpose. */
export function watch(page: Page, errors: string[]): void {
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
}
