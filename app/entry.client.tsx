import { RemixBrowser } from "@remix-run/react";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { FIRST_STYLES, StylesContext } from "./ui/layout/nonce";
import { rememberSubmitter } from "./ui/forms/remember-submitter";

rememberSubmitter();

// A form that was begun at an address without its key is at its own from here on: reload and Back lead to it (http/first-visit.server.ts).
const { address } = document.documentElement.dataset;
if (address) {
  history.replaceState(history.state, "", address + location.hash);
  document.cookie = `given-form=; Path=${location.pathname}; Max-Age=0`;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StylesContext.Provider
      value={{ ofPublicPages: "", atFirst: document.getElementById(FIRST_STYLES)?.textContent ?? "" }}
    >
      <RemixBrowser />
    </StylesContext.Provider>,
  );
});
