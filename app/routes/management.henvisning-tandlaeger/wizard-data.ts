import type { presentWizard } from "./present";

/** The wizard in words, as its steps see it. */
export type WizardData = ReturnType<typeof presentWizard>;
