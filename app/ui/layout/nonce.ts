import { createContext, useContext } from "react";

/** CSP nonce; empty in the browser, which hides it from scripts. */
export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);

/** Whether this page is the answer to a form; unknown in the browser. */
export const AnswersFormContext = createContext(false);

export const useAnswersForm = () => useContext(AnswersFormContext);

export const PublicStylesContext = createContext("");

export const usePublicStyles = () => useContext(PublicStylesContext);
