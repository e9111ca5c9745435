import { expect, settled, test } from "./portal";
import { aDraft, aReferral } from "./referrals";

test.use({ matrix: "with script" });

const pages = `
  overview call-up-letters sms draft-visits ending-letter users users/opret clinics clinics/opret parking logs
  logs?type=fejl statistics change-password henvisning-tandlaeger settings settings/beskeder/callUp/sms
  settings/paamindelser settings/sms-svar settings/navne-og-frister settings/breve settings/import settings/job
  settings/api-noegler settings/tekster/conditions
`
  .trim()
  .split(/\s+/);

// 320 × 256 is a screen of 1280 × 1024 at 400 %; the other a laptop's with the browser's bars at 200 %.
for (const viewport of [
  { width: 320, height: 256 },
  { width: 1280, height: 400 },
]) {
  test.describe(`a window of ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport });

    test("is covered by nothing, and no page is wider than it", async ({ portal, javaScriptEnabled }) => {
      test.setTimeout(180_000);
      const dentist = await portal.pageFor("tandlaege");
      const { id } = await aReferral(dentist);
      const draft = await aDraft(dentist, ["690178", viewport.width === 320 ? "4001" : "4002"]);
      const page = await portal.pageFor("admin");
      const steps = [2, 3].map((step) => `henvisning-tandlaeger?kladde=${draft}&trin=${step}`);
      for (const address of [...pages, ...steps, `overview/${id}`, `sms/${id}`]) {
        await page.goto(`/management/${address}`);
        await settled(page);
        const found = await page.evaluate(() => ({
          width: document.documentElement.scrollWidth,
          sticky: [...document.querySelectorAll("*")]
            .filter((element) => getComputedStyle(element).position === "sticky")
            .map(({ className }) => String(className)),
        }));
        expect(found, `${address}, ${javaScriptEnabled ? "with" : "without"} script`).toEqual({
          width: viewport.width,
          sticky: [],
        });
      }
    });
  });
}
