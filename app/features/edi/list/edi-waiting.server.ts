import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { letterBrief, senderName } from "../edi-states";
import { findWaitingForPerson } from "../store/edi-store.server";

/** Letters whose urgency is read on each page; with more of them waiting the count says so. */
const MOST = 50;
const URGENT_SHOWN = 3;

/**
 * Letters that wait for a person's decision, for the front page and the logs; null for those who may not decide them.
 * The first lines of urgent ones, oldest first, name no patient.
 */
export async function readEdiWaiting({ db, portal, person }: { db: DbOrTx; portal: Portal; person: Person }) {
  if (!can(person, "edi.manage")) return null;
  const waiting = await findWaitingForPerson(db, portal.secrets, MOST + 1);
  const urgent = waiting.slice(0, MOST).flatMap(({ id, content }) => {
    const { isUrgent, priority, firstLine } = letterBrief(content?.letter ?? null);
    return isUrgent ? [{ id, priority, firstLine, sender: content && senderName(content) }] : [];
  });
  return {
    count: Math.min(waiting.length, MOST),
    isMore: waiting.length > MOST,
    urgentCount: urgent.length,
    urgent: urgent.slice(0, URGENT_SHOWN),
  };
}

export type EdiWaiting = Awaited<ReturnType<typeof readEdiWaiting>>;
