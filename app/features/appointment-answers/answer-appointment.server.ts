import { z } from "zod";
import type { PatientToken } from "~/access/actor";
import { type ChangeContext, change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { acceptOffer, declineOffer } from "~/features/freed-times/answer-offer.server";
import { paths } from "~/paths";
import { text } from "~/text/fields.server";
import { cancelByPatient } from "./cancel-by-patient.server";
import { confirmByPatient } from "./confirm-by-patient.server";

const WORD_LENGTH = 500;

const answered = z.object({ token: z.string().max(100) });

function timeOf({ actor }: ChangeContext) {
  const { referralId, operationMoment } = actor as PatientToken;
  if (operationMoment === null) throw new Refusal("linkExpired");
  return { referralId, operationMoment };
}

const backTo = (token: string) => ({ to: paths.appointmentAnswer(encodeURIComponent(token)) });

/** 'Jeg kommer'. The page then shows the state, also when somebody else was offered the time. */
export const confirmAppointment = change({
  name: "confirmAppointment",
  permission: "patient.appointmentAnswer",
  input: answered,
  async run(context, { token }) {
    await confirmByPatient(context, { ...timeOf(context), source: "link" });
    return backTo(token);
  },
});

/** 'Meld afbud', after its question, with an optional message to the clinic. */
export const cancelAppointment = change({
  name: "cancelAppointment",
  permission: "patient.appointmentAnswer",
  input: answered.extend({ word: text(WORD_LENGTH).optional() }),
  async run(context, { token, word }) {
    await cancelByPatient(context, { ...timeOf(context), source: "link", word });
    return backTo(token);
  },
});

export const acceptOfferedTime = change({
  name: "acceptOfferedTime",
  permission: "patient.appointmentAnswer",
  input: answered,
  async run(context, { token }) {
    await acceptOffer(context, timeOf(context));
    return backTo(token);
  },
});

export const declineOfferedTime = change({
  name: "declineOfferedTime",
  permission: "patient.appointmentAnswer",
  input: answered,
  async run(context, { token }) {
    await declineOffer(context, timeOf(context));
    return backTo(token);
  },
});
