import { createContext, useContext } from "react";
import { useNonce } from "./nonce";

/** Whether the portal's script takes the page over; it does not in the light edition. */
export const HasScriptsContext = createContext(false);

/**
 * What must be so before the page is first drawn, and cannot wait for the portal's script, which may come seconds later on a slow connection:
 * a page that jumps when it comes takes the press from under a finger that is already down (docs/decisions/0091).
 */
function EarlyScript({ code }: { code: string }) {
  const nonce = useNonce();
  if (!useContext(HasScriptsContext)) return null;
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: code }} />;
}

/**
 * Marks the page as one that the portal's script takes over: `scripts:` in a class list. The mark goes when the script does not arrive, and
 * is never set where modules are unknown.
 */
export const MarkScripts = () => (
  <EarlyScript
    code={`if("noModule"in document.createElement("script")){var c=document.documentElement.classList;c.add("scripts");addEventListener("error",function(e){e.target.tagName==="SCRIPT"&&c.remove("scripts")},true)}`}
  />
);

/** Folds the `<details>` it stands in, as its last child, under 1160 px. */
export const FoldOnPhones = () => (
  <EarlyScript code={`matchMedia("(max-width:1159px)").matches&&(document.currentScript.parentNode.open=false)`} />
);

/**
 * Whoever chooses before the script has come sees at once what belongs to another choice, as without JavaScript (`unchosen:` in a class list).
 * Stands in the form.
 */
export const ShowOnChoice = () => (
  <EarlyScript
    code={`document.currentScript.closest("form").addEventListener("change",function(e){e.target.type==="radio"&&(this.dataset.chosen="")})`}
  />
);
