import type { presentWizard } from "./present";

export type WizardData = ReturnType<typeof presentWizard>;
