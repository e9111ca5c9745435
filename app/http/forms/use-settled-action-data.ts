import { useActionData, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";

/**
 * The answer to the page's last form, from when the page has been read anew after it. Remix hands it out before that: a form that was
 * refused because somebody was first would show what stood there before as what stands there now, and its next press would send the former version again.
 */
export function useSettledActionData() {
  const given = useActionData<ActionResult>();
  const isReading = useNavigation().state === "loading";
  const [shown, setShown] = useState(given);
  if (!isReading && shown !== given) setShown(given);
  return isReading ? shown : given;
}
