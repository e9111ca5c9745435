import { type Hostile } from "./hostile";
import type { SizesPortal } from "./sizes-portal";

const overview = "/management/overview";

/** The longest lists, each read or changed at once. @param count images and messages of one referral */
export function hostileLists(portal: SizesPortal, id: number, count: number): Hostile[] {
  fillReferral(portal, id, count);
  const ids = (
    portal.inDatabase((database) =>
      database.prepare("select id from referral where sent_at is not null limit 1000").all(),
    ) as { id: number }[]
  ).map((row) => row.id);
  const picks = ids.map((each): [string, string] => ["pick", String(each)]);
  const lastFile = (
    portal.inDatabase((database) =>
      database.prepare("select max(id) as id from referral_file where referral_id = ?").get([id]),
    ) as { id: number }
  ).id;
  const read = (what: string, address: string): Hostile => ({
    kind: `list: ${what}`,
    name: `list: ${what}`,
    send: () => portal.send(address, { as: "admin" }),
  });
  let runs = 0;
  const change = (
    what: string,
    address: string,
    fields: Record<string, string>,
    more: [string, string][],
  ): Hostile => ({
    kind: `list: ${what}`,
    name: `list: ${what}`,
    send: () => portal.sendForm("admin", address, { ...fields, status: String(2 + (++runs % 2)) }, more),
  });
  const everything = Array.from({ length: 17 }, (_, status) => status).join("-");
  return [
    read("the page of a referral of 1,000 images and 300 messages", `${overview}/${id}`),
    read("the images of a referral of 1,000", `${overview}/${id}/roentgenbilleder`),
    read("the viewer of a referral of 1,000 images", `${overview}/${id}/images/${lastFile}`),
    read("the PDF of a referral of 1,000 images", `${overview}/${id}/pdf`),
    read("the messages of a referral, by the API", `/api/Visits/${id}/messages`),
    read("the users to choose from, by the API", "/api/Doctors"),
    read("100 referrals on a page, by the API", "/api/Visits?PageSize=100"),
    read("referrals of every status", `${overview}?f=s${everything}`),
    change("the status of 1,000 referrals", overview, { intent: "setStatuses" }, picks),
    change("an export of 500 referrals", `${overview}/eksport`, { intent: "exportPicked" }, picks.slice(0, 500)),
    change(
      "a search for 12 long words",
      overview,
      { intent: "applyFilter", patientName: "aa bb cc dd ee ff gg hh ii jj kk ll" },
      [],
    ),
  ];
}

/** Copies an image and a message of a referral many times. */
function fillReferral(portal: SizesPortal, id: number, count: number): void {
  portal.inDatabase((database) => {
    const copies = (table: string, times: number, changed: Record<string, string>) => {
      const names = (database.prepare(`pragma table_info(${table})`).all() as { name: string }[])
        .map(({ name }) => name)
        .filter((name) => name !== "id");
      database.exec(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${times}) insert into ${table} (${names.join(", ")}) select ${names.map((name) => changed[name] ?? `one.${name}`).join(", ")} from (select * from ${table} order by rowid desc limit 1) one, n`,
      );
    };
    copies("message", Math.ceil(count * 0.3), { referral_id: String(id) });
    copies("stored_file", count, { storage_key: "one.storage_key || n.i" });
    copies("referral_file", count, {
      referral_id: String(id),
      stored_file_id: "(select max(id) from stored_file) - n.i + 1",
    });
  });
}
