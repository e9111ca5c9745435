import type { Page } from "@playwright/test";

export const wizard = "/management/henvisning-tandlaeger";
/** Fields of step 1 besides the CPR number. */
export const valid = {
  firstName: "Åse",
  lastName: "Kjær",
  address: "Åvej 1",
  zip: "8000",
  city: "Aarhus",
  desiredTreatment: "Fjernelse af 38.",
};

let next = 0;
/** Born in 1975: from 5 on the seventh digit would say 1875, and the wizard asks about such an age. */
export function aCpr() {
  next += 1;
  return { cpr6: "670175", cpr4: String(2000 + Math.floor(Math.random() * 2900) + next) };
}

/** Lines of step 1 that become a field when they are pressed. */
const additions: Record<string, string> = {
  previousTreatment: "Tilføj tidligere behandling",
  comment: "Tilføj kommentar",
  interpreter: "Tolk",
};

export async function fill(page: Page, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`[name="${name}"]`);
    if (additions[name] && !(await field.isVisible())) await page.getByText(additions[name], { exact: true }).click();
    await field.fill(value);
  }
}
