import { createContext } from "react";

/** Number of saves of the form, which resets its file fields. */
export const FormRound = createContext(0);
