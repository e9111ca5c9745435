import { createContext, useContext } from "react";

/** The content policy's nonce of this answer. Empty in the browser, which hides it from scripts anyway. */
export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);

/** The styles of public pages, from the server's renderer. Such pages have no script, so the browser never loads 2 KB of styles as a string. */
export const PublicStylesContext = createContext("");

export const usePublicStyles = () => useContext(PublicStylesContext);
