import { z } from "zod";
import { read } from "~/access/operation.server";
import { showDateTime, toMoment } from "~/text/dates";

const SHOWN = 50;

/** The mails that were kept because no SMTP is set, for the development page. */
export const readKeptMail = read({
  name: "readKeptMail",
  permission: "development",
  input: z.object({}),
  async run({ portal }) {
    const mails = (await portal.email.kept?.(SHOWN)) ?? [];
    return {
      delivers: portal.email.delivers,
      mails: mails.map(({ key, to, subject, text, keptAt }) => ({ key, to, subject, text, at: showDateTime(toMoment(new Date(keptAt))) })),
    };
  },
});

/** Whether the development pages exist here: they do not in production (404). */
export const readDevelopmentPage = read({
  name: "readDevelopmentPage",
  permission: "development",
  input: z.object({}),
  async run() {
    return {};
  },
});
