import { createContext, useContext } from "react";

/** The content policy's nonce of this answer. Empty in the browser, which hides it from scripts anyway. */
export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);
