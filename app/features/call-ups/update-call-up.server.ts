import { external } from "~/access/operation.server";
import { patientContact } from "~/features/referrals/details/contact.schema.server";
import { refuseTakenContact, saveContact } from "~/features/referrals/details/save-contact.server";

/** 'Opdater information': saves how the patient can be reached, and sends nothing. Throws `patientEmailTaken`, `conflict` and `notInScope`. */
export const updateCallUp = external({
  name: "updateCallUp",
  permission: "patientMessage.send",
  input: patientContact,
  prepare: refuseTakenContact,
  async run(context, input) {
    const row = await saveContact(context, input);
    context.auditChange([row.id]);
    return { flash: { tone: "success" as const, formId: formIdOf(row.id), text: "Oplysningerne er gemt." } };
  },
});

/** Form id that messages about a call-up refer to. */
export const formIdOf = (referralId: number) => `callUp-${referralId}`;
