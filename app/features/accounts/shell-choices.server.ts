import type { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { savePendingForm, markClosed } from "~/access/session-store.server";
import { fileFields } from "~/files/file-rules";
import { sealInput, sentTo, typedValues } from "./sealed-input.server";
import { setChoice } from "./store.server";

/** A shell button that reloads the page; without JavaScript it carries the page form's fields (docs/decisions/0049). */
const withPageForm = typedValues.transform((values) => ({ values, to: sentTo(values) }));
type WithPageForm = z.output<typeof withPageForm>;

/** Keeps typed text sealed in the session and restores it in the page. Files must be chosen again and are named. */
async function sealPageForm(
  { tx, person, portal, caller, now }: ChangeContext,
  { values, to }: WithPageForm,
): Promise<void> {
  const { intent, ...typed } = values;
  // The form has only the button's own fields.
  if (values.defaultIntent === intent) return;
  const fileNames = fileFields.flatMap((field) => typed[field] ?? []).filter((name) => name !== "");
  const texts = Object.fromEntries(
    Object.entries(typed).filter(([name]) => !(fileFields as readonly string[]).includes(name)),
  );
  await savePendingForm(
    tx,
    caller.sessionId ?? "",
    sealInput(
      portal.secrets,
      person.id,
      to,
      { ...texts, ...(fileNames.length > 0 && { leftOutFile: fileNames }) },
      now,
    ),
  );
}

const chooseEdition = (name: string, isLight: boolean) =>
  change({
    name,
    permission: "signedIn",
    input: withPageForm,
    async run(context, form) {
      await setChoice(context.tx, context.person.id, { lightEdition: isLight });
      await sealPageForm(context, form);
      return { to: form.to, reload: true as const };
    },
  });

export const chooseLightEdition = chooseEdition("chooseLightEdition", true);
export const chooseFullEdition = chooseEdition("chooseFullEdition", false);

/** Hides the popup until the session ends; the text of the page's form is kept. */
export const closeInfoPopup = change({
  name: "closeInfoPopup",
  permission: "signedIn",
  input: withPageForm,
  async run(context, form) {
    const { tx, caller } = context;
    await sealPageForm(context, form);
    await markClosed(tx, caller.sessionId ?? "", "infoPopup");
    return { to: form.to };
  },
});

export const BROWSER_WARNING_COOKIE = "browser-warning-seen";
const ONE_DAY_SECONDS = 86_400;

/** Hides the warning for a day, by a cookie; the text of the page's form is kept. */
export const closeBrowserWarning = change({
  name: "closeBrowserWarning",
  permission: "signedIn",
  input: withPageForm,
  async run(context, form) {
    await sealPageForm(context, form);
    return { to: form.to, remember: { name: BROWSER_WARNING_COOKIE, maxAgeSeconds: ONE_DAY_SECONDS } };
  },
});
