import { expect, test } from "./portal";

// With every line that may stand above the list.
test.use({ matrix: "with script", isMondayNoon: true });

test("on a desk the first row begins in the upper 330 px and most rows have 40", async ({ portal }) => {
  for (const user of ["admin", "tandlaege"]) {
    const page = await portal.pageFor(null);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/login");
    await page.locator('[name="userName"]').fill(user);
    await page.locator('[name="password"]').fill("Demo1234");
    await page.getByRole("button", { name: "Log ind", exact: true }).click();
    await page.waitForURL("**/management/overview**");
    if (user === "admin") await expect(page.getByText("Dagens patienttider mangler:")).toBeVisible();
    const rows = page.locator(".referrals > tbody > tr");
    const boxes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON() as DOMRect));
    expect(boxes[0]!.top, user).toBeLessThanOrEqual(330);
    // Names of two lines take more.
    expect(boxes.map(({ height }) => height).toSorted((a, b) => a - b)[Math.floor(boxes.length / 2)]).toBe(40);
  }
});
