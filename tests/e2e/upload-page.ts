import type { Page } from "@playwright/test";
import { expect, type RunningPortal } from "./portal";

export const MEGABYTE = 1024 * 1024;
let count = 0;

/** Connection of a page that began uploads in step 1. */
export const connections = new WeakMap<Page, Awaited<ReturnType<typeof slowConnection>>>();

/** Begins files in step 1 on a connection slow enough that large ones stay unfinished. */
export async function toStepThree(page: Page, files: ReturnType<typeof picture>[] = []): Promise<number> {
  count += 1;
  await page.goto("/management/henvisning-tandlaeger");
  if (files.length > 0) {
    await expect(page.locator("[data-uploads=ready]")).toBeVisible();
    connections.set(page, await slowConnection(page, MEGABYTE / 4));
    await page.locator("#billeder").setInputFiles(files);
    await expect(onItsWay(page, files[0]!.name).or(arrived(page, files[0]!.name)).first()).toBeVisible();
  }
  const patient = {
    cpr6: "610160",
    cpr4: String(3000 + count),
    firstName: "Åse",
    lastName: "Øst",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "48.",
  };
  for (const [name, value] of Object.entries(patient)) await page.locator(`[name="${name}"]`).first().fill(value);
  await page.getByRole("button", { name: "Næste" }).click();
  await page.waitForURL(/trin=3/);
  await expect(page.locator("#step3-radiographs")).toBeAttached();
  return Number(new URL(page.url()).searchParams.get("kladde"));
}

export function bitmap(megabytes: number): Buffer {
  const [width, height] = [1024, Math.max(1, Math.round((megabytes * MEGABYTE) / 3072))];
  const bytes = Buffer.alloc(54 + width * height * 3);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.writeUInt32LE((count = count + 1), 60);
  return bytes;
}

export const picture = (name: string, megabytes = 0.01) => ({ name, mimeType: "image/bmp", buffer: bitmap(megabytes) });
export const arrived = (page: Page, name: string) =>
  page.locator("li").filter({ has: page.locator('[name="fileId"]'), hasText: name });
export const onItsWay = (page: Page, name: string) => page.locator("[data-upload-state]").filter({ hasText: name });

export async function slowConnection(page: Page, bytesPerSecond: number) {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const set = (uploadThroughput: number, offline = false) =>
    network.send("Network.emulateNetworkConditions", { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
  await set(bytesPerSecond);
  return { cut: () => set(-1, true), mend: (speed = -1) => set(speed) };
}

export const isSent = (portal: RunningPortal, id: number) =>
  portal.withDatabase(
    async (db) =>
      (await db.selectFrom("referral").select("sentAt").where("id", "=", id).executeTakeFirstOrThrow()).sentAt !== null,
  );
