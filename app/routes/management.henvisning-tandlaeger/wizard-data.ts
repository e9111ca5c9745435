import type { SerializeFrom } from "@remix-run/node";
import type { loader } from "./route";

/** What the wizard's loader answers, as its steps see it. */
export type WizardData = SerializeFrom<typeof loader>;
