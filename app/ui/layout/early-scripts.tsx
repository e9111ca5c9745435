import { createContext, useContext } from "react";

export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);

/** Whether this page is the answer to a form; unknown in the browser. */
export const AnswersFormContext = createContext(false);

export const useAnswersForm = () => useContext(AnswersFormContext);

export const PublicStylesContext = createContext("");

export const usePublicStyles = () => useContext(PublicStylesContext);

export const HasScriptsContext = createContext(false);

/**
 * Runs before the first paint, since the portal's script may come seconds later: a page that moves then takes a press
 * from under the finger (docs/decisions/0091).
 */
function EarlyScript({ code }: { code: string }) {
  const nonce = useNonce();
  if (!useContext(HasScriptsContext)) return null;
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: code }} />;
}

/** Marks the page for `scripts:` classes. Removed if the script does not load; never set without module support. */
export const MarkScripts = () => (
  <EarlyScript
    code={`if("noModule"in document.createElement("script")){var c=document.documentElement.classList;c.add("scripts");addEventListener("error",function(e){e.target.tagName==="SCRIPT"&&c.remove("scripts")},true)}`}
  />
);

/** Shows fields of the chosen option before the script loads (`unchosen:` classes). Placed in the form. */
export const ShowOnChoice = () => (
  <EarlyScript
    code={`document.currentScript.closest("form").addEventListener("change",function(e){e.target.type==="radio"&&(this.dataset.chosen="")})`}
  />
);
