/** Step 1 of the wizard at 400 kbit/s and 400 ms latency with an empty cache. */
import { chromium } from "@playwright/test";
import { chromiumFlags, findChromium } from "../tests/support/chromium.mjs";

const CONNECTION = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };

/** Median milliseconds until a first visit shows the whole page; scripts may still be loading. */
export async function timeFirstVisits(url, cookie, visits) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  const times = [];
  for (let visit = 0; visit < visits; visit++) {
    const context = await browser.newContext();
    if (cookie) {
      const [name, value] = cookie.split("=");
      await context.addCookies([{ name, value, url }]);
    }
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", CONNECTION);
    await page.goto(url, { waitUntil: "load" });
    times.push(
      await page.evaluate(() => {
        const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
        const [paint] = performance.getEntriesByName("first-contentful-paint");
        return Math.max(paint.startTime, navigation.domInteractive);
      }),
    );
    await context.close();
  }
  await browser.close();
  return times.toSorted((a, b) => a - b)[Math.floor(visits / 2)];
}
