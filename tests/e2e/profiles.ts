import type { Browser, BrowserContext, Page } from "@playwright/test";

type ProfileOptions = Pick<
  NonNullable<Parameters<Browser["newContext"]>[0]>,
  "javaScriptEnabled" | "viewport" | "colorScheme"
>;

/** Everything a site stores in a browser except the HTTP cache. */
const STORED = "cookies,local_storage,indexeddb,cache_storage,service_workers";

const KEPT = 3;

const withOwnClock = new WeakSet<BrowserContext>();

/** A clock that the test moves. It stays with the profile, which is not reused. */
export async function installClock(page: Page): Promise<void> {
  withOwnClock.add(page.context());
  await page.clock.install();
}

/**
 * Browser profiles used by a worker's tests in turn, each with one empty page. The HTTP cache is kept; everything else
 * is cleared before the next test.
 */
export class Profiles {
  private readonly unused = new Map<string, Page[]>();

  constructor(
    private readonly browser: Browser,
    private readonly origin: string,
  ) {}

  async open(options: ProfileOptions): Promise<Page> {
    const page = this.unused.get(JSON.stringify(options))?.pop();
    if (page) return page;
    const profile = await this.browser.newContext({ baseURL: this.origin, locale: "da-DK", ...options });
    return profile.newPage();
  }

  /** Clears the profile for the next test, unless the test closed it or installed a clock. */
  async close(profile: BrowserContext, options: ProfileOptions): Promise<void> {
    const used = profile.pages();
    const key = JSON.stringify(options);
    const unused = this.unused.get(key) ?? [];
    if (used.length === 0 || withOwnClock.has(profile) || unused.length === KEPT) return profile.close();
    const page = await profile.newPage();
    for (const each of used) await each.close();
    await profile.setOffline(false);
    await profile.clearCookies();
    const devTools = await profile.newCDPSession(page);
    await devTools.send("Storage.clearDataForOrigin", { origin: this.origin, storageTypes: STORED });
    await devTools.detach();
    this.unused.set(key, [...unused, page]);
  }
}
