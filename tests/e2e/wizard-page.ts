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
export function aCpr() {
  next += 1;
  return { cpr6: "670175", cpr4: String(2000 + Math.floor(Math.random() * 7000) + next).slice(0, 4) };
}

export async function fill(page: Page, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name="${name}"]`).fill(value);
}
