import type { Browser, BrowserContext, Page } from "@playwright/test";

type ProfileOptions = Pick<
  NonNullable<Parameters<Browser["newContext"]>[0]>,
  "javaScriptEnabled" | "viewport" | "colorScheme"
>;

/** What a site may keep in a browser, but for the cache of its files. */
const STORED = "cookies,local_storage,indexeddb,cache_storage,service_workers";

/** As many as most tests have at one time. */
const KEPT = 3;

const withOwnClock = new WeakSet<BrowserContext>();

/** A clock that the test moves. It is the profile's, for good, which no other test is handed then. */
export async function installClock(page: Page): Promise<void> {
  withOwnClock.add(page.context());
  await page.clock.install();
}

/**
 * Browser profiles that the tests of one worker use one after another, each with one empty page. The portal's files stay in their cache, as they
 * do with anybody who comes back; everything else is removed before the next test.
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

  /** Empties the profile for the next test, unless the test has closed it or gave it a clock. */
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
