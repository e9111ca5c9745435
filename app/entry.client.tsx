import { RemixBrowser } from "@remix-run/react";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { rememberSubmitter, rememberFields } from "./ui/forms/restore-fields";

rememberSubmitter();

const fields = rememberFields();
startTransition(() => {
  hydrateRoot(document, <RemixBrowser />, {
    onRecoverableError: fields.restore,
  });
});
