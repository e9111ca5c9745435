import { RemixBrowser } from "@remix-run/react";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { rememberSubmitter } from "./ui/forms/remember-submitter";
import { rememberFields } from "./ui/forms/restore-fields";

rememberSubmitter();

const fields = rememberFields();
startTransition(() => {
  hydrateRoot(document, <RemixBrowser />, {
    // React replaced the markup because something had changed it before hydration.
    onRecoverableError: fields.restore,
  });
});
