import type { listUnplacedSms } from "~/features/sms-threads/operations.server";
import type { PageOf } from "~/http/runners/page.server";
import { showNumber } from "~/components/sms-thread/sms-thread";
import { showMoment } from "~/features/referrals/model/operation-moment";
import { showDateTime } from "~/text/dates";

type Values = PageOf<typeof listUnplacedSms>;
export type ShownUnplaced = ReturnType<typeof presentUnplaced>["answers"][number];

export const presentUnplaced = ({ answers }: Values) => ({
  answers: answers.map((answer) => ({
    ...answer,
    at: showDateTime(answer.at),
    from: showNumber(answer.from),
    choices: [
      ...answer.candidates.map(({ referralId, name, operationMoment }) => ({
        value: referralId,
        label: `Nr. ${referralId} ${name}`,
        hint: operationMoment === null ? "Ingen tid" : `Tid ${showMoment(operationMoment)}`,
      })),
      { value: "other", label: "En anden henvisning" },
    ],
  })),
});
