import { SmsThread } from "~/components/sms-thread/sms-thread";
import { useHasAnswer } from "~/http/forms/use-server-form";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../use-edit-page";

/** The SMS thread, folded unless an answer waits or one was just sent. */
export function SmsPart({ referral: { id, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const isAnswered = useHasAnswer(`replySms-${id}`);
  if (!toPatient) return null;
  const { sms } = toPatient;
  const count = sms.messages.length;
  return (
    <Disclosure
      title="SMS"
      note={sms.hasNews ? "Nyt svar" : count === 0 ? "Ingen endnu" : count === 1 ? "1 besked" : `${count} beskeder`}
      id="sms"
      line
      open={sms.hasNews || isAnswered}
    >
      <SmsThread key={id} thread={sms} here={`${here}#sms`} />
    </Disclosure>
  );
}
