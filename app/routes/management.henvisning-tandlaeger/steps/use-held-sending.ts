import { type MouseEvent, useRef, useState } from "react";
import type { UploadProgress } from "~/components/radiograph-upload/radiograph-uploads";
import { awaitingText, stuckText } from "~/features/referrals/model/missing-texts";
import { URGENT } from "~/features/referrals/model/referral";

interface SendingOptions {
  underWay: UploadProgress;
  isUploading: boolean;
  /** The referral becomes a sent one; null when it is one or its sending waits already. */
  referenceType: number | null;
}

/**
 * 'Send henvisning' while files are uploading. The server must know every file before it can wait for it: usually
 * moments, longer with hundreds of files or without network. A file that needs the person keeps the page.
 */
export function useHeldSending({ underWay, isUploading, referenceType }: SendingOptions) {
  const [pressed, setPressed] = useState<"held" | "refused" | null>(null);
  /** The last held press counts until it is released. */
  const presses = useRef(0);
  const isHeld = pressed === "held" && isUploading && !underWay.isAnnounced;
  const stuck = underWay.stuck.length > 0 ? stuckText(underWay.stuck) : null;

  const hold = (event: MouseEvent<HTMLButtonElement>) => {
    const { queue } = underWay;
    if (!isUploading || !queue || queue.isAnnounced) return setPressed(null);
    event.preventDefault();
    setPressed("held");
    const button = event.currentTarget;
    const press = (presses.current += 1);
    void queue.allAnnounced().then((areAll) => {
      if (presses.current !== press) return;
      if (areAll) button.click();
      else setPressed("refused");
    });
  };
  const release = () => {
    presses.current += 1;
    setPressed(null);
  };

  const net = underWay.waiting > 0 ? "nettet er tilbage, og " : "";
  const outcome = referenceType === null ? null : whenSent(referenceType, underWay.pending);
  return {
    isHeld,
    hold,
    release,
    refusal: pressed === "refused" ? stuck : null,
    heldText: isHeld ? `Sendes, når ${net}portalen kender alle filerne. Lad siden stå åben.` : null,
    outcome: isHeld || !isUploading ? null : (stuck ?? outcome),
  };
}

const whenSent = (referenceType: number, pending: number) =>
  referenceType === URGENT ? "Haste: sendes med det samme, og filerne følger efter." : `${awaitingText(pending)}.`;
