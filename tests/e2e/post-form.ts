import type { APIResponse, Page } from "@playwright/test";
import { formOf } from "../support/form-ticket";

interface File {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/**
 * Submits a form of the page's person without opening its page: the ticket binds referral and versions. Redirects are
 * not followed.
 */
export async function postForm(
  page: Page,
  address: string,
  fields: Record<string, string | number>,
  files?: Record<string, File>,
): Promise<APIResponse> {
  const account = (await (await page.request.get("/management/konto")).json()) as { id: number };
  const form = formOf(account.id, fields);
  return page.request.post(address, {
    ...(files ? { multipart: { ...form, ...files } } : { form }),
    headers: { "sec-fetch-site": "same-origin" },
    maxRedirects: 0,
  });
}
