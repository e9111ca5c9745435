import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import { freePort, makeDemoData, startServer } from "../../scripts/test-server.mjs";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProviderPeer,
  startIdentityProvider,
} from "../support/peers/identity-provider";
import { expect, expectAccessible, test } from "./portal";

test.use({ matrix: "with script" });

test.describe("sign-in by the hospital's account", () => {
  let peer: IdentityProviderPeer;
  let server: Awaited<ReturnType<typeof startServer>>;
  let dataDir: string;

  test.beforeAll(async () => {
    dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-oidc-"));
    makeDemoData(dataDir, 1);
    const database = new Database(path.join(dataDir, "portal.db"));
    database.prepare("update user set external_identity = 'cnm@region.dk' where user_name = 'admin'").run();
    database.close();
    const peerPort = await freePort();
    server = await startServer({
      env: {
        NODE_ENV: "development",
        DATA_DIR: dataDir,
        OIDC_STAFF_ISSUER: `http://127.0.0.1:${peerPort}`,
        OIDC_STAFF_CLIENT_ID: CLIENT_ID,
        OIDC_STAFF_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_STAFF_LABEL: "Log ind med Region Midtjylland",
      },
    });
    peer = await startIdentityProvider([`${server.origin}/login/ekstern/personale`], peerPort);
  });
  test.afterAll(async () => {
    await server?.stop();
    await peer?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("one press, and back where one was going; leaving offers to leave there too", async ({
    portal,
    javaScriptEnabled,
  }) => {
    const page = await portal.pageFor(null);
    peer.sits({ subject: "cnm", claims: { preferred_username: "CNM@region.dk" }, amr: ["mfa"] });
    await page.goto(`${server.origin}/management/settings/breve`);
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("link", { name: "Log ind med Region Midtjylland" }).click();
    // The first time the person reads to whom they are bound.
    await expect(page.getByRole("heading", { name: "Er det dig?" })).toBeVisible();
    await page.locator('button[value="confirmExternalBinding"]').click();
    await expect(page).toHaveURL(/\/management\/settings\/breve$/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.goto(`${server.origin}/management/change-password`);
    await page.getByRole("button", { name: "Log ud", exact: true }).first().click();
    await expect(page.getByRole("link", { name: "Log ud der også" })).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(page);
  });

  test("who is unknown here is told so, and can go back to the password", async ({ portal, javaScriptEnabled }) => {
    const page = await portal.pageFor(null);
    peer.sits({ subject: "stranger", claims: { preferred_username: "fremmed@region.dk" } });
    await page.goto(`${server.origin}/login`);
    await page.getByRole("link", { name: "Log ind med Region Midtjylland" }).click();
    await expect(page.getByText("Din konto er ikke knyttet til en bruger her.")).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("link", { name: "Tilbage til log ind" }).click();
    await expect(page.locator('[name="userName"]')).toBeVisible();
  });
});
