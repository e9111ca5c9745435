import { z } from "zod";
import { read } from "~/access/operation.server";
import { sealedIncomingSms } from "~/access/sealed-column.server";
import { isoMoment } from "~/text/dates";
import { findCandidates } from "./candidates.server";
import { type AnswerContent, findUnplaced } from "./sms-thread-store.server";

const MAX_SHOWN = 20;

/** 'Ikke placerede svar', oldest first, each with its possible referrals. */
export const listUnplacedSms = read({
  name: "listUnplacedSms",
  permission: "patientMessage.send",
  input: z.object({}),
  async run({ db, portal, now, auditRead }) {
    const rows = await findUnplaced(db, MAX_SHOWN);
    const answers = await Promise.all(
      rows.map(async (row) => {
        const sealed = sealedIncomingSms.open(portal.secrets, row);
        const { from, text } = sealed === null ? { from: "", text: "" } : (JSON.parse(sealed) as AnswerContent);
        const candidates = await findCandidates(db, portal.secrets, from, now);
        return {
          id: row.id,
          at: isoMoment(row.received_at),
          from,
          text,
          mayBeCancelled: row.judgement === "cancelled" || row.judgement === "possibly",
          candidates: candidates.map(({ referralId, name, operationMoment }) => ({
            referralId,
            name,
            operationMoment,
          })),
        };
      }),
    );
    auditRead(answers.flatMap(({ candidates }) => candidates.map(({ referralId }) => referralId)));
    return { answers };
  },
});
