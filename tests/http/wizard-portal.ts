import { pageForm } from "../support/form-ticket";
import { demoPortal } from "../support/portals/demo-portal";

export const wizard = "/management/henvisning-tandlaeger";
export const MISSING = "Der er felter som mangler at blive udfyldt, tjek venligst og udfyld disse.";

export type ChosenFile = [field: string, name: string, content: string];

/** A portal whose wizard is submitted as without JavaScript. */
export function wizardPortal() {
  const portal = demoPortal({ people: ["admin", "sekretaer", "tandlaege"] });
  let count = 0;

  async function read(who: string, address: string) {
    const answer = await fetch(portal.origin + address, {
      headers: { cookie: portal.cookies[who]! },
      redirect: "manual",
    });
    return { status: answer.status, text: await pageText(answer), location: answer.headers.get("location") ?? "" };
  }

  async function post(who: string, address: string, fields: Record<string, string>, files: ChosenFile[] = []) {
    const body = new FormData();
    const sent = Object.entries(pageForm(portal, who, fields)).map(([name, value]) => [name, String(value)] as const);
    for (const [name, value] of sent) body.append(name, value);
    for (const [field, name, content] of files) body.append(field, new Blob([content]), name);
    const answer = await fetch(portal.origin + address, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: portal.cookies[who]!, "sec-fetch-site": "same-origin" },
      body: files.length > 0 ? body : new URLSearchParams(sent.map((each) => [...each])),
    });
    return { status: answer.status, text: await pageText(answer), location: answer.headers.get("location") ?? "" };
  }

  function patient(changes: Record<string, string> = {}) {
    count += 1;
    const formKey = `wizard-errors-${count}`;
    return {
      intent: "savePatient",
      formId: `step1-${formKey}`,
      formKey,
      cpr6: "610180",
      cpr4: String(2000 + count),
      firstName: "Åse",
      lastName: "Kjær",
      address: "Åvej 1",
      zip: "8000",
      city: "Aarhus",
      desiredTreatment: "48.",
      ...changes,
    };
  }

  const step1 = (who: string, changes: Record<string, string> = {}, files: ChosenFile[] = []) => {
    const form = patient(changes);
    return post(who, `${wizard}?form=${form.formKey}`, form, files);
  };

  async function draftAt(step: 2 | 3, who = "tandlaege"): Promise<{ referralId: string; address: string }> {
    const { location } = await step1(who);
    const referralId = /kladde=(\d+)/.exec(location)![1]!;
    if (step === 3)
      await post(who, location, {
        intent: "saveReferrer",
        referralId,
        ...(who === "tandlaege" ? {} : { referrerId: "5" }),
      });
    return { referralId, address: `${wizard}?kladde=${referralId}&trin=${step}` };
  }

  return { portal, read, post, patient, step1, draftAt };
}

/** Text of a page without tags and scripts. */
async function pageText(answer: Response): Promise<string> {
  const html = (await answer.text()).replace(/<(script|style)[\s\S]*?<\/\1>/g, "");
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
