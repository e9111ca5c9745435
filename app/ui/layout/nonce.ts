import { createContext, useContext } from "react";

/** The content policy's nonce of this answer. Empty in the browser, which hides it from scripts anyway. */
export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);

/** Whether the server answers a form with this page, not somebody who only opened it. In the browser nobody knows. */
export const AnswersFormContext = createContext(false);

export const useAnswersForm = () => useContext(AnswersFormContext);

/** The styles of public pages, which have no script and stand in the page itself; from the server's renderer, so that no script carries them as a string. */
export const PublicStylesContext = createContext("");

export const usePublicStyles = () => useContext(PublicStylesContext);
