import { useActionData, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { ActionResult } from "~/http/forms/action-result";

/**
 * The answer to the page's last form, available only once the page's data have been loaded again after it. Remix provides it before that: after a
 * conflict the form would show the old values as the saved ones, and its next press would send the old version again.
 */
export function useSettledActionData() {
  const given = useActionData<ActionResult>();
  const isReading = useNavigation().state === "loading";
  const [shown, setShown] = useState(given);
  if (!isReading && shown !== given) setShown(given);
  return isReading ? shown : given;
}
