import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { letterBrief, senderName } from "../edi-states";
import { countForPerson, findUrgentForPerson } from "../store/edi-store.server";

/** Urgent letters that are counted, since their content is opened for each page of staff. */
const MOST_URGENT = 100;
const URGENT_SHOWN = 3;

/**
 * Letters that wait for a person's decision, for the front page and the logs; null for those who may not decide them.
 * The first lines of urgent ones, oldest first, name no patient.
 */
export async function readEdiWaiting({ db, portal, person }: { db: DbOrTx; portal: Portal; person: Person }) {
  if (!can(person, "edi.manage")) return null;
  const count = await countForPerson(db);
  const read = count === 0 ? [] : await findUrgentForPerson(db, portal.secrets, MOST_URGENT);
  const urgent = read.flatMap(({ id, content }) => {
    const { isUrgent, priority, firstLine } = letterBrief(content?.letter ?? null);
    return isUrgent ? [{ id, priority, firstLine, sender: content && senderName(content) }] : [];
  });
  return { count, urgentCount: urgent.length, urgent: urgent.slice(0, URGENT_SHOWN) };
}

export type EdiWaiting = Awaited<ReturnType<typeof readEdiWaiting>>;
