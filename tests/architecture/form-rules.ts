import { type Rule, isTest } from "./source-text";

/** POST forms without a ticket, with the reason. */
const withoutTicket: Record<string, string> = {
  "app/http/forms/action-form.tsx": "draws the ticket itself",
  "app/lists/filter-panel.tsx": "a look-up: a filter changes nothing",
  "app/routes/management/patient-search.tsx": "a look-up: a search changes nothing",
  "app/components/directory-list/directory-list.tsx": "a look-up: a filter changes nothing",
  "app/components/referrer-picker/referrer-picker.tsx": "a look-up: a search changes nothing",
  "app/components/patient-link/patient-link.tsx": "a page of a patient's link: nobody is signed in",
  "app/routes/aftale/route.tsx": "a page of a patient's link: nobody is signed in",
  "app/routes/book-parking/route.tsx": "a public page: nobody is signed in",
  "app/routes/change-password/route.tsx": "a mailed link: nobody is signed in",
  "app/routes/login/route.tsx": "nobody is signed in yet",
  "app/components/sign-in/code-form.tsx": "nobody is signed in yet",
  "app/components/sign-in/binding-form.tsx": "nobody is signed in yet",
  "app/ui/feedback/error-page.tsx": "signs out, where no page could be read",
  "app/routes/dev.outbox/route.tsx": "exists outside production only",
};

const postingForm = /<(?:form|Form|\w+\.Form)\s[^<]*?method="post"/g;

/** POST forms are `ActionForm`s or render `TicketFields`; exceptions are listed with their reason. */
export const formsCarryTickets: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && !isTest(file))
    .filter(({ path: file, text }) => !(file in withoutTicket) && !text.includes("<TicketFields"))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(postingForm)].map(({ index }) => ({
        path: file,
        line: text.slice(0, index).split("\n").length,
        why: "draw an ActionForm (app/http/forms/action-form.tsx), or list the form with its reason",
      })),
    );

/** Hidden fields that the ticket sets: a form could claim other values. */
const saidByTicket = /<input\s+type="hidden"\s+name="(?:referralId|seenVersion|version|formKey)"/g;

/** Used by its own page only, to recognise the row being saved. */
const namesItsRow = "app/components/status-form/status-form.tsx";

export const ticketsSayTheSubject: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && file !== namesItsRow)
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(saidByTicket)].map(({ index }) => ({
        path: file,
        line: text.slice(0, index).split("\n").length,
        why: "name it in the loader's `subject`, or as the form's `item`",
      })),
    );

const rowsForm = /<(?:Action|Ticket)Form\s[^<]*?\sitem=\{[^<]*?>/g;

/** Rows' forms without a `place` share one id, so that the refusal of one row is drawn at the others. */
export const rowsFormsHavePlaces: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && !isTest(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(rowsForm)]
        .filter(([tag]) => !/\splace=/.test(tag) && !/\sshowsErrors\b/.test(tag))
        .map(({ index }) => ({
          path: file,
          line: text.slice(0, index).split("\n").length,
          why: "a form with an `item` names its `place`, of its operation and the row's number",
        })),
    );

const getForm = /\bformMethod="get"/g;

/** A button that sends its form by GET puts the form's ticket into the address and the browser's history. */
export const ticketsStayOutOfAddresses: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && !isTest(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(getForm)].map(({ index }) => ({
        path: file,
        line: text.slice(0, index).split("\n").length,
        why: "let a look-up answer the form and lead to the address",
      })),
    );
