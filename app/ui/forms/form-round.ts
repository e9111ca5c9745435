import { createContext } from "react";

/** How often the form around a field was saved: its file fields begin anew each time, for a browser keeps the file that was sent in them. */
export const FormRound = createContext(0);
