import { RemixBrowser } from "@remix-run/react";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { rememberSubmitter } from "./ui/forms/remember-submitter";

rememberSubmitter();

startTransition(() => {
  hydrateRoot(document, <RemixBrowser />);
});
